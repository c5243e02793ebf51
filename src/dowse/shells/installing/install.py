"""What do `dowse install` and `dowse uninstall` do? One file an agent, one entry a file, and a word about each."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any

from dowse.errors import InvalidRequest, NotFound, StorageError
from dowse.shells.installing import settings_files
from dowse.shells.installing.agents import AGENTS, Agent, Machine, named, present
from dowse.shells.installing.entries import NAME, Which, is_ours, launch


class Outcome(StrEnum):
    REGISTERED = "registered"
    UPDATED = "updated"
    PRESENT = "already registered"
    REMOVED = "removed"
    ABSENT = "not registered"
    SKIPPED = "skipped"
    FOREIGN = "left alone"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Registration:
    """What became of one agent. ``diff``: what changes in its file, if anything does."""

    agent: str
    path: Path
    outcome: Outcome
    detail: str = ""
    diff: str = ""
    dry_run: bool = False

    @property
    def is_well(self) -> bool:
        """Whether the agent is now as was asked."""
        return self.outcome not in (Outcome.FOREIGN, Outcome.FAILED)


# What an edit makes of a text: what to call it, the new text, and a word about it.
_Edit = tuple[Outcome, str, str]

_WOULD = {
    Outcome.REGISTERED: "would be registered",
    Outcome.UPDATED: "would be updated",
    Outcome.REMOVED: "would be removed",
}
_NEEDS_WORKSPACE = "starts servers outside of any project: name a workspace with --workspace."
_OF_THIS_MACHINE = "dowse is not on the PATH, so the entry names where it is on this machine; do not check the file in."
_FOREIGN = f"an entry named {NAME} is there that does not start 'dowse mcp'; --force takes its place."


def install(
    agents: Sequence[str],
    *,
    project: Path | None,
    home: Path,
    dry_run: bool,
    environment: Mapping[str, str],
    which: Which,
    workspace: Path | None = None,
    surfaces: Sequence[str] = (),
    force: bool = False,
    platform: str = sys.platform,
    interpreter: str = sys.executable,
) -> tuple[Registration, ...]:
    """Registers the server with the agents named, else with those found; in the project's files, else in the user's."""
    machine = Machine(home, environment, which, platform)
    run = launch(project=project, workspace=workspace, surfaces=surfaces, which=which, interpreter=interpreter)
    chosen = _chosen(agents, machine, project)
    homeless = [agent for agent in chosen if agent.anywhere and workspace is None]
    if agents and homeless:
        raise InvalidRequest(f"{homeless[0].title} {_NEEDS_WORKSPACE}")

    note = _OF_THIS_MACHINE if project and run.command != NAME else ""
    return tuple(
        Registration(agent.name, path, Outcome.SKIPPED, f"it {_NEEDS_WORKSPACE}")
        if agent in homeless
        else _change(agent, path, dry_run, partial(_registered, agent, agent.entry(run), force, note))
        for agent, path in _with_files(chosen, machine, project)
    )


def uninstall(
    agents: Sequence[str],
    *,
    project: Path | None,
    home: Path,
    dry_run: bool,
    environment: Mapping[str, str],
    which: Which,
    force: bool = False,
    platform: str = sys.platform,
) -> tuple[Registration, ...]:
    """Takes out what `install` put in; everything else stays."""
    machine = Machine(home, environment, which, platform)
    chosen = _chosen(agents, machine, project)
    return tuple(
        _change(agent, path, dry_run, partial(_removed, agent, force)) for agent, path in _with_files(chosen, machine, project)
    )


def describe(registrations: Sequence[Registration]) -> list[str]:
    """Lines for a terminal."""
    if not registrations:
        return [f"No coding agent was found here. Name the ones you mean: {', '.join(AGENTS)}."]
    lines = []
    for item in registrations:
        outcome = _WOULD.get(item.outcome, item.outcome) if item.dry_run else item.outcome
        lines.append(f"{AGENTS[item.agent].title}: {outcome} ({item.path})" + (f": {item.detail}" if item.detail else ""))
        if item.dry_run and item.diff:
            lines += item.diff.split("\n")
    if any(item.diff and not item.dry_run for item in registrations):
        lines.append("Agents that are running learn of it when they are started again.")
    return lines


def _chosen(names: Sequence[str], machine: Machine, project: Path | None) -> tuple[Agent, ...]:
    if project is not None and not project.is_dir():
        raise NotFound(f"There is no folder {project}.")
    if not names:
        return present(machine, project)
    agents = named(names)
    for agent in agents:
        if agent.file(machine, project) is None:
            where = "for a project" if project else "for a user on this system"
            raise InvalidRequest(f"{agent.title} has no documented settings file {where}.")
    return agents


def _with_files(agents: Sequence[Agent], machine: Machine, project: Path | None) -> Iterator[tuple[Agent, Path]]:
    for agent in agents:
        path = agent.file(machine, project)
        if path is not None:
            yield agent, path


def _change(agent: Agent, path: Path, dry_run: bool, edit: Callable[[str], _Edit]) -> Registration:
    """Reads, edits and writes one file; what is wrong with it is told and stops no other."""
    try:
        file = settings_files.load(path, agent.format)
        outcome, text, detail = edit(file.text)
        if text == file.text:
            return Registration(agent.name, path, outcome, detail, dry_run=dry_run)
        diff = settings_files.difference(file, text)
        if not dry_run:
            settings_files.save(file, text)
        return Registration(agent.name, path, outcome, detail, diff, dry_run)
    except StorageError as error:
        return Registration(agent.name, path, Outcome.FAILED, f"{error} Nothing was changed.", dry_run=dry_run)
    except OSError as error:
        return Registration(agent.name, path, Outcome.FAILED, f"{error.strerror or error}. Nothing was changed.", dry_run=dry_run)


def _registered(agent: Agent, entry: dict[str, Any], force: bool, note: str, text: str) -> _Edit:
    place = (*_servers(agent, text), NAME)
    there = settings_files.value_at(text, agent.format, place)
    if there is None:
        return Outcome.REGISTERED, settings_files.put(text, agent.format, place, entry), note
    if not is_ours(there):
        if not force:
            return Outcome.FOREIGN, text, _FOREIGN
        return Outcome.UPDATED, settings_files.put(text, agent.format, place, entry), note
    # Keys that people added to our entry (a timeout, what is approved) are theirs.
    stale = [key for key, value in entry.items() if there.get(key) != value]
    for key in stale:
        text = settings_files.put(text, agent.format, (*place, key), entry[key])
    return (Outcome.UPDATED if stale else Outcome.PRESENT), text, note


def _removed(agent: Agent, force: bool, text: str) -> _Edit:
    place = (*_servers(agent, text), NAME)
    there = settings_files.value_at(text, agent.format, place)
    if there is None:
        return Outcome.ABSENT, text, ""
    if not is_ours(there) and not force:
        return Outcome.FOREIGN, text, _FOREIGN
    return Outcome.REMOVED, settings_files.drop(text, agent.format, place), ""


def _servers(agent: Agent, text: str) -> tuple[str, ...]:
    """Where this file keeps its servers."""

    def holds_servers(path: tuple[str, ...]) -> bool:
        value = settings_files.value_at(text, agent.format, path)
        # A server may itself be called as the deeper place is.
        return isinstance(value, dict) and not {"type", "command", "url"} & value.keys()

    return next((path for path in reversed(agent.servers[1:]) if holds_servers(path)), agent.servers[0])
