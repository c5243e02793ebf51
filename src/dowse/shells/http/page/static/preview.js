// What is this record? Where it stands and what it says, why it was found, what lies around it and what links to it.
import { ask } from "./asking.js";
import { copy, fill, find, h } from "./dom.js";
import { editorMenu } from "./editors.js";
import { showGraph } from "./graph.js";
import { icon, kindIcon } from "./icons.js";
import { showLinks } from "./links.js";
import { change, state } from "./state.js";
import { showText } from "./text.js";
import { showWhy } from "./why.js";
import { ago, sort, where } from "./words.js";

const VIEWS = { text: ["Text", showText], why: ["Why this", showWhy], graph: ["Graph", showGraph], links: ["Links", showLinks] };

let controller = new AbortController();
let opener = null;
// The tabs are made anew with each view; whoever chose one keeps the focus there.
let toTab = false;

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
    const panel = h("div", {
      class: "panel",
      id: "panel",
      role: "tabpanel",
      tabindex: "0",
      "aria-labelledby": `view-${state.view}`,
    });
    fill(pane, head(record), tabs(), panel);
    if (toTab) find(`view-${state.view}`).focus({ preventScroll: true });
    toTab = false;
    if (isNew && matchMedia("(max-width: 760px)").matches) pane.focus();
    await VIEWS[state.view][1](panel, record, signal);
  } catch (error) {
    if (error.name === "AbortError") return;
    fill(
      pane,
      h("div", { class: "head" }, h("div", { class: "actions" }, closer())),
      h("p", { class: "wrong panel", text: error.message }),
    );
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

const closer = () =>
  h("button", { class: "tool", type: "button", "aria-label": "Close the preview", click: closePreview }, icon("close"));

function head(record) {
  const place = where(record) || record.key;
  return h(
    "div",
    { class: "head" },
    h(
      "div",
      { class: "actions" },
      crumbs(record),
      editorMenu(record.file),
      h(
        "button",
        {
          class: "tool",
          type: "button",
          "aria-label": `Copy ${place}`,
          title: "Copy the path",
          click: () => copy(place, "the path"),
        },
        icon("copy"),
      ),
      closer(),
    ),
    h("h2", {}, kindIcon(record), h("span", { class: record.kind === "symbol" ? "code-name" : "", text: record.title })),
    h(
      "div",
      { class: "meta" },
      h("span", { text: sort(record) }),
      record.facets.role && h("span", { class: "role", "data-role": record.facets.role, text: record.facets.role }),
      record.path &&
        h("span", {
          class: "path",
          text: where(record) + (record.lineEnd > record.line ? `–${record.lineEnd}` : ""),
        }),
      h("button", {
        class: "key",
        type: "button",
        title: "Copy the id",
        "aria-label": `Copy the id ${record.key}`,
        // A path says where it is; then the id is only there to be copied.
        text: record.path ? "copy id" : record.key,
        click: () => copy(record.key, "the id"),
      }),
      record.updated > 0 && h("span", { text: `changed ${ago(record.updated)}` }),
      record.tags.map((tag) => h("span", { class: "tag", text: tag })),
    ),
  );
}

function crumbs(record) {
  const above = record.crumbs.map((item) =>
    h("li", {}, h("button", { type: "button", text: item.title, click: () => change({ open: item.key, view: "text" }) })),
  );
  return h(
    "nav",
    { class: "crumbs", "aria-label": "Where it stands" },
    h("ol", {}, record.space && h("li", { text: record.space }), above),
  );
}

function choose(view) {
  toTab = view !== state.view;
  change({ view }, "viewing");
}

function tabs() {
  const names = Object.keys(VIEWS);
  const move = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    choose(names[(names.indexOf(state.view) + step + names.length) % names.length]);
  };
  return h(
    "div",
    { class: "views", role: "tablist", "aria-label": "What to show of it", keydown: move },
    names.map((name) =>
      h("button", {
        role: "tab",
        type: "button",
        id: `view-${name}`,
        "aria-selected": String(name === state.view),
        "aria-controls": "panel",
        tabindex: name === state.view ? "0" : "-1",
        text: VIEWS[name][0],
        click: () => choose(name),
      }),
    ),
  );
}
