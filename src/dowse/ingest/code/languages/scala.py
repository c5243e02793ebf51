"""How is Scala read, with and without braces?"""

import re

from dowse.ingest.code.language import Found, Language
from dowse.ingest.code.paths import distinct

# An object is a class of which there is one. Values are constants where they exist once: in a file and in an object.
_QUERY = """
(package_clause name: (package_identifier) @package !body)
(package_clause name: (package_identifier) @name body: (_) @body) @module
(package_object name: (identifier) @name body: (_) @body) @module

(trait_definition name: (_) @name) @interface
(trait_definition body: (_) @body) @interface
(class_definition name: (_) @name) @class
(class_definition body: (_) @body) @class
(object_definition name: (_) @name) @class
(object_definition body: (_) @body) @class
(enum_definition name: (_) @name body: (_) @body) @enum
(simple_enum_case name: (_) @name) @constant
(full_enum_case name: (_) @name) @constant
(type_definition name: (_) @name) @type
(given_definition name: (_) @name body: (with_template_body) @body) @class
(given_definition !name return_type: (_) @name body: (with_template_body) @body) @class
(given_definition return_type: (_) @implements body: (with_template_body)) @class
(given_definition name: (_) @name) @constant
(given_definition !name return_type: (_) @name) @constant
(extension_definition . (type_parameters)? . parameters: (parameters . (parameter type: (_) @name))) @scope

(trait_definition extend: (extends_clause [(type_identifier) (generic_type) (stable_type_identifier)] @extends)) @interface
(class_definition extend: (extends_clause . (_) @extends)) @class
(class_definition extend: (extends_clause (_) [(type_identifier) (generic_type) (stable_type_identifier)] @implements)) @class
(object_definition extend: (extends_clause . (_) @extends)) @class
(object_definition extend: (extends_clause (_) [(type_identifier) (generic_type) (stable_type_identifier)] @implements)) @class
(enum_definition extend: (extends_clause [(type_identifier) (generic_type) (stable_type_identifier)] @implements)) @enum
(class_definition derive: (derives_clause (_) @implements)) @class
(enum_definition derive: (derives_clause (_) @implements)) @enum

(function_definition name: (_) @name body: (_) @body) @function
(function_declaration name: (_) @name) @function
(compilation_unit (val_definition pattern: (identifier) @name) @constant)
(object_definition body: (template_body (val_definition pattern: (identifier) @name) @constant))
(package_object body: (template_body (val_definition pattern: (identifier) @name) @constant))

(call_expression function: [
  (identifier) @call
  (field_expression field: (identifier) @call)
  (generic_function function: (identifier) @call)
  (generic_function function: (field_expression field: (identifier) @call))])
(instance_expression [
  (type_identifier) @call
  (stable_type_identifier (type_identifier) @call .)
  (generic_type type: (type_identifier) @call)
  (generic_type type: (stable_type_identifier (type_identifier) @call .))])

(import_declaration) @import @from
[(comment) (block_comment)] @comment
(annotation) @attribute
"""

# What the language and its collections, options, futures and test libraries answer to.
_QUIET = frozenset(
    """apply unapply this super println print printf require assert assume identity implicitly summon classOf locally
    map flatMap filter filterNot withFilter foreach collect collectFirst fold foldLeft foldRight reduce reduceLeft scan exists
    forall find contains count size length isEmpty nonEmpty head headOption last lastOption tail init take takeWhile drop
    dropWhile zip zipWithIndex unzip groupBy groupMap partition span splitAt sortBy sortWith sorted reverse distinct max maxBy
    min minBy sum product mkString toList toSeq toVector toSet toMap toArray toString toInt toLong toDouble hashCode equals
    get getOrElse orElse orNull isDefined fold toRight toLeft isRight isLeft updated add remove append prepend insert update put
    keys values iterator next hasNext copy canEqual eq ne split trim strip replace replaceAll startsWith endsWith substring
    format formatted toUpperCase toLowerCase charAt recover recoverWith onComplete andThen compose asInstanceOf isInstanceOf
    wait notify synchronized Some None List Seq Vector Set Map Array Option Right Left Try Success Failure Future Exception
    RuntimeException IllegalArgumentException IllegalStateException String test it describe should in when intercept""".split()
)

# What comes with the language is in no project but its own.
_OTHERS = frozenset({"scala", "java", "javax"})
_KEYWORD = re.compile(r"\b(?:def|class|object|trait|enum|val|type|given|case)\b")
_HIDDEN = re.compile(r"\b(?:private|protected)\b")
# A comma between imports, not one between braces.
_BETWEEN = re.compile(r",(?![^{]*\})")
_RENAMED = re.compile(r"\s+as\s+.*|\s*=>.*", re.DOTALL)
_WILDCARDS = frozenset({"_", "*", "given", ""})


def _resolve(path: str, module: str, items: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:  # noqa: ARG001
    """Each thing by its qualified name; a value of an object by the object as well."""
    names = [name for clause in _BETWEEN.split(module.strip().removeprefix("import")) for name in _imported(clause)]
    return tuple((name, *_holder(name)) for name in distinct(names) if name.split(".")[0] not in _OTHERS)


def _imported(clause: str) -> list[str]:
    """The qualified names in one clause of an import: ``a.{B, C as D}`` takes ``a.B`` and ``a.C``."""
    stem, brace, selected = clause.strip().removeprefix("_root_.").partition("{")
    if not brace:
        stem, _, last = _RENAMED.sub("", stem).rpartition(".")
        selected = last
    stem = "".join(stem.split()).rstrip(".")
    taken = [_RENAMED.sub("", item.strip().removeprefix("given ")).strip(" `") for item in selected.rstrip("} \n\t").split(",")]
    return [stem if item in _WILDCARDS else f"{stem}.{item}".strip(".") for item in taken]


def _holder(name: str) -> tuple[str, ...]:
    stem = name.rpartition(".")[0]
    return (stem,) if stem.rpartition(".")[2][:1].isupper() else ()


def _exported(found: Found, listed: frozenset[str]) -> bool:  # noqa: ARG001
    if found.parent is not None and found.parent.kind != "scope" and not found.parent.exported:
        return False
    return not _HIDDEN.search(_KEYWORD.split(found.signature, maxsplit=1)[0])


def _is_test(found: Found) -> bool:
    return "@Test" in found.attributes


LANGUAGE = Language(
    name="scala",
    family="jvm",
    grammar="tree_sitter_scala",
    query=_QUERY,
    resolve=_resolve,
    exported=_exported,
    tests=_is_test,
    import_words=frozenset({"package", "import", "as", "=>", "given", "_", "*"}),
    own=("this.",),
    quiet=_QUIET,
    extensions=(".scala",),
)
