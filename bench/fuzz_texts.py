"""What do well-formed texts of every format say? One small sample each, under the path that makes it one."""

import json

_MARKDOWN = """---
title: Tides
tags: [harbour, "tide tables"]
date: 2026-03-01
---
# Tides {#tides}

The *gauge* tells [how high](gauge.md#reading "title") the water is, see `Gauge.read` and [[Ferry times|ferries]].

- [ ] Calibrate the gauge @mara #work (high) id:cal-1
  - [x] Order parts
1. First
   > quoted
   > ## not a section

```python title="read.py"
def read(gauge):
    return gauge.height
```

<h2 id="spring">Spring tides</h2>

| when | height |
|------|--------|
| noon | 4.2 m  |

[ref]: https://example.org/a "b"
Setext
------
![picture](a.png) <b>bold</b> **b** __u__ ~~s~~ \\* &amp; https://example.org/x
"""
_MDX = """import Chart from './chart'
export const depth = 4

# Depths

<Chart data={[1, 2, {a: "b"}]}>
  Some *text* inside.
</Chart>

<Tabs><Tab title="npm">

```sh
npm install tidekit
```

</Tab></Tabs>
"""
_RST = """.. _tides:

=====
Tides
=====

:Author: Someone
:Version: 2

Heights come from the :py:class:`Gauge`, see :ref:`reading <read>` and `the site <https://example.org>`_.

Reading
-------

.. code-block:: python
   :caption: read.py

   gauge.read()

.. note:: Mind the **gap**.

Then::

    literal block

+-----+-----+
| a   | b   |
+=====+=====+
| 1   | 2   |
+-----+-----+

.. |name| replace:: value
.. include:: other.rst
.. toctree::
   :maxdepth: 2

   other
"""
_ASCIIDOC = """= Tides
Someone <a@example.org>
:toc: left
:version: 2

[[intro]]
== Introduction

See <<reading,the reading>> and xref:other.adoc#part[other], link:a.html[b].

=== Reading [[reading]]

[source,python]
----
gauge.read()
----

....
literal
....

|===
|a |b
|===

include::other.adoc[]
ifdef::x[]
NOTE: Mind the gap.
endif::[]
"""
_HTML = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Tides &amp; times</title>
<script>var x = "</p>";</script><style>p{}</style></head><body><nav><a href="/">home</a></nav>
<main><h1 id="t">Tides</h1><p>The <code>Gauge</code> tells <a href="read.html#x">how high</a>.<br>
<h2>Reading</h2><pre><code class="language-python">gauge.read()
</code></pre><table><tr><td>1<td>2</table><ul><li>a<li>b<ul><li>c</ul></ul>
<details><summary>More</summary><p hidden>x</p></details><svg><title>s</title></svg><template><p>t</template></main></body></html>
"""
_NOTEBOOK = json.dumps(
    {
        "cells": [
            {"cell_type": "markdown", "metadata": {}, "source": ["# Tides\n", "Some *text*.\n"]},
            {
                "cell_type": "code",
                "execution_count": 1,
                "metadata": {},
                "source": "gauge.read()\n",
                "outputs": [
                    {"output_type": "stream", "name": "stdout", "text": ["4.2\n"]},
                    {"output_type": "execute_result", "data": {"text/plain": ["4.2"], "image/png": "iVBORw0KGgo="}},
                ],
            },
            {"cell_type": "heading", "level": 2, "source": "Old"},
        ],
        "metadata": {"kernelspec": {"language": "python", "name": "python3"}, "language_info": {"name": "python"}},
        "worksheets": [{"cells": [{"cell_type": "raw", "source": "x"}]}],
        "nbformat": 4,
        "nbformat_minor": 5,
    },
    indent=1,
)
_TEXT = """TIDES

The gauge tells how high the water is. It is read every minute.

1. READING
==========
  - by hand
  - by radio

See gauge.py:12 and https://example.org/.
"""
_NODES = """nodes:
  - id: courier
    kind: service
    title: Courier
    summary: Brings alerts to people.
    calls: [gauge, {to: portal, via: http}]
    anchors: &where
      - src/courier.py#Courier
    docs:
      - title: Retries
        content: |
          Capped at five.
      - docs/retries.md
  - {id: gauge, kind: service, summary: "Tells how high the water is", depends_on: courier, at: *where}
edges:
  - {from: courier, to: gauge, kind: calls}
---
id: alone
kind: feature
summary: >
  folded
"""
_BACKSTAGE = """apiVersion: backstage.io/v1alpha1
kind: Component
metadata:
  name: courier
  description: Brings alerts to people.
  tags: [alerts]
  annotations: {backstage.io/techdocs-ref: dir:.}
spec:
  type: service
  owner: team-a
  system: harbour
  dependsOn: ['component:default/gauge', resource:db]
  providesApis: [alerts-api]
"""
_BEADS = "\n".join(
    json.dumps(row)
    for row in (
        {"id": "hb-1", "title": "Cap retries", "status": "open", "issue_type": "task", "priority": 1, "labels": ["a"]},
        {
            "id": "hb-1.2",
            "title": "Budget",
            "status": "closed",
            "issue_type": "bug",
            "dependencies": [{"issue_id": "hb-1.2", "depends_on_id": "hb-1", "type": "parent-child"}],
            "comments": [{"author": "m", "text": "done", "created_at": "2026-01-02T03:04:05Z"}],
            "created_at": "2026-01-01T00:00:00Z",
        },
    )
)
_ISSUES = json.dumps(
    {
        "data": {
            "repository": {
                "issues": {
                    "nodes": [
                        {
                            "number": 7,
                            "title": "Cap retries",
                            "state": "OPEN",
                            "body": "See #8, src/a.py and\n- [ ] box",
                            "labels": {"nodes": [{"name": "bug"}]},
                            "assignees": [{"login": "m"}],
                            "comments": [{"body": "ok", "author": {"login": "m"}, "createdAt": "2026-01-01T00:00:00Z"}],
                            "updatedAt": "2026-01-01T00:00:00Z",
                            "url": "https://example.org/7",
                        }
                    ]
                }
            }
        }
    },
    indent=1,
)
_SKILL = """---
name: cut-a-release
description: >-
  How a release is cut.
triggers: [release, "new version"]
requires: [write-notes]
---
# Cut a release

1. Tag it.
2. Push.
"""
_TASK = """---
id: T-12
status: in progress
priority: high
depends_on: [T-3, other.md]
labels: a, b
---
# Cap the retries

Stop after five.

## Notes

2026-01-02: agreed.
"""
_DECISION = """# 12. Cap the retries

Date: 2026-01-02
Status: accepted, supersedes ADR-3

## Context

Retries run forever.

## Decision

Five at most. See [ADR 4](0004-x.md).

## Consequences

None.
"""
_KNOWLEDGE = "---\ntype: knowledge\ntitle: Gauges\nabout: [gauge, src/gauge.py]\n---\nA gauge drifts in summer. #gauge [[Tides]]\n"
_PAGE = """---
aliases: [Tide]
tags: sea
---
# Tides

See [[Ferry#times|ferry times]], ![[map.png]] and #sea/deep ^block

%% hidden %%
"""
_TOML = """+++
title = "Tides"
date = 2026-01-01T00:00:00Z
tags = ["a", "b"]
[extra]
x = [1, {y = 2}]
+++
# Tides
"""
_LLMS = """# Tidekit

> Reads gauges.
> And more.

## Docs

- [Guide](docs/guide.md): how to
- [Other](../outside.md)
- [Web](https://example.org/a.md#b)
- [Odd](docs/%2e%2e/%00x.md)
"""
_CONFIG_TOML = (
    'title = "Tidekit"\ndescription = "Reads gauges"\nfolders = ["docs/**"]\nexclude_files = ["CHANGELOG.md"]\nrules = ["Use v2"]\n'
)
_CONFIG_JSON = '{"title": "Tidekit", "folders": ["docs"], "exclude_folders": ["docs/old"], "versions": ["v1"], "rules": []}'
_CONTEXT7 = json.dumps({"projectTitle": "Tidekit", "folders": [], "previousVersions": [{"tag": "v1", "title": "1"}], "branch": "x"})
_IGNORE = """# comment
*.log
!keep.log
build/
/only-here
docs/**/draft?.md
**/cache/**
[a-c]x[!0-9][[:alpha:]]
trailing\\ \\
\\#literal
a/**/b/*/c
"""
METADATA = """Metadata-Version: 2.1
Name: tidekit
Version: 1.2.0
Summary: Reads gauges
Description-Content-Type: text/markdown; charset=UTF-8
Project-URL: Home, https://example.org

# Tidekit

Reads gauges.
"""
_OTHERS = {
    "deploy/Dockerfile": "FROM scratch\nCOPY a b\nRUN make\n",
    "conf/app.toml": '[server]\nport = 8080\nname = "x"\n',
    "web/site.css": "a { color: red }\n/* comment */\n@media print { b { c: d } }\n",
    "data/rows.csv": 'a,b,"c ""d"""\n1,2,3\n',
    "api/tide.proto": 'syntax = "proto3";\nmessage Tide { double height = 1; }\n',
    "run": "#!/usr/bin/env python\nprint(1)\n",
    "conf/app.json": '{"a": [1, 2, {"b": null}], "title": "x", "number": 1, "state": "open"}',
    "db/queries.log": "2026-01-01 00:00:00 ERROR something failed\n",
    "strange.xyz": "no one knows\n",
}

DOCUMENTS: dict[str, str] = {
    "docs/guide.md": _MARKDOWN,
    "docs/depths.mdx": _MDX,
    "docs/tides.rst": _RST,
    "docs/tides.adoc": _ASCIIDOC,
    "site/tides.html": _HTML,
    "lab/tides.ipynb": _NOTEBOOK,
    "notes/tides.txt": _TEXT,
    "architecture/nodes.yaml": _NODES,
    "catalog-info.yaml": _BACKSTAGE,
    ".beads/issues.jsonl": _BEADS,
    "export/issues.json": _ISSUES,
    "skills/release/SKILL.md": _SKILL,
    "tasks/t-12.md": _TASK,
    "docs/adr/0012-cap.md": _DECISION,
    "knowledge/gauges.md": _KNOWLEDGE,
    "vault/tides.md": _PAGE,
    "docs/front.md": _TOML,
    **_OTHERS,
}
LIBRARY: dict[str, str] = {
    "llms.txt": _LLMS,
    "dowse.library.toml": _CONFIG_TOML,
    "dowse.library.json": _CONFIG_JSON,
    "context7.json": _CONTEXT7,
    "METADATA": METADATA,
    "package.json": json.dumps({"name": "@salt/tidekit", "version": "1.0.0", "types": "index.d.ts", "files": ["docs"]}),
    ".gitignore": _IGNORE,
    ".dowseignore": "!docs/\n*.secret\n",
}
