from taking import names, only, readers_of, said, taken

from dowse.ingest.knowing.skills import READER

SKILL = """\
---
name: Deploy the site
description: Brings a new version online.
triggers: [release, "go live"]
when_to_use: When a tag was pushed.
tags: [ops]
requires: [run-tests, "Deploy the site"]
allowed-tools: Bash
---
# Steps

Push it.
"""


def test_a_skill_is_a_part_of_its_file_with_its_description_and_triggers() -> None:
    skill = only(taken(READER, "skills/deploy/SKILL.md", SKILL))
    assert (skill.key, skill.kind, skill.title) == ("acme:skills/deploy/SKILL.md#skill/deploy-the-site", "skill", "Deploy the site")
    assert skill.text("description") == "Brings a new version online."
    assert skill.text("triggers") == "release\ngo live\nWhen a tag was pushed."
    assert (skill.tags, skill.facets) == (("ops",), {"path": "skills/deploy/SKILL.md"})


def test_the_recipe_itself_stays_a_document() -> None:
    assert not READER.replaces


def test_a_skill_is_known_by_its_name_and_its_folder_and_requires_others() -> None:
    extract = taken(READER, "skills/deploy/SKILL.md", SKILL)
    key = only(extract).key
    assert names(extract) == {("skill:deploy-the-site", key), ("skill:deploy", key)}
    assert said(extract) == {(key, "requires", "skill:run-tests")}


def test_without_front_matter_the_path_names_a_skill_and_its_first_paragraph_describes_it() -> None:
    skill = only(taken(READER, "skills/tidy/SKILL.md", "# Tidy\n\nRemove\nwhat is left.\n\nThen rest.\n"))
    assert (skill.title, skill.text("description")) == ("tidy", "Remove what is left.")


def test_commands_agents_and_rules_are_skills_too() -> None:
    for path in (".claude/commands/git/tidy.md", ".claude/agents/tidy.md", ".cursor/rules/tidy.mdc", "sub/.cursor/rules/tidy.mdc"):
        text = "---\ndescription: Tidies up\nglobs: '*.ts,*.tsx'\n---\nDo it.\n"
        skill = only(taken(READER, path, text))
        assert (skill.title, skill.text("description"), skill.text("triggers")) == ("tidy", "Tidies up", "*.ts,*.tsx")


def test_other_files_are_no_skills() -> None:
    for path in (
        "docs/skills.md",
        "SKILLS.md",
        "skills/deploy/README.md",
        ".claude/settings.json",
        ".cursor/rules/a.txt",
        "commands/a.md",
    ):
        assert readers_of(path, SKILL) == [], path


def test_broken_front_matter_is_reported() -> None:
    extract = taken(READER, "a/SKILL.md", "---\nname: [\n---\nText\n")
    assert only(extract).title == "a"
    assert extract.problems
