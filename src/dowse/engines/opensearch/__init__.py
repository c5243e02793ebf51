from dowse.engines.opensearch.address import Address, is_address
from dowse.engines.opensearch.engine import OpenSearchEngine

__all__ = ["Address", "OpenSearchEngine", "is_address"]
