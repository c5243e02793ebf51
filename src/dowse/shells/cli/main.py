"""The ``dowse`` command: what was typed goes in, an exit code comes out."""

import os
import sys
from collections.abc import Sequence

from dowse.version import __version__


def run(argv: Sequence[str] | None = None) -> int:
    """Runs one command line. Nothing is imported before it is known to be needed: a shell user waits for every module."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments[:1] in (["--version"], ["-V"]):
        print(f"dowse {__version__}")
        return 0
    from dowse.shells.cli import exits

    try:
        from dowse.shells.cli.dispatch import dispatch

        code = dispatch(arguments)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # The reader has seen enough. Python would complain at its own exit, when it flushes what is left.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return exits.BROKEN_PIPE
    except KeyboardInterrupt:
        print("dowse: interrupted", file=sys.stderr)
        return exits.INTERRUPTED
    except Exception as error:
        known = exits.code_of(error)
        if known is None:
            raise
        exits.tell(error, as_json="--json" in arguments)
        return known


if __name__ == "__main__":
    sys.exit(run())
