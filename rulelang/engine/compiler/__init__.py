"""The compiler: rules made Python source, once a game, and run as that.

The reference interpreter says what a program means; what is made here does the same, faster. What
it finds odd (a bound overstepped, a value that is none, work without an end) it does not judge: the
reference then has the word, from the last state that was sound (`Doubt`).
"""
