import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import pytest
from serving_vectors import Answer, Asked, serving

from dowse.embed.endpoint import BYTES, TEXTS, EndpointEmbedder, Patience
from dowse.errors import EmbeddingFailed

BRIEFLY = Patience(tries=2, timeout=0.05, pause=0.2)


def vectors(asked: Asked) -> Answer:
    """What a server that works says: each text's vector points where its length says."""
    return answered([[float(len(text)), 1.0, 0.0] for text in json.loads(asked.body)["input"]])


def answered(rows: Sequence[Sequence[float]]) -> Answer:
    data = [{"object": "embedding", "index": place, "embedding": list(row)} for place, row in enumerate(rows)]
    return Answer(body=json.dumps({"object": "list", "data": data}).encode())


class Endpoint:
    """A server that gives its answers one after the other, then works; and an embedder that asks it and never really waits."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.answers: list[Callable[[Asked], Answer]] = []
        self.waits: list[float] = []
        self.environment: dict[str, str] = {}
        self.address = ""

    def answer(self, asked: Asked) -> Answer:
        self.asked.append(asked)
        return (self.answers.pop(0) if self.answers else vectors)(asked)

    def embedder(self, model: str = "some-model", **settings: Any) -> EndpointEmbedder:
        return EndpointEmbedder(f"{self.address}/v1#{model}", environment=self.environment, sleep=self.waits.append, **settings)

    @property
    def texts(self) -> list[list[str]]:
        return [json.loads(asked.body)["input"] for asked in self.asked]


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    made = Endpoint()
    with serving(made.answer) as made.address:
        yield made


@pytest.fixture
def opened(endpoint: Endpoint) -> Iterator[Callable[..., EndpointEmbedder]]:
    with ExitStack() as stack:

        def make(model: str = "some-model", **settings: Any) -> EndpointEmbedder:
            embedder = endpoint.embedder(model, **settings)
            stack.callback(embedder.close)
            return embedder

        yield make


Opened = Callable[..., EndpointEmbedder]


def test_texts_become_vectors_of_length_one(endpoint: Endpoint, opened: Opened) -> None:
    found = opened().embed(["abc", "a"])
    assert np.allclose(found, np.array([[3, 1, 0], [1, 1, 0]]) / np.sqrt([[10], [2]]))
    assert endpoint.asked[-1].path == "/v1/embeddings"
    assert json.loads(endpoint.asked[-1].body)["model"] == "some-model"


def test_making_an_embedder_asks_nothing_and_its_profile_asks_once(endpoint: Endpoint, opened: Opened) -> None:
    embedder = opened()
    assert endpoint.asked == []
    assert (embedder.profile.name, embedder.profile.dimension) == ("some-model", 3)
    assert embedder.profile.fingerprint == embedder.profile.fingerprint
    assert len(endpoint.asked) == 1


def test_the_fingerprint_is_the_models_wherever_it_is_served(endpoint: Endpoint, opened: Opened) -> None:
    with serving(vectors) as elsewhere:
        other = EndpointEmbedder(f"{elsewhere}/other/v1#some-model", environment={})
        assert other.profile.fingerprint == opened().profile.fingerprint != opened("another").profile.fingerprint
        other.close()
    assert endpoint.waits == []


def test_answers_in_another_order_are_put_in_place(endpoint: Endpoint, opened: Opened) -> None:
    embedder = opened()
    assert embedder.profile.dimension == 3
    data = [{"index": 1, "embedding": [0, 1, 0]}, {"index": 0, "embedding": [1, 0, 0]}]
    endpoint.answers = [lambda _: Answer(body=json.dumps({"data": data}).encode())]
    assert embedder.embed(["first", "second"]).tolist() == [[1, 0, 0], [0, 1, 0]]


def test_many_texts_go_in_batches_and_long_ones_in_smaller(endpoint: Endpoint, opened: Opened) -> None:
    embedder = opened()
    many = [f"text {place}" for place in range(TEXTS + 3)]
    assert embedder.embed(many).shape == (TEXTS + 3, 3)
    assert [len(texts) for texts in endpoint.texts[1:]] == [TEXTS, 3]
    endpoint.asked.clear()
    embedder.embed(["ä" * (BYTES // 4)] * 3)
    assert [len(texts) for texts in endpoint.texts] == [2, 1]


def test_a_text_without_words_is_not_sent(endpoint: Endpoint, opened: Opened) -> None:
    assert opened().embed([" ", "word"]).any(axis=1).tolist() == [False, True]
    assert endpoint.texts[1:] == [["word"]]


def test_half_a_character_is_sent_as_a_question_mark(endpoint: Endpoint, opened: Opened) -> None:
    assert opened().embed(["half \ud83d"]).any()
    assert endpoint.texts[1:] == [["half ?"]]


def test_a_model_known_by_name_gets_its_prefixes(endpoint: Endpoint, opened: Opened) -> None:
    embedder = opened("nomic-embed-text:latest")
    embedder.embed(["word"], query=True)
    embedder.embed(["word"])
    assert endpoint.texts[1:] == [["search_query: word"], ["search_document: word"]]


def test_connections_are_kept(endpoint: Endpoint, opened: Opened) -> None:
    embedder = opened()
    embedder.embed(["one"])
    embedder.embed(["two"])
    assert len({asked.caller for asked in endpoint.asked}) == 1


def test_a_kept_connection_that_was_closed_meanwhile_is_replaced_without_waiting(endpoint: Endpoint, opened: Opened) -> None:
    embedder = opened()
    endpoint.answers = [lambda asked: Answer(body=vectors(asked).body, keep=False)]
    embedder.embed(["one"])
    assert embedder.embed(["two"]).any()
    assert endpoint.waits == []


def test_a_server_that_fails_once_is_asked_again(endpoint: Endpoint, opened: Opened) -> None:
    endpoint.answers = [lambda _: Answer(500, b"loading the model")]
    assert opened().profile.dimension == 3
    assert endpoint.waits == [0.2]


def test_pauses_grow_and_end_with_what_the_server_said(endpoint: Endpoint, opened: Opened) -> None:
    embedder = opened()
    assert embedder.profile.dimension == 3
    endpoint.answers = [lambda _: Answer(503, b"too busy")] * 5
    with pytest.raises(EmbeddingFailed, match="503: too busy"):
        embedder.embed(["one"])
    assert endpoint.waits == [0.5, 1, 2, 4]


def test_a_server_that_asks_for_time_gets_it(endpoint: Endpoint, opened: Opened) -> None:
    endpoint.answers = [lambda _: Answer(429, headers={"Retry-After": "7"})]
    assert opened().embed(["one"]).any()
    assert endpoint.waits == [7]


def test_nobody_waits_longer_than_half_a_minute(endpoint: Endpoint, opened: Opened) -> None:
    endpoint.answers = [lambda _: Answer(429, headers={"Retry-After": "86400"})]
    opened().embed(["one"])
    assert endpoint.waits == [30]


def test_a_date_to_come_back_at_is_taken_as_a_plain_wait(endpoint: Endpoint, opened: Opened) -> None:
    endpoint.answers = [lambda _: Answer(429, headers={"Retry-After": "Fri, 31 Dec 1999 23:59:59 GMT"})]
    opened().embed(["one"])
    assert endpoint.waits == [0.2]


def test_a_refusal_is_told_at_once(endpoint: Endpoint, opened: Opened) -> None:
    endpoint.answers = [lambda _: Answer(404, b'{"error": "model not found"}')]
    with pytest.raises(EmbeddingFailed, match=r"404.*model not found"):
        opened().embed(["one"])
    assert endpoint.waits == []


def test_a_redirection_is_told_and_not_followed(endpoint: Endpoint, opened: Opened) -> None:
    endpoint.answers = [lambda _: Answer(307, headers={"Location": "http://127.0.0.1:9/v1/embeddings"})]
    with pytest.raises(EmbeddingFailed, match="307 and sends us elsewhere"):
        opened().embed(["one"])


def test_a_server_that_does_not_answer_is_left_after_the_timeout(endpoint: Endpoint, opened: Opened) -> None:
    released = threading.Event()

    def silent(asked: Asked) -> Answer:
        released.wait(10)
        return vectors(asked)

    endpoint.answers = [silent, silent]
    with pytest.raises(EmbeddingFailed, match="cannot be reached: timed out"):
        opened(for_queries=BRIEFLY).embed(["one"])
    released.set()
    assert endpoint.waits == [0.2]


def test_an_endpoint_that_is_down_says_so_and_comes_back_by_itself() -> None:
    with serving(vectors) as address:
        pass
    embedder = EndpointEmbedder(f"{address}/v1#some-model", environment={}, sleep=lambda _: None)
    with pytest.raises(EmbeddingFailed, match=r"127\.0\.0\.1.* cannot be reached: Connection refused"):
        embedder.embed(["one"], query=True)
    with serving(vectors, urlsplit(address).port or 0):
        assert embedder.embed(["one"], query=True).any()
    embedder.close()


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b"<html>welcome</html>", "not with embeddings: <html>welcome"),
        (b'{"error": "no"}', "not with embeddings"),
        (b'{"data": 5}', "not with embeddings"),
        (b'{"data": [{"index": 0}]}', "not with embeddings"),
        (b'{"data": [{"index": 0, "embedding": "AAAA"}]}', "not with embeddings"),
        (b'{"data": []}', "0 vectors for 1 texts"),
        (b'{"data": [{"index": 0, "embedding": []}]}', "vectors that are none"),
        (b'{"data": [{"index": 0, "embedding": [NaN, 1]}]}', "vectors that are none"),
        (b'{"data": [{"index": 0, "embedding": [1e200, 1]}]}', "vectors that are none"),
    ],
)
def test_an_answer_that_holds_no_vectors_is_told(endpoint: Endpoint, opened: Opened, body: bytes, told: str) -> None:
    endpoint.answers = [lambda _: Answer(body=body)]
    with pytest.raises(EmbeddingFailed, match=told):
        opened().embed(["one"])


def test_fewer_vectors_than_texts_are_refused(endpoint: Endpoint, opened: Opened) -> None:
    embedder = opened()
    assert embedder.profile.dimension == 3
    endpoint.answers = [lambda _: answered([[1, 0, 0]])]
    with pytest.raises(EmbeddingFailed, match="1 vectors for 2 texts"):
        embedder.embed(["one", "two"])


def test_vectors_that_change_their_length_are_refused(endpoint: Endpoint, opened: Opened) -> None:
    embedder = opened()
    assert embedder.profile.dimension == 3
    endpoint.answers = [lambda _: answered([[1, 0, 0, 0]])]
    with pytest.raises(EmbeddingFailed, match="4 numbers; it used to be 3"):
        embedder.embed(["one"])


def test_a_known_model_of_another_dimension_is_refused(opened: Opened) -> None:
    with pytest.raises(EmbeddingFailed, match=r"3 numbers; BAAI/bge-small-en-v1\.5 has 384"):
        opened("BAAI/bge-small-en-v1.5").embed(["one"])


def test_the_key_is_sent_but_never_told(endpoint: Endpoint, opened: Opened) -> None:
    endpoint.environment["DOWSE_EMBEDDINGS_KEY"] = "secret-key"
    endpoint.answers = [lambda _: Answer(401, b"wrong key secret-key")]
    with pytest.raises(EmbeddingFailed) as failed:
        opened().embed(["one"])
    assert endpoint.asked[0].headers["authorization"] == "Bearer secret-key"
    assert "secret-key" not in str(failed.value)


def test_without_a_key_none_is_sent(endpoint: Endpoint, opened: Opened) -> None:
    opened().embed(["one"])
    assert "authorization" not in endpoint.asked[0].headers


@pytest.mark.parametrize("address", ["ftp://host/v1#m", "file:///etc/passwd#m", "http://#m", "http://host:port/v1#m", "host#m"])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(EmbeddingFailed, match="is no address"):
        EndpointEmbedder(address)


def test_an_address_without_a_model_is_refused() -> None:
    with pytest.raises(EmbeddingFailed, match="does not name a model"):
        EndpointEmbedder("http://localhost:11434/v1")


def test_a_name_and_password_in_the_address_are_not_told() -> None:
    with serving(vectors) as address:
        pass
    embedder = EndpointEmbedder(address.replace("//", "//me:hidden@") + "/v1#m", environment={}, sleep=lambda _: None)
    with pytest.raises(EmbeddingFailed) as failed:
        embedder.embed(["one"])
    assert "hidden" not in str(failed.value)
