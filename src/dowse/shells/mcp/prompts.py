"""Which jobs does a person start again and again? Each as words to an agent, with the calls that help."""

from collections.abc import Mapping
from dataclasses import dataclass

from dowse.errors import InvalidRequest
from dowse.shells.mcp.tool import written
from dowse.text.suggesting import did_you_mean


@dataclass(frozen=True, slots=True)
class JobPrompt:
    """``argument``: what the person names; ``call``: the tool and its parameter that come first; ``words``: what to do then."""

    name: str
    title: str
    about: str
    argument: str
    argument_about: str
    call: tuple[str, str]
    words: str


PROMPTS: dict[str, JobPrompt] = {
    prompt.name: prompt
    for prompt in (
        JobPrompt(
            "start_task",
            "Start on a task",
            "Gather what is known about a task before changing anything",
            "task",
            "what is to be done, or the id of a task",
            ("context", "task"),
            "Read what it gives, and with get what it left out and you need. Then say in a few lines: what exists already and where"
            " (path:line), what must change, what could break, and which open questions there are. Change nothing yet.",
        ),
        JobPrompt(
            "explain_code",
            "Explain code",
            "Explain how something works, with places in the code",
            "what",
            "a question, a name, or path:line",
            ("context", "task"),
            "Follow what it calls and who calls it with related. Explain it to someone new here: what it is for, how it works step"
            " by step, and why it is so where the documents say it. Cite path:line for every claim; say what you could not find.",
        ),
        JobPrompt(
            "find_impact",
            "What would a change touch?",
            "Find what depends on something before it is changed",
            "key",
            "an id, or path:line",
            ("related", "key"),
            "Do the same for each caller whose behaviour would change. List what is affected: code, tests, documents and tasks,"
            " each with path:line or id and how it depends on this; then which tests to run and which documents to correct.",
        ),
        JobPrompt(
            "review_change",
            "Review a change",
            "Review changed files against what the project knows",
            "files",
            "the changed files, or what was changed",
            ("context", "task"),
            "For each changed definition look at related: who else relies on it, which tests and documents speak of it, which"
            " decisions and conventions apply. Report what contradicts them, what is missing, and what is fine, with path:line.",
        ),
    )
}


def fill(name: str, arguments: Mapping[str, str]) -> str:
    """The words of a prompt for what the person named."""
    if name not in PROMPTS:
        raise InvalidRequest(f"There is no prompt {name!r}. {did_you_mean(name, PROMPTS)}")
    prompt = PROMPTS[name]
    for given in arguments:
        if given != prompt.argument:
            raise InvalidRequest(f"The prompt {name} has no argument {given!r}. {did_you_mean(given, [prompt.argument])}")
    named = arguments.get(prompt.argument, "").strip()
    if not named:
        raise InvalidRequest(f"The prompt {name} needs {prompt.argument}: {prompt.argument_about}.")
    tool, parameter = prompt.call
    return f"{prompt.about}: {named}\n\nBegin with {written(tool, {parameter: named})}. {prompt.words}"
