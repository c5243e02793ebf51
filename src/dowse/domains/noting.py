"""Which kinds can someone write down in passing, and what joins such a record to what it is about?"""

# A page's links_to are made anew from its text whenever it is written, so what is said beside the text is a reference.
ABOUT = {"page": "references", "item": "relates_to", "note": "relates_to", "knowledge": "references"}
