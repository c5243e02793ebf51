// What does the record say? Code with its lines, rendered Markdown, lists of words, and what hangs below it.
import { h, made } from "./dom.js";
import { kindIcon } from "./icons.js";
import { found } from "./searching.js";
import { change, state } from "./state.js";
import { capital, many, sort } from "./words.js";
import { brief } from "./welcome.js";

export function showText(panel, record) {
  const blocks = record.blocks.map((block, at) => [
    (at > 0 || block.words) && block.name !== "body" && h("h3", { text: capital(block.name) }),
    body(block),
  ]);
  panel.append(...blocks.flat().filter(Boolean));
  if (record.tree)
    panel.append(
      h("h3", { text: "Tasks around it" }),
      h("ul", { class: "tree", role: "tree", "aria-label": "Tasks" }, branch(record.tree, 1)),
    );
  if (record.below.length)
    panel.append(
      h("h3", { text: many(record.below.length, "part") }),
      h(
        "ul",
        { class: "briefs" },
        record.below.map((part) => h("li", {}, brief(part))),
      ),
    );
  const facts = Object.entries(record.facts);
  if (facts.length)
    panel.append(
      h(
        "dl",
        { class: "facts" },
        facts.flatMap(([name, value]) => [h("dt", { text: name }), h("dd", { text: value })]),
      ),
    );
  if (!panel.childElementCount)
    panel.append(h("p", { class: "quiet", text: "It has a name and a place, and no text of its own." }));
  openPages(panel);
  mark(panel, record);
}

function body(block) {
  if (block.words)
    return h(
      "p",
      { class: "words" },
      block.words.map((word) => h("code", { text: word })),
    );
  if (block.html !== undefined) return made("div", { class: "document" }, block.html);
  const isGap = block.start !== null && block.head.length > 0 && block.start > block.headLine + 1;
  const lines = [
    ...block.head.map((html, at) => line(html, at || block.start === null ? null : block.headLine)),
    ...(isGap ? [line("", "⋮", "gap")] : []),
    ...block.code.map((html, at) => line(html, block.start === null ? null : block.start + at)),
    ...(block.more ? [line(`${many(block.more, "more line")} not shown`, "⋮", "gap")] : []),
  ];
  return h(
    "div",
    { class: "code whole", tabindex: "0", role: "group", "aria-label": `Code, ${block.language || "plain"}` },
    h("table", { role: "presentation" }, h("tbody", {}, lines)),
  );
}

const line = (html, number, name = "") =>
  h("tr", { class: name }, h("td", { class: "number", "data-line": number ?? "" }), made("td", { class: "line" }, html || " "));

// Tasks as a tree in which arrows move, up and down and in and out.
function branch(item, level) {
  const children = item.children.length > 0;
  const row = h(
    "button",
    {
      type: "button",
      class: "brief",
      "aria-current": item.key === state.open ? "true" : null,
      tabindex: "-1",
      click: () => change({ open: item.key, view: "text" }),
    },
    kindIcon(item),
    h("span", { class: "name", text: item.title }),
    item.kind === "item"
      ? item.facets.role && h("span", { class: "role", "data-role": item.facets.role, text: item.facets.role })
      : h("span", { class: "place", text: sort(item) }),
  );
  return h(
    "li",
    {
      role: "treeitem",
      "aria-level": level,
      "aria-expanded": children ? "true" : null,
      "aria-selected": String(item.key === state.open),
      "aria-label": item.title,
      tabindex: item.key === state.open ? "0" : "-1",
      keydown: walk,
    },
    row,
    children &&
      h(
        "ul",
        { role: "group" },
        item.children.map((child) => branch(child, level + 1)),
      ),
  );
}

function walk(event) {
  const items = [...event.currentTarget.closest(".tree").querySelectorAll("[role=treeitem]")];
  const at = items.indexOf(event.target);
  const to = {
    ArrowDown: items[at + 1],
    ArrowUp: items[at - 1],
    ArrowLeft: event.target.parentElement.closest("[role=treeitem]"),
    ArrowRight: event.target.querySelector("[role=treeitem]"),
    Home: items[0],
    End: items.at(-1),
  }[event.key];
  if (event.key === "Enter" && at >= 0) event.target.querySelector("button").click();
  else if (!to) return;
  event.preventDefault();
  event.stopPropagation();
  to?.focus();
}

function openPages(panel) {
  for (const link of panel.querySelectorAll("a[data-page]")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      change({ open: link.dataset.page, view: "text" });
    });
  }
}

// Marks what the hit was found by, without touching the text: browsers that cannot do so show it unmarked.
function mark(panel, record) {
  if (!("highlights" in CSS)) return;
  CSS.highlights.delete("found");
  const hit = found.hits.find((one) => one.key === record.key);
  const words = hit
    ? [...document.querySelectorAll(`#hit-${found.hits.indexOf(hit)} mark`)].map((element) => element.textContent)
    : [];
  if (!words.length) return;
  const pattern = new RegExp(words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|"), "gi");
  const ranges = [];
  const texts = document.createTreeWalker(panel, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement.closest(".code, .document") ? 1 : 2,
  );
  while (texts.nextNode()) {
    for (const match of texts.currentNode.data.matchAll(pattern)) {
      const range = new Range();
      range.setStart(texts.currentNode, match.index);
      range.setEnd(texts.currentNode, match.index + match[0].length);
      ranges.push(range);
    }
  }
  CSS.highlights.set("found", new Highlight(...ranges));
}
