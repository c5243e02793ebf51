"""How is TypeScript with markup in it read?"""

from dataclasses import replace

from dowse.ingest.code.languages.javascript import MARKUP_QUERY
from dowse.ingest.code.languages.typescript import LANGUAGE as TYPESCRIPT

LANGUAGE = replace(TYPESCRIPT, name="tsx", function="language_tsx", query=TYPESCRIPT.query + MARKUP_QUERY)
