"""Which files does a project have, and which of them are worth reading?"""

from dowse.ingest.walking.entry import Entry, Limits, Reason, Skipped, measured, shown
from dowse.ingest.walking.walk import walk

__all__ = ["Entry", "Limits", "Reason", "Skipped", "measured", "shown", "walk"]
