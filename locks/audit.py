"""Are faults known of what is locked? ``make audit`` asks pip-audit about every lock, and says so if it got no answer.

Exit codes: 0 none are known; 1 some are, or some packages could not be looked up.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

LOCKS = tuple(sorted(Path(__file__).parent.glob("*.txt")))
# What is no lock among them.
_OTHER = "licences.txt"
# Names of packages that are told, of many.
_TOLD = 5


def main() -> int:
    found = {package["name"]: package for path in LOCKS if path.name != _OTHER for package in _asked(path)}
    faults = [f"{name} {package['version']}: {_told(package)}" for name, package in sorted(found.items()) if package.get("vulns")]
    unknown = [name for name, package in sorted(found.items()) if "skip_reason" in package]
    print(f"{len(found)} packages: {len(found) - len(unknown)} looked up, {len(faults)} with known faults.")
    print("\n".join(faults))
    if unknown:
        some = ", ".join(unknown[:_TOLD]) + (", …" if len(unknown) > _TOLD else "")
        print(
            f"{len(unknown)} could not be looked up ({some}): the registry that is used here tells of files, but not of faults."
            " That is no clean bill of health. Run 'make audit' where the public registry itself can be reached."
        )
    return 1 if faults or unknown else 0


def _asked(path: Path) -> list[dict[str, Any]]:
    command = [
        sys.executable,
        "-m",
        "pip_audit",
        "--require-hashes",
        "--disable-pip",
        "--requirement",
        str(path),
        "--format",
        "json",
    ]
    done = subprocess.run([*command, "--progress-spinner", "off"], capture_output=True, text=True, check=False)
    try:
        packages: list[dict[str, Any]] = json.loads(done.stdout)["dependencies"]
    except ValueError:
        # It could not even ask.
        sys.exit(f"pip-audit failed on {path.name}:\n{done.stderr.strip()[-2000:]}")
    return packages


def _told(package: dict[str, Any]) -> str:
    return "; ".join(
        f"{fault['id']} (fixed in {', '.join(fault['fix_versions']) or 'no version yet'})" for fault in package["vulns"]
    )


if __name__ == "__main__":
    sys.exit(main())
