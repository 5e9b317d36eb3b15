"""What stops a running rule."""


class Fault(Exception):
    """A rule cannot go on: a bound overstepped, the first of nothing. The session makes it a `GameFault`."""
