"""How is SQL read? What it creates are symbols, what these are made from are calls."""

from dowse.ingest.code.language import Found, Language

# The grammar knows no procedures: they stay text, and so do the words of dialects it does not know.
_QUERY = """
(create_table (object_reference name: (identifier) @name)) @type
(create_table (object_reference schema: (identifier) @owner)) @type
(create_table (column_definitions) @body) @type
(create_table (keyword_as) @body) @type
(create_view (object_reference name: (identifier) @name) (keyword_as) @body) @type
(create_view (object_reference schema: (identifier) @owner)) @type
(create_materialized_view (object_reference name: (identifier) @name) (keyword_as) @body) @type
(create_materialized_view (object_reference schema: (identifier) @owner)) @type
(create_type (object_reference name: (identifier) @name) (enum_elements)) @enum
(create_type (object_reference name: (identifier) @name)) @type
(create_function (keyword_function) . (object_reference name: (identifier) @name)) @function
(create_function (function_body) @body) @function
(create_trigger (keyword_trigger) . (object_reference name: (identifier) @name)) @function
(create_index column: (identifier) @name) @constant
(create_sequence (object_reference name: (identifier) @name)) @constant

(column_definition (keyword_references) . (object_reference name: (identifier) @call))
(constraint (keyword_references) . (object_reference name: (identifier) @call))
(relation (object_reference name: (identifier) @call))
(from (object_reference name: (identifier) @call))
(insert (object_reference name: (identifier) @call))
(invocation (object_reference name: (identifier) @call))
(alter_table (object_reference name: (identifier) @call))
(create_index (keyword_on) . (object_reference name: (identifier) @call))
(create_trigger (keyword_on) . (object_reference name: (identifier) @call))
(create_trigger [(keyword_function) (keyword_procedure)] . (object_reference name: (identifier) @call))
(create_function [(keyword_returns) (keyword_setof)] . (object_reference name: (identifier) @call))
[(comment) (marginalia)] @comment
"""

# Functions that every database has; names are written in either case.
_FUNCTIONS = """abs array_agg avg cast ceil ceiling char_length coalesce concat concat_ws convert count cume_dist current_date
    current_timestamp date date_add date_format date_part date_trunc datediff dense_rank exists extract first_value floor
    format gen_random_uuid generate_series getdate greatest group_concat ifnull initcap instr isnull json_agg json_build_object
    jsonb_agg jsonb_build_object lag last_value lead least left length ln log lower lpad ltrim max md5 min mod nextval now
    ntile nullif nvl percentile_cont position power rank regexp_replace replace right round row_number row_to_json rpad rtrim
    setval sign split_part sqrt string_agg substr substring sum to_char to_date to_timestamp trim trunc unnest upper uuid values
    year month day new old excluded""".split()


def _exported(found: Found, listed: frozenset[str]) -> bool:  # noqa: ARG001
    return True


LANGUAGE = Language(
    name="sql",
    family="sql",
    grammar="tree_sitter_sql",
    query=_QUERY,
    exported=_exported,
    import_words=frozenset(),
    quiet=frozenset([*_FUNCTIONS, *(name.upper() for name in _FUNCTIONS)]),
    extensions=(".sql",),
)
