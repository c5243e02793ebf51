"""``python -m dowse`` is ``dowse``."""

import sys

from dowse.shells.cli.main import run

sys.exit(run())
