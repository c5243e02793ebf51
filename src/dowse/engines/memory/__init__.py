from dowse.engines.memory.engine import MemoryEngine

__all__ = ["MemoryEngine"]
