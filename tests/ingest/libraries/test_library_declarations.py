from dowse.ingest.libraries.declarations import pieces

MODULE = '''"""Rockets that fly very far."""


class Rocket:
    """A thing that flies."""

    def launch(
        self,
        to: str,
    ) -> None:
        """Launch it to a place."""

    def _ignite(self) -> None:
        """Nobody calls this."""

    @property
    def fuel(self) -> int:
        """How much there is."""

    @fuel.setter
    def fuel(self, value: int) -> None:
        """Put some in."""

    def silent(self) -> None:
        pass


def _helper() -> None:
    """Nor this."""
'''


def test_public_declarations_are_told_with_signature_and_docstring() -> None:
    found = {piece.title: piece for piece in pieces(MODULE, "src/rocket/flight.py", "python")}
    assert list(found) == ["rocket.flight", "rocket.flight.Rocket", "rocket.flight.Rocket.launch", "rocket.flight.Rocket.fuel"]
    launch = found["rocket.flight.Rocket.launch"]
    assert launch.content == 'def launch(self, to: str) -> None:\n    """Launch it to a place."""'
    assert (launch.breadcrumb, launch.place, launch.type) == ("rocket.flight > Rocket", "Rocket.launch/api", "code")
    assert found["rocket.flight"].type == "info"


def test_a_file_of_declarations_is_told_whole_types_included() -> None:
    text = "export interface Options {\n  /** How deep. */\n  depth?: number;\n}\nexport declare function fly(to: string): void;\n"
    found = [(piece.title, piece.content) for piece in pieces(text, "dist/index.d.ts", "typescript")]
    assert found[0][0] == "dist/index.Options"
    assert "depth?: number;" in found[0][1]
    assert found[1] == ("dist/index.fly", "function fly(to: string): void")
