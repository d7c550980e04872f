"""`python -m react_tck` runs the command line, as `react-tck` does."""

import sys

from react_tck.cli.main import main

# The workers of `prove` import this module too, under another name.
if __name__ == "__main__":
    sys.exit(main())
