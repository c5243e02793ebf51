from dowse.engines.opensearch.address import Address, is_address, parse

__all__ = ["Address", "is_address", "parse"]
