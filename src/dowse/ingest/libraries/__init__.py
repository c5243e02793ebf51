"""Reads the documentation of libraries from where it is: folders, repositories, packages, archives and llms.txt."""

from dowse.ingest.libraries.material import Edition, LibraryFile, Material
from dowse.ingest.libraries.origins import From, Origin, opened, tell
from dowse.ingest.libraries.repositories import Wanted

__all__ = ["Edition", "From", "LibraryFile", "Material", "Origin", "Wanted", "opened", "tell"]
