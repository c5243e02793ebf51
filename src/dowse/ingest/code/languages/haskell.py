"""How is Haskell read?"""

import re

from dowse.ingest.code.language import Found, Language
from dowse.ingest.code.paths import each, folder

# What may stand between the equations of a function.
_BETWEEN = "[(comment) (haddock) (pragma)]"
# A function without a type's signature is followed over this many equations; more make a second symbol of it. Where there is
# a signature, all of its equations belong to it.
_MOST_EQUATIONS = 8


def _later_equations(holder: str) -> str:
    """Patterns that make the equations after a function's first part of it: one for each number of them."""
    return "\n".join(
        f"({holder} (function name: (_) @name) @function"
        + f" . {_BETWEEN}* . (function)" * between
        + f" . {_BETWEEN}* . (function name: (_) @_same) @outer (#eq? @name @_same))"
        for between in range(_MOST_EQUATIONS - 1)
    )


def _with_signature(holder: str) -> str:
    """A function that begins with its signature goes on to its last equation: only its own can follow each other."""
    follows = ". [(function) (comment) (haddock) (pragma)]* ."
    return f"""
({holder} (signature name: (variable) @name) @constant . {_BETWEEN}* . (bind name: (_) @_same
  match: (match expression: [(literal) (list) (tuple) (negation)])) @outer (#eq? @name @_same))
({holder} (signature name: [(variable) @name (prefix_id (operator) @name)]) @function)
({holder} (signature name: (variable) @name) @function {follows} (function name: (_) @_same) @outer (#eq? @name @_same))
({holder} (signature name: (variable) @name) @function . {_BETWEEN}* . (bind name: (_) @_same) @outer (#eq? @name @_same))
({holder} (signature name: (prefix_id (operator) @name)) @function {follows}
  (function (infix operator: (operator) @_same)) @outer (#eq? @name @_same))
"""


def _without_signature(holder: str) -> str:
    return f"""
({holder} (function name: (_) @name match: (match) @body) @function)
({holder} (function (infix operator: [(operator) @name (infix_id (variable) @name)]) match: (match) @body) @function)
({holder} (bind name: (variable) @name match: (match) @body) @function)
"""


_QUERY = f"""
{_with_signature("declarations")}
{_with_signature("class_declarations")}
(declarations (bind name: (variable) @name match: (match expression: [(literal) (list) (tuple) (negation)])) @constant)
{_later_equations("declarations")}
{_later_equations("instance_declarations")}
(class_declarations (signature names: (binding_list name: (_) @name)) @function)
{_without_signature("declarations")}
{_without_signature("class_declarations")}
{_without_signature("instance_declarations")}
(foreign_import signature: (signature name: (variable) @name)) @function

(data_type name: (_) @name) @type
(data_type name: (_) @name constructors: (data_constructors (data_constructor constructor: (_ name: (constructor) @name)))) @type
(data_type name: (_) @name constructors: (gadt_constructors (gadt_constructor name: (constructor) @name))) @type
(data_type constructors: (_) @body) @type
(newtype name: (_) @name constructor: (newtype_constructor name: (constructor) @name)) @type
(type_synonym name: (_) @name) @type
(type_family name: (_) @name) @type
(data_family name: (_) @name) @type
([(data_type deriving: (deriving classes: [(name) @implements (tuple (name) @implements)])) @type
  (newtype deriving: (deriving classes: [(name) @implements (tuple (name) @implements)])) @type]
  (#not-match? @implements "^(Show|Read|Eq|Ord|Enum|Bounded|Ix|Generic|Functor|Foldable|Traversable|Data)$"))

(class name: (_) @name) @interface
(class [(haddock) (comment) (class_declarations)] @body) @interface
(class context: (context [
  (apply constructor: (_) @extends)
  (parens (apply constructor: (_) @extends))
  (tuple (apply constructor: (_) @extends))])) @interface
(instance name: (_) @implements patterns: (type_patterns . [
  (name) @name
  (list) @name
  (tuple) @name
  (unit) @name
  (parens type: (name) @name)
  (parens type: (apply constructor: (name) @name))
  (parens type: (apply constructor: (apply constructor: (name) @name)))
  (parens type: (function) @name)])) @scope

(apply function: [(variable) @call (qualified id: (variable) @call)])
(infix left_operand: [(variable) @call (qualified id: (variable) @call)] operator: (operator) @_applies
  (#any-of? @_applies "$" "." "<$>" "=<<" "<=<" "$!" "<$!>" ">=>" "<*>" ">>>"))
(infix operator: (operator) @_applies right_operand: [(variable) @call (qualified id: (variable) @call)]
  (#any-of? @_applies "." ">>=" "&" "<&>" ">=>" "<=<" ">>>" ">>"))
(infix_id [(variable) @call (qualified id: (variable) @call)])
(exp (variable) @call)

(header module: (module) @package)
(export [(variable) @export (name) @export (prefix_id (operator) @export) (qualified id: (_) @export)])
(module_export module: (module) @export)
(import) @import @from
[(comment) (haddock)] @comment
((haddock) @attribute (#match? @attribute "^--+ *[\\\\^]"))
"""

# The Prelude, and what containers, monads and strings answer to.
_QUIET = frozenset(
    """abs all and any ceiling compare concat concatMap const curry cycle div divMod drop dropWhile either elem enumFrom error
    even filter flip floor fmap foldl foldl' foldr foldMap fromEnum fromIntegral fromInteger fst gcd getLine getContents head id
    init interact ioError iterate last lcm length lines lookup map mapM mapM_ mappend max maxBound maximum maybe mconcat mempty min
    minBound minimum mod negate not notElem null odd or otherwise pred print product pure putStr putStrLn quot rem read readFile
    realToFrac repeat replicate return reverse round scanl scanr seq sequence sequence_ show showString shows signum snd span
    splitAt sqrt subtract succ sum tail take takeWhile toEnum toInteger traverse traverse_ truncate uncurry undefined unlines
    until unwords unzip userError words writeFile zip zip3 zipWith zipWithM_ when unless forM forM_ for_ void guard liftIO lift
    join liftA2 ap first second bool fromMaybe mapMaybe catMaybes isJust isNothing fromJust on comparing sortBy sortOn sort nub
    group groupBy partition intercalate isPrefixOf isSuffixOf insert delete member singleton empty fromList toList findWithDefault
    adjust alter union unions size pack unpack ask asks get gets put modify throwIO throwError catch bracket""".split()
)

_IMPORT = re.compile(
    r"""import\s+(?:safe\s+)?(?:qualified\s+)?(?:"[^"]*"\s+)?(?P<module>[\w.']+)(?:\s+qualified)?(?:\s+as\s+[\w.']+)?\s*"""
    r"""(?P<hiding>hiding\b)?\s*(?P<items>\(.*\))?""",
    re.DOTALL,
)
_INNERMOST = re.compile(r"\([^()]*\)")
_ITEM = re.compile(r"(?:type\s+|pattern\s+)?([^\W\d][\w']*)")
_ROOTS = ("/", "/src/", "/app/", "/lib/", "/test/")


def _resolve(path: str, module: str, items: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:  # noqa: ARG001
    """The file of a module, then each thing that is taken from it by its qualified name."""
    match = _IMPORT.match(module)
    if match is None or match["module"] == "Prelude":
        return ()
    name = match["module"]
    stem = name.replace(".", "/")
    # A lone name at the end of some path is mostly another module of that name.
    stems = [stem] if "/" in stem else [root + stem for root in (folder(path), *_ROOTS)]
    taken = [] if match["hiding"] or not match["items"] else _items(match["items"])
    return (each(stems, (".hs", ".lhs")), *((f"{name}.{item}",) for item in taken))


def _items(written: str) -> list[str]:
    """The names in ``(Boat (..), load, (<+>))``, without constructors and operators."""
    names = (_ITEM.fullmatch(piece.strip()) for piece in _INNERMOST.sub("", written.strip()[1:-1]).split(","))
    return list(dict.fromkeys(match[1] for match in names if match))


def _exported(found: Found, listed: frozenset[str]) -> bool:
    """What the module lists; all of it if it lists nothing; members with what holds them."""
    if found.parent is not None:
        return found.parent.exported
    return not listed or found.name in listed


LANGUAGE = Language(
    name="haskell",
    family="haskell",
    grammar="tree_sitter_haskell",
    query=_QUERY,
    resolve=_resolve,
    exported=_exported,
    import_words=frozenset({"import", "qualified", "as", "hiding", "safe", "module", "where"}),
    quiet=_QUIET,
    extensions=(".hs",),
)
