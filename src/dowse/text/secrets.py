"""Does a text hold a key or a token that nobody meant to publish? Then it is shown without it."""

import re

SHOWN = "[secret]"

# Only forms that nothing else has: a word that merely looks random may be a hash, an id or a picture.
_FORMS = {
    "private key": r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"
    r"[\s\S]*?(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|\Z)",
    "AWS": r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
    "GitHub": r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{50,})\b",
    "GitLab": r"\bglpat-[A-Za-z0-9_-]{20,}",
    "Slack": r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}",
    "OpenAI and alike": r"\bsk-(?:[a-z]+-)*[A-Za-z0-9_-]{20,}",
    "Stripe": r"\b[rs]k_live_[A-Za-z0-9]{16,}\b",
    "Google": r"\bAIza[0-9A-Za-z_-]{35}",
    "npm": r"\bnpm_[A-Za-z0-9]{36}\b",
    "PyPI": r"\bpypi-AgEI[A-Za-z0-9_-]{40,}",
}
_SECRET = re.compile("|".join(f"(?:{form})" for form in _FORMS.values()))
# Most texts hold none of these, and so are never searched by the long expression.
_HINT = re.compile(r"-----BEGIN |A[KS]IA|gh[pousr]_|github_pat_|glpat-|xox|sk-|k_live_|AIza|npm_|pypi-")
_DIGIT = re.compile(r"\d")


def without_secrets(text: str) -> str:
    """The text with each key or token replaced.

    >>> without_secrets("export KEY=" + "AKIA" + "ABCDEFGHIJKLMNOP" + " # mine")
    'export KEY=[secret] # mine'
    """
    return _SECRET.sub(_replacement, text) if _HINT.search(text) else text


def _replacement(match: re.Match[str]) -> str:
    found = match[0]
    # A word such as "sk-learn-compatible-estimator" has no digit; a random key of twenty characters has one.
    if found.startswith("sk-") and not _DIGIT.search(found):
        return found
    # Lines stay, so that what follows keeps its number.
    return SHOWN + "\n" * found.count("\n")
