"""A small declarative language for adventure board games: parsed, checked, and played."""

__version__ = "0.1.0"
