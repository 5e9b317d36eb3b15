"""How well are mistakes found? Single faults are seeded into a game, and each is looked for.

``python -m rulelang.testing.faults GAME`` measures a game: how many of the faults `rulelang check`
finds, how many more the game's scenarios find, and what nothing finds.
"""
