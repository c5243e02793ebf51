// Which key does what? All of it without a mouse; keys that are letters rest while someone types.
import { fill, find, h } from "./dom.js";
import { closePreview } from "./preview.js";
import { found, open, select } from "./searching.js";
import { change, state } from "./state.js";

const KEYS = [
  [["/"], "go to the search"],
  [["↑", "↓"], "move through the results; also k and j"],
  [["Enter"], "open the preview"],
  [["Esc"], "close, then clear"],
  [["t"], "its text"],
  [["e"], "why it was found"],
  [["g"], "the graph around it"],
  [["l"], "what links to it"],
  [["s"], "status of the workspace"],
  [["?"], "these keys"],
];
const VIEWS = { t: "text", e: "why", g: "graph", l: "links" };

export function listenToKeys() {
  document.addEventListener("keydown", press);
  find("help").addEventListener("click", showKeys);
}

function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const target = event.target;
  const typing = target.matches("input:not([type=checkbox]), select, textarea");
  const inSearch = target === find("query");
  if (event.key === "Escape") return escape(event, inSearch);
  if (typing && !inSearch) return;
  const done = move(event, target, inSearch) || (!typing && letter(event));
  if (done) event.preventDefault();
}

// Arrows belong to the list when the search or the list has the focus, or nothing has.
function move(event, target, inSearch) {
  const inList = inSearch || target === find("hits") || target === document.body || target === find("main");
  if (!found.hits.length) return false;
  if ((event.key === "ArrowDown" && inList) || (event.key === "j" && !inSearch)) select(found.at + 1);
  else if ((event.key === "ArrowUp" && inList) || (event.key === "k" && !inSearch)) select(found.at - 1);
  else if (event.key === "Home" && target === find("hits")) select(0);
  else if (event.key === "End" && target === find("hits")) select(found.hits.length - 1);
  else if (event.key === "Enter" && inList) open(found.at);
  else return false;
  return true;
}

function letter(event) {
  if (event.key === "/") find("query").select();
  else if (event.key === "?") showKeys();
  else if (event.key === "s") change({ status: true, query: "", filters: [], open: "" });
  else if (VIEWS[event.key] && state.open) change({ view: VIEWS[event.key] }, "viewing");
  else if (VIEWS[event.key] && found.hits.length) open(found.at, VIEWS[event.key]);
  else return false;
  if (event.key === "/") find("query").focus();
  return true;
}

function escape(event, inSearch) {
  event.preventDefault();
  if (state.open) closePreview();
  else if (state.query || state.status) change({ query: "", filters: [], status: false });
  else if (inSearch) find("query").blur();
}

function showKeys() {
  const dialog = find("keys");
  fill(
    dialog,
    h("h2", { text: "Keys" }),
    h(
      "dl",
      { class: "keys" },
      KEYS.flatMap(([keys, about]) => [
        h(
          "dt",
          {},
          keys.map((key) => h("kbd", { text: key })),
        ),
        h("dd", { text: about }),
      ]),
    ),
    h(
      "p",
      { class: "quiet" },
      "In a query: ",
      h("code", { text: '"exact words"' }),
      ", ",
      h("code", { text: "-without" }),
      ", ",
      h("code", { text: "begin*" }),
      ", ",
      h("code", { text: "title:word" }),
      ", ",
      h("code", { text: "a OR b" }),
      ".",
    ),
    h("button", { class: "main", type: "button", text: "Close", click: () => dialog.close() }),
  );
  dialog.showModal();
}
