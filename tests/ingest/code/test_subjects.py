import pytest

from dowse.ingest.code.subjects import subject_files, subject_names


@pytest.mark.parametrize(
    ("path", "extension", "subject"),
    [
        ("tests/tide/test_gauge.py", ".py", "tide/gauge.py"),
        ("internal/tide/gauge_test.go", ".go", "/internal/tide/gauge.go"),
        ("src/tide/gauge.spec.ts", ".ts", "/src/tide/gauge.ts"),
        ("src/tide/__tests__/gauge.test.ts", ".ts", "/src/tide/gauge.ts"),
        ("src/test/java/tide/GaugeTest.java", ".java", "java/tide/Gauge.java"),
    ],
)
def test_a_test_file_is_about_the_file_its_name_holds(path: str, extension: str, subject: str):
    assert subject in subject_files(path, (extension,))


def test_a_file_that_is_not_named_as_a_test_is_about_no_other():
    assert subject_files("tests/conftest.py", (".py",)) == ()


def test_a_test_that_is_a_sentence_names_no_definition():
    assert subject_names("test_a_silent_gauge_is_taken_for_broken", False) == ()


def test_a_test_class_is_about_the_class_its_name_holds():
    assert subject_names("TestGauge", True) == subject_names("GaugeTests", True) == ("Gauge",)
