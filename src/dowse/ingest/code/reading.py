"""What is in a source file? Its records, the names it defines and the names it uses; blocks alone where no grammar helps."""

import tree_sitter

from dowse.ingest.code import grammars
from dowse.ingest.code.language import SymbolKind
from dowse.ingest.code.outline import outline
from dowse.ingest.code.parsing import parse
from dowse.ingest.code.records import block_records, code_records, file_record
from dowse.ingest.code.references import definitions, references
from dowse.ingest.code.symbols import complete
from dowse.ingest.extract import Extract, SourceFile
from dowse.ingest.keying import Keys
from dowse.ingest.recognising import is_test
from dowse.text.blocks import cut_blocks

# Nobody writes two megabytes into one file, and a parser takes seconds for them.
LARGEST_SOURCE = 2_000_000
# The query compares the pieces of an error with each other: the time grows with the square of their number.
_MOST_ERROR_PIECES = 20_000
# Lines that are this long on average were packed by a program: their names say nothing.
_PACKED_LINE = 500
_PACKED_SIZE = 5000


def read_code(file: SourceFile) -> Extract:
    """What a grammar finds in a file; everything else of it in blocks, so that every word can be found."""
    if file.language not in grammars.NAMES:
        return read_blocks(file)
    source = file.text.encode("utf-8", "replace")
    if _is_packed(source):
        return read_blocks(file, generated=True)
    if len(source) > LARGEST_SOURCE:
        return read_blocks(file, problem=f"{file.path} is too large to be read as {file.language}; it is kept as text.")
    grammar = grammars.load(file.language)
    tree = parse(grammar.parser, source)
    if tree is None:
        return read_blocks(file, problem=f"{file.path} takes too long to be read as {file.language}; it is kept as text.")
    root = tree.root_node
    problems: tuple[str, ...] = ()
    if root.has_error and _is_mostly_wrong(root):
        problems = (f"{file.path} does not read as {file.language}; what was not understood is kept as text.",)
        if root.child_count > _MOST_ERROR_PIECES:
            return read_blocks(file, problem=problems[0])
    found = outline(source, root, grammar)
    is_test_file = is_test(file.path, file.language)
    keys = Keys()
    complete(found, grammar.language, is_test_file, file, keys)
    return Extract(
        records=tuple(code_records(found, file, grammar.language, is_test_file, keys)),
        defines=definitions(found, grammar.language),
        refers=references(found, file, grammar.language, is_test_file),
        problems=problems,
    )


def read_blocks(file: SourceFile, *, problem: str = "", generated: bool = False) -> Extract:
    """The file and its text in blocks, for any text that no other reader knows."""
    text = file.text.encode("utf-8", "replace").decode()
    is_test_file = is_test(file.path, file.language)
    blocks = block_records(cut_blocks(text), file, SymbolKind.BLOCK, is_test_file, Keys())
    return Extract(
        records=(file_record(file, is_test_file, {}, generated=generated), *blocks),
        problems=(problem,) if problem else (),
    )


def _is_packed(source: bytes) -> bool:
    return len(source) > _PACKED_SIZE and len(source) > _PACKED_LINE * (source.count(b"\n") + 1)


def _is_mostly_wrong(root: tree_sitter.Node) -> bool:
    """Whether more than half of the file makes no sense."""
    if root.type == "ERROR":
        return True
    wrong = sum(child.end_byte - child.start_byte for child in root.children if child.type == "ERROR")
    return wrong * 2 > root.end_byte - root.start_byte
