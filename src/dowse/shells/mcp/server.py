"""What does a client of the protocol get? Tools, resources and prompts, each answered by the one service in a thread."""

import logging
from collections.abc import Awaitable, Callable, Iterable
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, TypeVar

import mcp_types as types
from mcp.server.context import CallNext, HandlerResult
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from dowse.app.permissions import Capability
from dowse.errors import DowseError, InvalidRequest, NotFound, StorageError
from dowse.model.run import Freshness
from dowse.shells.mcp.asking import REPAIRING, GreetingAsked, KeyAsked, ResourceAsked, ToolAsked, can_be_shared, perform
from dowse.shells.mcp.instructions import NO_WORKSPACE, instructions
from dowse.shells.mcp.keeping import Keeper
from dowse.shells.mcp.logs import ClientLog
from dowse.shells.mcp.prompts import PROMPTS, fill
from dowse.shells.mcp.resources import LISTED, MARKDOWN, STATUS, TEMPLATE
from dowse.shells.mcp.running import Context, Line
from dowse.shells.mcp.tool import Answer, Call, Report, TellFreshness, Tool
from dowse.shells.mcp.toolset import allowed, toolset
from dowse.text.suggesting import did_you_mean
from dowse.version import __version__

if TYPE_CHECKING:
    from dowse.app.workspace import Workspace
    from dowse.shells.http.asking import Question
    from dowse.shells.http.sharing import Readers

Result = TypeVar("Result")
WorkspaceOf = Callable[[Context], "Workspace | None"]

_log = logging.getLogger(__name__)
# Mistakes that the caller reads in the answer, and nobody else need hear of.
_CALLERS_OWN = (InvalidRequest, NotFound)
# Answers on the way in: the handshake of older clients, and what newer ones ask instead.
_GREETINGS = ("initialize", "server/discover")


class Service:
    """The handlers of a server. ``workspace_of`` gives the workspace as the caller of a request may see it; None: there is none.
    ``readers``: who answers what only reads the index; without them, threads do."""

    def __init__(
        self,
        workspace_of: WorkspaceOf,
        surfaces: Iterable[str],
        tokens: int,
        keeper: Keeper | None = None,
        freshness: TellFreshness | None = None,
        readers: "Readers | None" = None,
    ) -> None:
        self._workspace_of = workspace_of
        self._surfaces = tuple(surfaces)
        self._tools = toolset(self._surfaces)
        self._readers = readers
        self._tokens = tokens
        self._keeper = keeper
        self._freshness = keeper.freshness if keeper is not None else freshness
        self._line = Line()
        self._logs = ClientLog()

    def server(self) -> Server[Any]:
        server: Server[Any] = Server(
            "dowse",
            version=__version__,
            title="dowse",
            description="Finds anything a software project knows.",
            on_list_tools=self.list_tools,
            on_call_tool=self.call_tool,
            on_list_resources=self.list_resources,
            on_list_resource_templates=self.list_templates,
            on_read_resource=self.read_resource,
            on_list_prompts=self.list_prompts,
            on_get_prompt=self.get_prompt,
            on_completion=self.complete,
        )
        server.middleware.append(self._greet)
        self._logs.serve(server)
        return server

    async def list_tools(self, context: Context, _: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_described(tool) for tool in self._allowed(context)])

    async def call_tool(self, context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        tools = {tool.name: tool for tool in self._allowed(context)}
        if params.name not in tools:
            message = f"There is no tool {params.name!r}. {did_you_mean(params.name, tools)}"
            raise MCPError(code=types.INVALID_PARAMS, message=message)
        tool, arguments = tools[params.name], params.arguments or {}
        try:
            answer = await self._answer(context, tool, arguments)
        except (DowseError, OSError) as error:
            if not isinstance(error, _CALLERS_OWN):
                await self._logs.tell(context, "error", f"{tool.name}: {error}")
            return _failed(error)
        for warning in answer.warnings:
            await self._logs.tell(context, "warning", f"{tool.name}: {warning}")
        return types.CallToolResult(content=[types.TextContent(text=answer.text)], structured_content=answer.data)

    async def list_resources(self, _: Context, __: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        listed = [
            types.Resource(name=name, uri=uri, description=about, mime_type=MARKDOWN) for uri, (name, about) in LISTED.items()
        ]
        return types.ListResourcesResult(resources=listed)

    async def list_templates(self, _: Context, __: types.PaginatedRequestParams | None) -> types.ListResourceTemplatesResult:
        about = "One record, by its key (percent-encoded)"
        template = types.ResourceTemplate(name="record", uri_template=TEMPLATE, description=about, mime_type=MARKDOWN)
        return types.ListResourceTemplatesResult(resource_templates=[template])

    async def read_resource(self, context: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        uri = str(params.uri)
        told = self._read(context, lambda seen: ResourceAsked(uri, self._tokens, self._fresh(seen)), shared=uri != STATUS)
        text = await _in_words(told)
        return types.ReadResourceResult(contents=[types.TextResourceContents(uri=uri, mime_type=MARKDOWN, text=text)])

    async def list_prompts(self, _: Context, __: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        return types.ListPromptsResult(
            prompts=[
                types.Prompt(
                    name=prompt.name,
                    title=prompt.title,
                    description=prompt.about,
                    arguments=[types.PromptArgument(name=prompt.argument, description=prompt.argument_about, required=True)],
                )
                for prompt in PROMPTS.values()
            ]
        )

    async def get_prompt(self, _: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        try:
            text = fill(params.name, params.arguments or {})
        except DowseError as error:
            raise MCPError(code=types.INVALID_PARAMS, message=str(error)) from error
        message = types.PromptMessage(role="user", content=types.TextContent(text=text))
        return types.GetPromptResult(description=PROMPTS[params.name].about, messages=[message])

    async def complete(self, context: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
        if params.argument.name != "key":
            return types.CompleteResult(completion=types.Completion(values=[]))
        typed = params.argument.value
        found = await _in_words(self._read(context, lambda _: KeyAsked(typed)))
        return types.CompleteResult(completion=types.Completion(values=found))

    async def _greet(self, ctx: Context, call_next: CallNext) -> HandlerResult:
        """Tells a client that arrives what is here for it."""
        result = await call_next(ctx)
        if ctx.method not in _GREETINGS or not isinstance(result, dict):
            return result
        try:
            told = await self._instructions(ctx)
        except (DowseError, OSError) as error:
            _log.warning("instructions: %s", error)
            return result
        return {**result, "instructions": told}

    async def _instructions(self, context: Context) -> str:
        notes = tuple(self._keeper.notes()) if self._keeper is not None else ()
        tools = tuple(tool.name for tool in self._allowed(context))
        if self._workspace_of(context) is None:
            return instructions(None, tools, notes)
        told: str = await self._read(context, lambda _: GreetingAsked(tools, notes))
        return told

    def _allowed(self, context: Context) -> list[Tool]:
        workspace = self._workspace_of(context)
        # Where there is no workspace yet, tools say so when they are called.
        return allowed(self._tools.values(), workspace.principal.capabilities if workspace is not None else tuple(Capability))

    def _workspace(self, context: Context) -> "Workspace":
        workspace = self._workspace_of(context)
        if workspace is None:
            raise StorageError(NO_WORKSPACE)
        return workspace

    async def _answer(self, context: Context, tool: Tool, arguments: dict[str, Any]) -> Answer:
        if self._readers is not None and can_be_shared(tool, arguments):
            asked = (self._surfaces, tool.name, arguments, self._tokens)
            answer: Answer = await self._read(context, lambda seen: ToolAsked(*asked, self._fresh(seen)))
            return answer
        return await self._line.run(context, lambda report: self._perform(context, tool, arguments, report))

    def _perform(self, context: Context, tool: Tool, arguments: dict[str, Any], report: Report) -> Answer:
        call = Call(tool.name, self._workspace(context), arguments, self._tokens, report, self._freshness)
        tool.check(arguments)
        if tool.fresh and self._keeper is not None:
            self._keeper.catch_up()
        with self._readers.resting() if self._readers is not None and arguments.get(REPAIRING) else nullcontext():
            answer = perform(tool, call)
        notes = self._keeper.notes() if self._keeper is not None else []
        return Answer(answer.data, "\n".join([*notes, *([""] if notes else []), answer.text]), answer.warnings)

    async def _read(self, context: Context, make: "Callable[[Workspace], Question]", *, shared: bool = True) -> Any:
        """What a question is answered with, by those who share the work if there are such."""
        workspace = self._workspace(context)
        if self._readers is not None and shared:
            return await self._readers.ask(workspace, lambda: make(workspace))
        return await self._line.run(context, lambda _: make(workspace).answer(workspace))

    def _fresh(self, workspace: "Workspace") -> tuple[Freshness, ...] | None:
        return self._freshness(workspace) if self._freshness is not None else None


async def _in_words(answer: Awaitable[Result]) -> Result:
    """The answer to what has no room for an error in it."""
    try:
        return await answer
    except (DowseError, OSError) as error:
        code = error.code if isinstance(error, DowseError) else StorageError.code
        raise MCPError(code=types.INVALID_PARAMS, message=str(error), data={"code": code}) from error


def _described(tool: Tool) -> types.Tool:
    hints = types.ToolAnnotations(
        title=tool.title,
        read_only_hint=not tool.writes,
        destructive_hint=tool.destroys,
        idempotent_hint=tool.repeatable,
        open_world_hint=False,
    )
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.takes,
        output_schema=tool.gives,
        annotations=hints,
    )


def _failed(error: Exception) -> types.CallToolResult:
    """An answer that says what was wrong and what to do, so that a model can do it."""
    code = error.code if isinstance(error, DowseError) else StorageError.code
    return types.CallToolResult(content=[types.TextContent(text=f"{code}: {error}")], is_error=True)
