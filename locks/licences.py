"""Under which licences are the locked packages? ``make lock`` keeps what this prints in licences.txt."""

import re
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

FOLDER = Path(__file__).parent
_PINNED = re.compile(r"^([A-Za-z0-9._-]+)==([^ ;\\]+)", re.MULTILINE)
_UNKNOWN = "not said"
# Licences under which everything may be used, changed and passed on; Mozilla's asks for changes of its own files alone.
_FREE = re.compile(r"MIT|BSD|Apache|MPL|Mozilla|PSF|any-OSI", re.IGNORECASE)


def main() -> None:
    for name, version in locked("test"):
        if (licence := licence_of(name)) is not None:
            print(f"{name} {version}: {licence}")


def locked(lock: str) -> list[tuple[str, str]]:
    """Names and versions in a lock. A package that has another version for another Python is there twice."""
    return _PINNED.findall((FOLDER / f"{lock}.txt").read_text())


def licence_of(name: str) -> str | None:
    """What an installed package says, the plainest first; None where it is not installed, being for another system."""
    try:
        told = metadata(name)
    except PackageNotFoundError:
        return None
    classified = [item.rpartition(" :: ")[2] for item in told.get_all("Classifier") or () if item.startswith("License ::")]
    expressed, written = ((told.get_all(field) or [""])[0] for field in ("License-Expression", "License"))
    # Some put the whole text there, whose first line is its name.
    return expressed or written.strip().partition("\n")[0] or ", ".join(classified) or _UNKNOWN


def is_free(licence: str) -> bool:
    return _FREE.search(licence) is not None


if __name__ == "__main__":
    main()
