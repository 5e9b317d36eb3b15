"""Running a linked program: state, chance, decisions, and the reference interpreter."""
