"""Which reader knows the format of a document?

Each is loaded when its format is first met: a project without HTML never loads its parser.
"""

from dowse.ingest.documents.outline import Outline

LANGUAGES = ("asciidoc", "html", "markdown", "mdx", "notebook", "pdf", "rst", "text")
"""The languages that are documents."""


def outline(language: str, text: str, data: bytes, path: str) -> Outline:
    """The outline of a document; one of no known format is read as plain text."""
    if language in ("markdown", "mdx"):
        from dowse.ingest.documents import markdown

        return markdown.outline(text, path, mdx=language == "mdx")
    if language == "rst":
        from dowse.ingest.documents import rst

        return rst.outline(text, path)
    if language == "asciidoc":
        from dowse.ingest.documents import asciidoc

        return asciidoc.outline(text, path)
    if language == "html":
        from dowse.ingest.documents import html

        return html.outline(text, path)
    return _others(language, text, data, path)


def _others(language: str, text: str, data: bytes, path: str) -> Outline:
    if language == "notebook":
        from dowse.ingest.documents import notebook

        return notebook.outline(text, path)
    if language == "pdf":
        from dowse.ingest.documents import pdf

        return pdf.outline(data, path)
    from dowse.ingest.documents import plain

    return plain.outline(text, path)
