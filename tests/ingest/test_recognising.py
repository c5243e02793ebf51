"""A file's language and role are told from its name and how it begins."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.ingest.recognising import CODE, DOCUMENTS, is_code, is_document, is_test, recognise

_BY_NAME = """
a.py python|a.pyi python|a.js javascript|a.mjs javascript|a.cjs javascript|a.jsx javascript|a.ts typescript|a.mts typescript
a.d.ts typescript|a.tsx tsx|a.java java|a.go go|a.rs rust|a.c c|a.h c|a.cc cpp|a.cpp cpp|a.hpp cpp|a.cu cpp|a.cs csharp|a.rb ruby
Rakefile ruby|Gemfile ruby|x.gemspec ruby|a.php php|a.phtml php|a.kt kotlin|build.gradle.kts kotlin|a.swift swift|a.scala scala
build.sbt scala|a.sh bash|a.zsh bash|.bashrc bash|a.lua lua|a.hs haskell|a.ex elixir|a.exs elixir|a.zig zig|build.zig.zon zig
a.sql sql|README.md markdown|A.MD markdown|a.mdx mdx|a.rst rst|a.adoc asciidoc|a.txt text|README text|LICENSE text|CHANGELOG text
a.html html|a.htm html|a.ipynb notebook|a.pdf pdf|a.yml yaml|a.toml toml|package.json json|a.jsonl jsonl|a.xml xml|setup.cfg ini
a.csv csv|a.css css|a.scss scss|a.less less|Dockerfile dockerfile|Dockerfile.dev dockerfile|Makefile makefile
api.dockerfile dockerfile
CMakeLists.txt cmake|a.proto protobuf|a.graphql graphql|main.tf terraform|a.pl perl|a.R r|a.jl julia|a.dart dart|a.clj clojure
a.erl erlang|a.ml ocaml|a.fs fsharp|a.vue vue|a.svelte svelte|a.nim nim|a.d d|build.gradle groovy|Jenkinsfile groovy
a.ps1 powershell|a.bat batch|a.patch diff|a.po po|a.tex tex|a.bib bib|a.svg svg|go.mod gomod|BUILD bazel
requirements.txt requirements|.editorconfig ini|settings.yml.example yaml|llms.txt markdown|unknown.qqq |noextension
"""


@pytest.mark.parametrize("case", [case for case in _BY_NAME.replace("\n", "|").split("|") if case])
def test_a_name_tells_the_language(case: str) -> None:
    name, _, language = case.partition(" ")

    assert recognise(f"src/{name}") == language


@pytest.mark.parametrize(
    ("head", "language"),
    [
        (b"#!/bin/sh\nset -e\n", "bash"),
        (b"#!/usr/bin/env bash\n", "bash"),
        (b"#!/usr/bin/env -S python3 -u\n", "python"),
        (b"#!/usr/bin/python3.12\n", "python"),
        (b"#!/usr/bin/env -S NODE_ENV=test node\n", "javascript"),
        (b"#!/usr/bin/perl -w\n", "perl"),
        (b"# -*- mode: ruby -*-\n", "ruby"),
        (b"// -*- C++ -*-\n", "cpp"),
        (b"# vim: set ft=python :\n", "python"),
        (b"<?php echo 1;", "php"),
        (b"\xef\xbb\xbf<!DOCTYPE html>", "html"),
        (b"<?xml version='1.0'?>", "xml"),
        (b"#!/opt/unheard-of\n", ""),
        (b"just words", ""),
    ],
)
def test_the_beginning_tells_when_the_name_does_not(head: bytes, language: str) -> None:
    assert recognise("bin/tool", head) == language


@pytest.mark.parametrize(
    ("head", "language"),
    [
        (b"#include <stdio.h>\nint add(int a, int b);\n", "c"),
        (b"/* maps virtual memory\n   class of service: one */\nint map(void);\n", "c"),
        (b'#ifdef __cplusplus\nextern "C" {\n#endif\nint f(void);\n', "c"),
        (b"#pragma once\n#include <vector>\n", "cpp"),
        (b"namespace acme {\nclass Router;\n}\n", "cpp"),
        (b"template <typename T>\nT most(T a, T b);\n", "cpp"),
        (b"#import <Foundation/Foundation.h>\n@interface Router : NSObject\n", "objectivec"),
    ],
)
def test_a_header_is_c_unless_it_smells_of_something_else(head: bytes, language: str) -> None:
    assert recognise("include/router.h", head) == language


def test_a_script_named_like_a_text_is_a_script() -> None:
    assert recognise("install", b"#!/bin/sh\n") == "bash"
    assert recognise("INSTALL", b"Run make.\n") == "text"


def test_a_translation_with_the_extension_of_typescript_is_xml() -> None:
    assert recognise("app_de.ts", b'<?xml version="1.0"?><!DOCTYPE TS>') == "xml"


def test_code_and_documents_are_apart() -> None:
    assert not CODE & DOCUMENTS
    assert is_code("tsx")
    assert is_document("notebook")
    assert not is_code("yaml")
    assert not is_document("")


@pytest.mark.parametrize(
    "path",
    [
        "tests/api/helpers.py",
        "test_router.py",
        "router_test.py",
        "app/conftest.py",
        "pkg/router_test.go",
        "src/router.spec.ts",
        "src/Router.test.tsx",
        "src/__tests__/router.js",
        "src/test/java/acme/Fixtures.java",
        "acme/RouterTest.java",
        "acme/RouterTests.kt",
        "acme/RouterIT.java",
        "acme/RouterSpec.scala",
        "Acme.Tests/Router.cs",
        "Tests/AcmeTests/Router.swift",
        "spec/models/router.rb",
        "router_spec.rb",
        "RouterTest.php",
        "test/router_test.exs",
        "src/router_tests.rs",
        "src/router_unittest.cc",
        "run.bats",
    ],
)
def test_a_test_is_known_by_the_customs_of_its_language(path: str) -> None:
    assert is_test(path, recognise(path))


@pytest.mark.parametrize(
    "path",
    [
        "src/latest.py",
        "Contest.java",
        "AUDIT.java",
        "src/testing.py",
        "spec/openapi.yaml",
        "tests/README.md",
        "src/inspect.rs",
        "attest.go",
    ],
)
def test_a_name_that_only_resembles_a_test_is_none(path: str) -> None:
    assert not is_test(path, recognise(path))


@given(st.text(max_size=60), st.binary(max_size=200))
def test_any_name_and_any_beginning_have_an_answer(path: str, head: bytes) -> None:
    language = recognise(path, head)

    assert language == language.lower()
    assert isinstance(is_test(path, language), bool)
