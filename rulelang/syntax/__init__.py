"""The syntax: from text to tokens, to the concrete tree, and to the syntax tree; and back."""
