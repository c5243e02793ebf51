import pytest

from dowse.embed.profiles import STRENGTH, known, named, served
from dowse.model.passage import Pooling


def test_models_are_listed_by_name_and_none_twice() -> None:
    names = [model.name for model in known()]
    assert names == sorted(set(names), key=str.lower)


def test_the_seeds_model_is_known_with_its_prefix_and_floor() -> None:
    model = named("snowflake-arctic-embed-m-v2.0")
    assert model is not None
    profile = model.profile
    assert (profile.dimension, profile.query_prefix, profile.pooling, profile.floor) == (768, "query: ", Pooling.FIRST, 0.3)


def test_a_name_is_found_however_it_is_cased() -> None:
    assert named("ALL-minilm-l6-V2") == named("all-MiniLM-L6-v2") is not None


def test_a_name_nobody_knows_is_none() -> None:
    assert named("nonsense") is None


@pytest.mark.parametrize("model", known(), ids=lambda model: model.name)
def test_every_known_model_says_what_a_user_wants_to_know(model: object) -> None:
    for told in ("name", "repository", "model", "licence", "bytes"):
        assert getattr(model, told)


@pytest.mark.parametrize("name", ["BAAI/bge-small-en-v1.5", "bge-small-en-v1.5:latest", "bge-small-en-v1.5"])
def test_a_served_model_is_known_under_the_names_servers_give_it(name: str) -> None:
    assert served(name).query_prefix.startswith("Represent this sentence")


def test_a_served_model_nobody_knows_is_asked_as_it_is() -> None:
    profile = served("company/our-own-model")
    assert (profile.query_prefix, profile.passage_prefix, profile.dimension) == ("", "", 0)


def test_a_model_nobody_measured_counts_more_than_the_one_in_the_package_and_less_than_the_best() -> None:
    best = named("granite-embedding-30m-english")
    assert best is not None
    assert 1.0 < served("company/our-own-model").strength == STRENGTH < best.profile.strength
