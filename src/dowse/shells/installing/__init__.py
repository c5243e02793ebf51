"""How do coding agents learn of the server? By an entry in the settings file each of them documents."""

from dowse.shells.installing.install import Outcome, Registration, describe, install, uninstall

__all__ = ["Outcome", "Registration", "describe", "install", "uninstall"]
