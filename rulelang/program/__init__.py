"""The checked game: its types, its content, and its rules lowered to a few instructions."""
