"""The page at ``/``: its files, and the few answers that only a page needs."""
