"""Compiles what is written in C, where there is a compiler; without one the same is done in Python, only slower.

A file ``src/dowse/a/_b.c`` becomes the module ``dowse.a._b``, beside the Python it does the same as. One file serves every Python
from 3.11 on (the stable ABI).
"""

import os
import shutil
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ABI = "0x030B0000"
SUFFIX = ".pyd" if sys.platform == "win32" else ".abi3.so"


class CompileHook(BuildHookInterface):
    """What hatchling calls before it packs a wheel or installs for editing."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        del version
        if self.target_name != "wheel" or os.environ.get("DOWSE_NO_C"):
            return
        root = Path(self.root)
        sources = sorted((root / "src" / "dowse").rglob("_*.c"))
        try:
            made = [_compile(root, source) for source in sources]
        except Exception as error:  # noqa: BLE001 - whatever a compiler may lack, dowse works without it
            self.app.display_warning(f"Not compiled: {error}. dowse works without, only slower.")
            return
        build_data["artifacts"] += [f"/{path.relative_to(root).as_posix()}" for path in made]
        build_data["pure_python"] = False
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["tag"] = f"cp311-abi3-{platform}"


def _compile(root: Path, source: Path) -> Path:
    """Builds one module and puts it beside its source, whole or not at all."""
    from setuptools import Distribution, Extension

    name = ".".join(source.relative_to(root / "src").with_suffix("").parts)
    # Not contracted: a product that is not rounded before it is added is another sum than that of the same in Python.
    fast = [] if sys.platform == "win32" else ["-O3", "-fno-math-errno", "-ffp-contract=off"]
    extension = Extension(
        name, [str(source)], define_macros=[("Py_LIMITED_API", ABI)], extra_compile_args=fast, py_limited_api=True
    )
    with tempfile.TemporaryDirectory() as place:
        command = Distribution({"name": "dowse", "ext_modules": [extension]}).get_command_obj("build_ext")
        command.build_lib = command.build_temp = place
        command.ensure_finalized()
        command.run()
        built = Path(place) / command.get_ext_filename(name)
        target = source.with_suffix(SUFFIX)
        beside = target.with_suffix(".new")
        shutil.copyfile(built, beside)
        beside.replace(target)
    return target
