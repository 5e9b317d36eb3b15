"""``python -m rulelang``: the same as the command ``rulelang``."""

import sys

from rulelang.cli import main

if __name__ == "__main__":
    sys.exit(main())
