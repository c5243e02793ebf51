"""How many tokens of a language model is a text? An estimate that needs no model."""

# About four characters make a token of English or code.
CHARACTERS_PER_TOKEN = 4


def tokens_of(text: str) -> int:
    """
    >>> tokens_of(""), tokens_of("abcd"), tokens_of("abcde")
    (0, 1, 2)
    """
    return -(-len(text) // CHARACTERS_PER_TOKEN)
