from taking import names, only, readers_of, said, source, taken, titles

from dowse.ingest.knowing.nodes import READER

GRAPH = """\
nodes:
  - ref_id: auth
    kind: Service
    title: Authentication
    summary: Who are you, and may you come in?
    tags: [security, login]
    depends_on: [users]
    docs:
      - docs/auth.md
      - Tokens live for an hour and are renewed silently.
      - title: Signing in
        content: A visitor types a name and a phrase.
  - id: users
    type: entity
    description: People we know.
edges:
  - {source: auth, target: users, kind: touches_entity}
  - {from: users, to: auth, type: gossips-about}
"""


def test_a_list_of_nodes_becomes_records_with_their_kind_summary_and_line() -> None:
    auth = taken(READER, "arch.yaml", GRAPH).records[0]
    assert (auth.key, auth.title, auth.text("summary")) == (
        "acme:arch.yaml#auth",
        "Authentication",
        "Who are you, and may you come in?",
    )
    assert auth.facets == {"refId": "auth", "path": "arch.yaml", "kind": "service", "line": 2}
    assert auth.tags == ("login", "security")


def test_a_node_without_a_title_is_called_by_its_id() -> None:
    assert titles(taken(READER, "arch.yaml", GRAPH), "node") == ["Authentication", "users"]


def test_a_node_is_known_by_its_id_and_its_title() -> None:
    assert {("node:auth", "acme:arch.yaml#auth"), ("node:Authentication", "acme:arch.yaml#auth")} <= names(
        taken(READER, "arch.yaml", GRAPH)
    )


def test_links_on_a_node_and_beside_the_nodes_are_both_read() -> None:
    assert {
        ("?node:auth", "depends_on", "node:users"),
        ("?node:auth", "touches_entity", "node:users"),
    } <= said(taken(READER, "arch.yaml", GRAPH))


def test_an_edge_of_an_unknown_kind_relates_the_two() -> None:
    assert ("?node:users", "relates_to", "node:auth") in said(taken(READER, "arch.yaml", GRAPH))


def test_a_path_among_the_docs_is_a_reference_and_a_text_is_a_chunk() -> None:
    extract = taken(READER, "design/arch.yaml", GRAPH)
    assert ("acme:design/arch.yaml#auth", "references", "/design/docs/auth.md") in said(extract)
    chunks = [record for record in extract.records if record.kind == "chunk"]
    assert [(chunk.key, chunk.parent) for chunk in chunks] == [
        ("acme:design/arch.yaml#auth/doc-2", "acme:design/arch.yaml#auth"),
        ("acme:design/arch.yaml#auth/signing-in", "acme:design/arch.yaml#auth"),
    ]


def test_a_mapping_from_ids_to_nodes_is_read() -> None:
    text = "auth: {kind: service, summary: Lets people in}\nmail: {kind: service, summary: Sends letters, uses: [auth]}\n"
    extract = taken(READER, "things.yml", text)
    assert titles(extract) == ["auth", "mail"]
    assert said(extract) == {("?node:mail", "uses", "node:auth")}


def test_nodes_may_be_a_mapping_below_nodes() -> None:
    extract = taken(READER, "things.yml", "nodes:\n  auth: {kind: service}\n  mail: {kind: service}\n")
    assert titles(extract) == ["auth", "mail"]


def test_a_file_may_be_a_plain_list_of_nodes() -> None:
    text = "- {id: a, kind: feature, summary: One}\n- {id: b, kind: feature, summary: Two}\n"
    assert titles(taken(READER, "list.yaml", text)) == ["a", "b"]


def test_each_document_of_a_file_may_be_a_node() -> None:
    text = "ref_id: '007'\nkind: adr\nsummary: One\nstatus: Accepted\n---\nref_id: b\nkind: feature\nsummary: Two\npartOf: '007'\n"
    extract = taken(READER, "all.yaml", text)
    assert [record.facets["refId"] for record in extract.records] == ["007", "b"]
    assert extract.records[0].facets["status"] == "accepted"
    assert [record.facets["line"] for record in extract.records] == [1, 6]
    assert said(extract) == {("?node:b", "part_of", "node:007")}


def test_what_contains_another_has_it_as_a_part() -> None:
    text = "nodes:\n- {id: a, kind: system, contains: [b]}\n- {id: b, kind: service}\n"
    assert said(taken(READER, "g.yaml", text)) == {("?node:b", "part_of", "node:a")}


def test_edges_on_a_node_may_be_ids_pairs_or_a_mapping() -> None:
    text = """\
nodes:
- {id: a, kind: x, edges: [b, {to: c, kind: uses}]}
- {id: b, kind: x, edges: {depends_on: [a, c], calls: a}}
- {id: c, kind: x}
"""
    assert said(taken(READER, "g.yaml", text)) == {
        ("?node:a", "relates_to", "node:b"),
        ("?node:a", "uses", "node:c"),
        ("?node:b", "depends_on", "node:a"),
        ("?node:b", "depends_on", "node:c"),
        ("?node:b", "calls", "node:a"),
    }


def test_the_looser_words_are_believed_in_a_folder_for_architecture() -> None:
    text = "id: pay\ntype: domain\ndescription: Money in and out\n"
    assert only(taken(READER, "architecture/pay.yaml", text)).text("summary") == "Money in and out"
    assert taken(READER, "config/pay.yaml", text).records == ()


def test_an_id_that_is_there_twice_is_reported_and_the_first_one_counts() -> None:
    extract = taken(READER, "g.yaml", "nodes:\n- {id: a, kind: x, summary: one}\n- {id: a, kind: y, summary: two}\n")
    assert only(extract).text("summary") == "one"
    assert extract.problems == ("g.yaml: the node 'a' is described twice; the first one counts",)


def test_a_node_without_an_id_is_reported_with_its_line() -> None:
    extract = taken(READER, "g.yaml", "nodes:\n- {id: a, kind: x}\n- {kind: y}\n")
    assert extract.problems == ("g.yaml: line 3: a node without an id was left out",)


def test_an_edge_without_an_end_is_reported() -> None:
    extract = taken(READER, "g.yaml", "nodes:\n- {id: a, kind: x}\nedges:\n- {source: a}\n")
    assert extract.problems == ("g.yaml: an edge without a source or a target was left out: 'a'",)


def test_invalid_yaml_is_reported_and_what_came_before_is_kept() -> None:
    extract = taken(READER, "g.yaml", "nodes:\n- {id: a, kind: x}\n---\nnodes: [\n")
    assert titles(extract) == ["a"]
    assert extract.problems[0].startswith("g.yaml: line 5: not valid YAML")


def test_a_template_that_is_no_yaml_is_not_reported() -> None:
    assert taken(READER, "deploy/service.yaml", "{{- if .x }}\nkind: Service\ndescription: {{ .y }}\n").problems == ()


def test_a_node_is_not_linked_to_itself() -> None:
    assert taken(READER, "g.yaml", "nodes:\n- {id: a, kind: x, uses: [a]}\n").refers == ()


def test_a_very_long_id_is_cut() -> None:
    long = "a" * 3000
    assert len(only(taken(READER, "g.yaml", f"nodes:\n- id: {long}\n  kind: x\n")).key) == 1024


def test_a_workflow_of_a_forge_is_no_architecture() -> None:
    text = "name: build\non: push\njobs:\n  test:\n    type: x\n    description: y\n"
    assert readers_of(".github/workflows/ci.yml", text) == []


def test_other_yaml_with_kinds_types_and_descriptions_gives_no_nodes() -> None:
    near_misses = {
        "deploy.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec:\n  description: x\n",
        "cluster.yaml": "kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\nnodes:\n- {role: worker, id: a, kind: b}\n",
        "options.yaml": "timeout: {type: integer, description: seconds}\nname: {type: string, description: who}\n",
        "api.yaml": "openapi: 3.1.0\ninfo:\n  description: x\ncomponents:\n  a:\n    type: object\n",
        "action.yml": "name: x\ndescription: y\ninputs:\n  a: {type: string, description: z}\n",
        "compose.yml": "services:\n  web: {image: a, depends_on: [db]}\nnodes: []\n",
        "flow.yaml": "nodes:\n- {label: a}\nedges:\n- {source: a, target: b}\n",
        "site.yml": "title: x\ndescription: y\ntype: website\n",
    }
    for path, text in near_misses.items():
        extract = READER.read(source(path, text))
        assert (extract.records, extract.refers) == ((), ()), path


def test_anchors_that_stand_for_each_other_are_survived() -> None:
    laughs = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nnodes:\n- {id: n, kind: k, tags: *c, summary: *c, docs: *c}\n"
    assert titles(taken(READER, "g.yaml", laughs), "node") == ["n"]
