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


def test_a_class_tells_how_it_is_made_and_is_told_for_that_alone() -> None:
    text = '''
class Probe:
    """A small one."""

    def __init__(self, name: str, mass: float = 1.0) -> None:
        """Not asked for by itself."""


class Lander(Probe):
    def __init__(self, name: str, legs: int = 4) -> None:
        super().__init__(name)


class Silent:
    pass
'''
    found = {piece.title: piece.content for piece in pieces(text, "kit/probes.py", "python")}
    assert found == {
        "kit.probes.Probe": (
            'class Probe:\n    """A small one."""\n    def __init__(self, name: str, mass: float = 1.0) -> None: ...'
        ),
        "kit.probes.Lander": "class Lander(Probe):\n    def __init__(self, name: str, legs: int = 4) -> None: ...",
    }


def test_every_parameter_is_told_however_many_there_are() -> None:
    parameters = ", ".join(f"parameter_{number}: int = {number}" for number in range(40))
    text = f'def launch({parameters}) -> None:\n    """Launch."""\n'
    (found,) = pieces(text, "kit/api.py", "python")
    assert "parameter_39: int=39" in found.content
    assert found.content.endswith('-> None:\n    """Launch."""')


def test_of_a_private_module_only_what_is_passed_on_is_told() -> None:
    found = list(pieces(MODULE, "rocket/_flight.py", "python", {"Rocket": "rocket"}))
    assert [piece.title for piece in found] == ["rocket.Rocket", "rocket.Rocket.launch", "rocket.Rocket.fuel"]
