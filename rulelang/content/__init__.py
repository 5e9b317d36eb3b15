"""The content of a game as JSON, and its JSON Schema."""
