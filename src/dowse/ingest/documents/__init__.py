from dowse.ingest.documents.document import read_document

__all__ = ["read_document"]
