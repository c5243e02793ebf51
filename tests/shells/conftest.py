"""What the tests of all shells share: see ``every_operation``."""
