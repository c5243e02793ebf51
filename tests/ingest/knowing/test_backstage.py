from taking import names, only, said, taken, titles

from dowse.ingest.knowing.nodes import READER

CATALOG = """\
apiVersion: backstage.io/v1alpha1
kind: Component
metadata:
  name: artist-web
  title: Artist Web
  description: Where artists are shown.
  tags: [web, java]
spec:
  type: website
  lifecycle: production
  system: artists
  dependsOn: ['resource:default/artist-db', artist-lib]
  consumesApis: [artist-api]
  providesApis: [player]
---
apiVersion: backstage.io/v1alpha1
kind: System
metadata: {name: artists}
spec: {domain: music}
---
apiVersion: backstage.io/v1alpha1
kind: User
metadata: {name: ann}
"""


def test_an_entity_of_the_catalogue_becomes_a_node() -> None:
    web = taken(READER, "catalog-info.yaml", CATALOG).records[0]
    assert (web.key, web.title, web.text("summary")) == (
        "acme:catalog-info.yaml#component:artist-web",
        "Artist Web",
        "Where artists are shown.",
    )
    assert web.facets == {
        "refId": "component:artist-web",
        "path": "catalog-info.yaml",
        "kind": "component",
        "status": "production",
        "line": 1,
    }
    assert web.tags == ("java", "web")


def test_people_of_the_catalogue_are_no_nodes() -> None:
    assert titles(taken(READER, "catalog-info.yaml", CATALOG)) == ["Artist Web", "artists"]


def test_the_relations_of_an_entity_become_links() -> None:
    assert said(taken(READER, "catalog-info.yaml", CATALOG)) == {
        ("?node:component:artist-web", "depends_on", "node:resource:artist-db"),
        ("?node:component:artist-web", "depends_on", "node:component:artist-lib"),
        ("?node:component:artist-web", "part_of", "node:system:artists"),
        ("?node:component:artist-web", "uses", "node:api:artist-api"),
        ("?node:component:artist-web", "implements", "node:api:player"),
        ("?node:system:artists", "part_of", "node:domain:music"),
    }


def test_a_dependency_told_from_the_other_side_points_the_right_way() -> None:
    text = "apiVersion: backstage.io/v1\nkind: Resource\nmetadata: {name: db}\nspec: {dependencyOf: ['component:web']}\n"
    assert said(taken(READER, "catalog-info.yaml", text)) == {("?node:component:web", "depends_on", "node:resource:db")}


def test_an_entity_is_known_by_its_reference_and_its_name() -> None:
    text = "apiVersion: backstage.io/v1\nkind: API\nmetadata: {name: pay, namespace: shop}\n"
    extract = taken(READER, "a.yaml", text)
    assert names(extract) == {("node:api:shop/pay", only(extract).key), ("node:pay", only(extract).key)}


def test_a_catalogue_that_is_nothing_but_mistakes_is_survived() -> None:
    head = "apiVersion: backstage.io/v1\n"
    text = f"{head}kind: [a]\nmetadata: 7\nspec: []\n---\n{head}kind: API\nmetadata: {{name: {{}}}}\n"
    assert taken(READER, "catalog-info.yaml", text).records == ()
