"""Is the page one that people can use? A real browser types, filters, reads and walks."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from page_harness import Watch, browsing, fill
from playwright.sync_api import Browser, Page, expect
from running_http import served

import dowse
from dowse.app.workspace import Workspace

SERIOUS = ("serious", "critical")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as found:
        yield found


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder = tmp_path_factory.mktemp("page")
    with dowse.open(folder / "page.dowse") as workspace:
        fill(workspace, folder / "search")
        yield workspace


@pytest.fixture(scope="module")
def home(shown: Workspace) -> Iterator[str]:
    with served(shown, look=0.05) as address:
        yield address


@pytest.fixture
def page(browser: Browser, home: str) -> Iterator[Page]:
    """A fresh visitor. Whatever the test does, nothing goes wrong and nothing leaves the server's address."""
    context = browser.new_context(base_url=home, viewport={"width": 1280, "height": 800}, color_scheme="light")
    opened = context.new_page()
    watch = Watch(opened, home)
    yield opened
    assert watch.errors == []
    assert watch.elsewhere == []
    context.close()


def ask(page: Page, query: str) -> None:
    page.get_by_role("combobox").press_sequentially(query)
    expect(page.locator("#said b")).to_be_visible()


def serious(page: Page) -> list[str]:
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [f"{item['id']}: {item['nodes'][0]['html']}" for item in found if item["impact"] in SERIOUS]


def test_who_has_not_asked_yet_sees_what_is_here_and_questions_that_have_an_answer(page: Page) -> None:
    page.goto("/")
    expect(page.get_by_role("heading", name="Find anything in")).to_be_visible()
    expect(page.locator(".hold", has_text="Tasks")).to_contain_text("9")
    page.locator(".example").first.click()
    expect(page.get_by_role("option").first).to_be_visible()


def test_results_come_while_one_types_with_what_matched_marked(page: Page) -> None:
    page.goto("/")
    expect(page.get_by_role("combobox")).to_be_focused()
    ask(page, "how are retries capped")
    first = page.get_by_role("option").first
    expect(first).to_contain_text("Retry policy")
    expect(first.locator("mark").first).to_have_text("retries")
    expect(page.locator("#live")).to_have_text(re.compile(r"\d+ results"))
    expect(page.locator("#said")).to_contain_text("left out: how, are")
    assert "q=how+are+retries+capped" in page.url


def test_code_is_coloured_in_the_results_and_marked(page: Page) -> None:
    page.goto("/?q=capped_backoff")
    code = page.get_by_role("option", name="capped_backoff function").first.locator(".code")
    expect(code.locator(".k").first).to_have_text("def")
    expect(code.locator("mark").first).to_be_visible()


def test_tabs_count_all_hits_and_filter_by_kind(page: Page) -> None:
    page.goto("/?q=retry")
    tab = page.locator(".tab[data-kind=page]")
    count = int(tab.locator(".count").inner_text())
    tab.click()
    expect(page.locator("#said b")).to_have_text(f"{count} results")
    expect(page.get_by_role("option")).to_have_count(count)
    # The other kinds still say how many there would be.
    expect(page.locator(".tab[data-kind=item] .count")).not_to_have_text("0")
    assert "kind=page" in page.url


def test_a_facet_narrows_and_its_chip_takes_it_away(page: Page) -> None:
    page.goto("/?q=retry&kind=item")
    expect(page.locator(".tab[data-kind=item]")).to_have_attribute("aria-pressed", "true")
    all_of_them = page.locator("#said b").inner_text()
    page.get_by_role("checkbox", name=re.compile("blocked")).check()
    expect(page.locator("#said b")).to_have_text("1 result")
    expect(page.get_by_role("checkbox", name=re.compile("work"))).to_be_visible()
    page.get_by_role("button", name="Take away the filter Role blocked").click()
    expect(page.locator("#said b")).to_have_text(all_of_them)


def test_keys_alone_find_open_and_close(page: Page) -> None:
    page.goto("/?q=retry")
    expect(page.get_by_role("option").first).to_have_attribute("aria-selected", "true")
    page.keyboard.press("/")
    expect(page.get_by_role("combobox")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("option").nth(1)).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("combobox")).to_have_attribute("aria-activedescendant", "hit-1")
    title = page.get_by_role("option").nth(1).locator(".title .name").inner_text()
    page.keyboard.press("Enter")
    expect(page.locator("#preview h2")).to_have_text(title)
    page.keyboard.press("Escape")
    expect(page.locator("#preview")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(page.get_by_role("combobox")).to_have_value("")
    expect(page.get_by_role("heading", name="Find anything in")).to_be_visible()


def test_letters_move_and_switch_what_is_shown_but_not_while_one_types(page: Page) -> None:
    page.goto("/?q=retry")
    expect(page.get_by_role("option").nth(1)).to_be_visible()
    page.locator("#hits").focus()
    page.keyboard.press("j")
    expect(page.get_by_role("option").nth(1)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("k")
    expect(page.get_by_role("option").first).to_have_attribute("aria-selected", "true")
    page.keyboard.press("e")
    expect(page.get_by_role("tab", name="Why this")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("g")
    expect(page.get_by_role("tab", name="Graph")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("open the preview")
    page.keyboard.press("Escape")
    page.get_by_role("combobox").press("End")
    page.keyboard.type(" gej")
    expect(page.get_by_role("combobox")).to_have_value("retry gej")


def test_the_preview_shows_where_a_symbol_stands_its_lines_and_a_link_into_the_editor(page: Page) -> None:
    page.goto("/?q=contributions&kind=symbol")
    page.get_by_role("option").first.click()
    preview = page.locator("#preview")
    expect(preview.get_by_role("navigation", name="Where it stands")).to_contain_text("fuse.py")
    expect(preview.locator(".code .k").first).to_have_text("def")
    line = preview.locator(".code .number").first.get_attribute("data-line")
    assert line is not None
    assert line.isdecimal()
    link = preview.locator("a.editor")
    expect(link).to_have_attribute("href", re.compile(rf"^vscode://file/.*/search/fuse\.py:{line}$"))
    preview.get_by_label("Editor").select_option("zed")
    expect(link).to_have_attribute("href", re.compile(r"^zed://file/"))
    page.reload()
    expect(page.locator("#preview a.editor")).to_have_text("Open in Zed")


def test_a_task_is_shown_in_its_tree_and_arrows_walk_it(page: Page) -> None:
    page.goto("/?q=retries&open=task-17")
    tree = page.get_by_role("tree")
    expect(tree.get_by_role("treeitem", name="Cap the retries of the courier")).to_have_attribute("aria-selected", "true")
    tree.get_by_role("treeitem", name="Cap the retries of the courier").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(page.locator("#preview h2")).to_have_text("Alerts that always arrive")


def test_a_page_shows_who_links_to_it_and_wiki_links_lead_on(page: Page) -> None:
    page.goto("/?open=retry-policy")
    page.locator("#preview a[data-page='incident-2031-02-11']").click()
    expect(page.locator("#preview h2")).to_have_text("Incident 2031-02-11")
    page.get_by_role("tab", name="Links").click()
    expect(page.locator("#preview .brief", has_text="Retry policy").first).to_contain_text("links to")
    expect(page.locator("#preview h3", has_text="Similar")).to_be_visible()


def test_why_this_shows_the_share_of_each_list_as_bars(page: Page) -> None:
    page.goto("/?q=how+are+retries+capped&open=retry-policy&view=why")
    expect(page.locator(".verdict")).to_contain_text("Hit 1 of")
    rows = page.locator(".bar-row")
    expect(rows.filter(has_text="Words+")).to_contain_text("place 1")
    expect(rows.filter(has_text="Meaning+")).to_be_visible()
    widths = [float(bar.evaluate("element => parseFloat(element.style.width)")) for bar in rows.locator(".track i").all()]
    assert max(widths) == 100
    assert min(widths) > 0


def test_why_not_says_what_keeps_a_record_from_the_answer(page: Page) -> None:
    page.goto("/?q=courier&kind=page&open=retry-policy&view=why")
    page.get_by_label("Why is another record not here?").fill("task-17")
    page.get_by_role("button", name="Tell me").click()
    expect(page.locator(".why-not .told")).to_contain_text("Out of scope: its kind is item, not page")


def test_the_graph_can_be_walked_by_mouse_and_keys_and_back(page: Page) -> None:
    page.goto("/?q=retries&open=task-17&view=graph")
    expect(page.locator(".node.centre")).to_contain_text("Cap the retries")
    expect(page.locator(".edge[data-kind=blocks] text")).to_have_text("blocks")
    page.locator(".node[data-key='task-18']").click()
    expect(page.locator(".node.centre")).to_contain_text("Retry budget")
    page.locator(".node[data-key='task-19']").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".node.centre")).to_contain_text("Keep alerts")
    page.go_back()
    expect(page.locator(".node.centre")).to_contain_text("Retry budget")
    page.locator(".as-list .brief[data-key='task-17']").click()
    expect(page.locator(".node.centre")).to_contain_text("Cap the retries")


def test_the_same_neighbourhood_is_always_drawn_alike(page: Page) -> None:
    drawn = []
    for _ in range(2):
        page.goto("/?open=task-17&view=graph")
        expect(page.locator(".node.centre")).to_be_visible()
        drawn.append([node.get_attribute("transform") for node in page.locator(".node").all()])
    assert drawn[0] == drawn[1]


def test_status_tells_what_is_here_how_fresh_it_is_and_whether_it_is_well(page: Page) -> None:
    page.goto("/")
    page.locator("#pulse").click()
    expect(page.get_by_role("heading", name="Status")).to_be_visible()
    expect(page.locator(".card", has_text="Projects")).to_contain_text("up to date")
    expect(page.locator("#health")).to_contain_text("every page is readable")
    expect(page.locator(".card", has=page.get_by_role("heading", name="Vectors"))).to_contain_text("dowse-static-256")
    assert page.url.endswith("?status")


def test_results_follow_the_index_as_it_changes(page: Page, shown: Workspace) -> None:
    page.goto("/?q=foghorn")
    expect(page.locator("#said")).to_contain_text("0 results")
    # Whoever listens hears of the generation at once; only then a change is news.
    expect(page.locator("#pulse")).to_have_attribute("data-state", "fresh")
    shown.put(kind="page", title="The foghorn", content="Sounds twice a minute.")
    expect(page.get_by_role("option").first).to_contain_text("foghorn")
    expect(page.locator("#toast")).to_contain_text("refreshed")
    shown.delete("the-foghorn", purge=True)
    expect(page.locator("#said")).to_contain_text("0 results")


def test_a_job_is_seen_as_it_goes(page: Page, shown: Workspace) -> None:
    page.goto("/?status")
    expect(page.locator("#jobs")).to_contain_text("Nothing is being indexed")
    expect(page.locator("#pulse")).to_have_attribute("data-state", "fresh")
    answer = page.request.post("/api/index", data={"folder": str(shown.projects()[0].root), "jobs": 1})
    assert answer.ok
    expect(page.locator("#jobs li", has_text="index")).to_contain_text("done")


def test_back_and_forward_go_through_what_was_done(page: Page) -> None:
    page.goto("/")
    ask(page, "retry")
    page.locator(".tab[data-kind=page]").click()
    expect(page.locator(".tab[data-kind=page]")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("option").first.click()
    expect(page.locator("#preview h2")).to_be_visible()
    page.go_back()
    expect(page.locator("#preview")).to_be_hidden()
    page.go_back()
    expect(page.locator(".tab[data-kind=all]")).to_have_attribute("aria-pressed", "true")
    page.go_back()
    expect(page.get_by_role("heading", name="Find anything in")).to_be_visible()
    page.go_forward()
    expect(page.get_by_role("combobox")).to_have_value("retry")


def test_more_adds_the_next_hits_below(page: Page) -> None:
    page.goto("/?q=record")
    expect(page.get_by_role("option")).to_have_count(20)
    page.locator("#more").click()
    expect(page.get_by_role("option").nth(20)).to_be_visible()


def test_a_query_that_cannot_be_used_is_answered_in_words(page: Page) -> None:
    page.goto("/?q=retry&kind=nonsense")
    expect(page.locator("#said .wrong")).to_contain_text("There is no kind 'nonsense'")


def test_colours_follow_the_system_until_someone_chooses(page: Page) -> None:
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    page.emulate_media(color_scheme="dark")
    page.goto("/?q=retry")
    dark = page.evaluate(paper)
    page.locator("#theme").click()
    expect(page.locator("#theme")).to_have_attribute("aria-label", "Colours: light")
    assert page.evaluate(paper) != dark
    page.reload()
    expect(page.locator("#theme")).to_have_attribute("aria-label", "Colours: light")
    page.locator("#theme").click()
    assert page.evaluate(paper) == dark


def test_on_a_phone_nothing_is_wider_than_the_screen_and_the_preview_fills_it(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/?q=retry")
    expect(page.get_by_role("option").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_role("option").first.click()
    box = page.locator("#preview").bounding_box()
    assert box == {"x": 0, "y": 0, "width": 390, "height": 844}
    page.get_by_role("button", name="Close the preview").click()
    expect(page.locator("#preview")).to_be_hidden()
    expect(page.get_by_role("checkbox").first).to_be_hidden()
    page.get_by_text("Filters").click()
    expect(page.get_by_role("checkbox").first).to_be_visible()


def test_records_that_mean_harm_are_shown_as_text(page: Page) -> None:
    page.goto("/?q=poisoned")
    expect(page.get_by_role("option", name="Poisoned <script>")).to_be_visible()
    expect(page.get_by_role("option", name="poisoned_call")).to_contain_text("</span></td><script>")
    for key in ("evil-page", "evil:src/<script>.py#poisoned"):
        for view in ("text", "why", "graph", "links"):
            page.evaluate(
                "([open, view]) => history.replaceState(null, '', `?${new URLSearchParams({q: 'poisoned', open, view})}`)",
                [key, view],
            )
            page.reload()
            expect(page.get_by_role("tabpanel").locator(":scope > *").first).to_be_visible()
    page.goto("/?q=poisoned&open=evil-page")
    panel = page.get_by_role("tabpanel")
    expect(panel).to_contain_text("</code></pre><script>")
    assert page.evaluate("globalThis.harmed") is None
    assert page.locator("#stage :is(script, iframe, object), #stage img").count() == 0
    assert page.locator("#stage a[href^='javascript:' i]").count() == 0


@pytest.mark.parametrize(
    ("address", "ready"),
    [
        ("/", ".hold"),
        ("/?q=capped_backoff&open=search%3Afuse.py%23fuse", ".code.whole"),
        ("/?q=retry&open=task-17", ".tree"),
        ("/?q=retry&open=retry-policy&view=why", ".bar-row"),
        ("/?q=retry&open=task-17&view=graph", ".node"),
        ("/?q=retry&open=task-17&view=links", "[role=tabpanel] > *"),
        ("/?status", "#health .rows"),
    ],
)
def test_axe_finds_nothing_serious_in_light_or_dark(page: Page, address: str, ready: str) -> None:
    page.goto(address)
    expect(page.locator(ready).first).to_be_visible()
    expect(page.locator("#pulse")).to_have_attribute("data-state", re.compile("."))
    assert serious(page) == []
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    assert serious(page) == []


def test_a_server_that_knows_nobody_here_asks_for_a_token(browser: Browser, tmp_path: Path) -> None:
    with dowse.open(tmp_path / "guarded.dowse") as workspace:
        workspace.put(kind="page", title="Behind the gate", content="Only for those with a token.")
        secret = workspace.add_token("reader", capabilities=("SearchUse", "Read")).secret
        with served(workspace, host="0.0.0.0", hosts=("127.0.0.1",)) as address:
            opened = browser.new_page(base_url=address)
            opened.goto("/?q=gate")
            dialog = opened.get_by_role("dialog", name="Access token")
            dialog.get_by_label("Token").fill("wrong")
            dialog.get_by_role("button", name="Use it").click()
            expect(dialog).to_contain_text("not accepted")
            dialog.get_by_label("Token").fill(secret)
            dialog.get_by_role("button", name="Use it").click()
            expect(opened.get_by_role("option").first).to_contain_text("Behind the gate")
            opened.close()
