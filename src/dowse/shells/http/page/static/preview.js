// What is this record? Where it stands and what it says, why it was found, what lies around it and what links to it.
import { ask } from "/page/static/asking.js";
import { copy, fill, find, h } from "/page/static/dom.js";
import { editorMenu } from "/page/static/editors.js";
import { showGraph } from "/page/static/graph.js";
import { icon, kindIcon } from "/page/static/icons.js";
import { showLinks } from "/page/static/links.js";
import { change, state } from "/page/static/state.js";
import { showText } from "/page/static/text.js";
import { showWhy } from "/page/static/why.js";
import { ago, sort } from "/page/static/words.js";

const VIEWS = { text: ["Text", showText], why: ["Why this", showWhy], graph: ["Graph", showGraph], links: ["Links", showLinks] };

let controller = new AbortController();
let opener = null;

export async function showPreview(isNew) {
  controller.abort();
  controller = new AbortController();
  const { signal } = controller;
  const pane = find("preview");
  if (!state.open) return close(pane);
  if (pane.hidden) opener = document.activeElement;
  pane.hidden = false;
  find("stage").dataset.view = state.view;
  try {
    const record = await ask("/page/record", [["key", state.open]], signal);
    if (signal.aborted) return;
    const panel = h("div", { class: "panel", id: "panel", role: "tabpanel", tabindex: "0", "aria-labelledby": `view-${state.view}` });
    fill(pane, head(record), tabs(), panel);
    if (isNew && matchMedia("(max-width: 760px)").matches) pane.focus();
    await VIEWS[state.view][1](panel, record, signal);
  } catch (error) {
    if (error.name === "AbortError") return;
    fill(pane, h("div", { class: "head" }, h("div", { class: "actions" }, closer())), h("p", { class: "wrong panel", text: error.message }));
  }
}

function close(pane) {
  if (pane.hidden) return;
  const hadFocus = pane.contains(document.activeElement);
  pane.hidden = true;
  pane.replaceChildren();
  delete find("stage").dataset.view;
  if (hadFocus) (opener?.isConnected ? opener : find("hits")).focus();
}

export const closePreview = () => change({ open: "", view: "text" });

const closer = () => h("button", { class: "tool", type: "button", "aria-label": "Close the preview", click: closePreview }, icon("close"));

function head(record) {
  const place = record.path ? `${record.path}${record.line ? `:${record.line}` : ""}` : record.key;
  return h(
    "div",
    { class: "head" },
    h("div", { class: "actions" }, crumbs(record), editorMenu(record.file), h("button", { class: "tool", type: "button", "aria-label": `Copy ${place}`, title: "Copy the path", click: () => copy(place, "the path") }, icon("copy")), closer()),
    h("h2", {}, kindIcon(record), h("span", { class: record.kind === "symbol" ? "code-name" : "", text: record.title })),
    h(
      "div",
      { class: "meta" },
      h("span", { text: sort(record) }),
      record.facets.role && h("span", { class: `role ${record.facets.role}`, text: record.facets.role }),
      record.path && h("span", { class: "path", text: `${record.path}${record.line ? `:${record.line}${record.lineEnd > record.line ? `–${record.lineEnd}` : ""}` : ""}` }),
      h("button", { class: "key", type: "button", title: "Copy the id", "aria-label": `Copy the id ${record.key}`, text: record.key, click: () => copy(record.key, "the id") }),
      record.updated > 0 && h("span", { text: `changed ${ago(record.updated)}` }),
      record.tags.map((tag) => h("span", { class: "tag", text: tag })),
    ),
  );
}

function crumbs(record) {
  const above = record.crumbs.map((item) => h("li", {}, h("button", { type: "button", text: item.title, click: () => change({ open: item.key, view: "text" }) })));
  return h("nav", { class: "crumbs", "aria-label": "Where it stands" }, h("ol", {}, record.space && h("li", { text: record.space }), above));
}

function tabs() {
  const names = Object.keys(VIEWS);
  const move = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    change({ view: names[(names.indexOf(state.view) + step + names.length) % names.length] }, "viewing");
    requestAnimationFrame(() => focusView());
  };
  return h(
    "div",
    { class: "views", role: "tablist", "aria-label": "What to show of it", keydown: move },
    names.map((name) =>
      h("button", { role: "tab", type: "button", id: `view-${name}`, "aria-selected": String(name === state.view), "aria-controls": "panel", tabindex: name === state.view ? "0" : "-1", text: VIEWS[name][0], click: () => (change({ view: name }, "viewing"), (wanted = name)) }),
    ),
  );
}

// The tab is made anew with its record; the focus goes to it again.
let wanted = "";
function focusView() {
  wanted = state.view;
}
new MutationObserver(() => {
  const tab = wanted && document.getElementById(`view-${wanted}`);
  if (tab) [wanted] = ["", tab.focus({ preventScroll: true })];
}).observe(find("preview"), { childList: true });
