// What lies around it? A drawing that can be walked: who points here on the left, what it points at on the right.
import { ask } from "./asking.js";
import { h, s } from "./dom.js";
import { pathOf } from "./icons.js";
import { arrange, HEIGHT } from "./arranging.js";
import { change } from "./state.js";
import { kindColour, many, number, sort } from "./words.js";
import { brief } from "./welcome.js";

// A title is cut to what fits on a node, at so many pixels a letter; the list below has it whole.
const LETTER = 6.6;

export async function showGraph(panel, record, signal) {
  const told = await ask("/page/around", [["key", record.key]], signal);
  if (signal.aborted) return;
  panel.classList.add("graph-panel");
  if (told.nodes.length < 2)
    return panel.append(h("p", { class: "quiet", text: "Nothing is linked to this record, and it links to nothing." }));
  panel.append(
    h("p", { class: "quiet", text: said(told) }),
    h("div", { class: "graph", tabindex: "0", role: "group", "aria-label": "Graph; the list below it says the same" }, draw(told)),
    legend(told),
    list(told),
  );
  // On a narrow screen the drawing is wider than its place: its middle is what one came for.
  panel.querySelector(".centre").scrollIntoView({ inline: "center", block: "nearest" });
}

function said(told) {
  const rest = told.total - told.nodes.length;
  const left = rest > 0 ? `, ${number(rest)} more not drawn` : "";
  return `${many(told.nodes.length - 1, "record")} around it${left}. Choose one to go there.`;
}

const verb = (kind) => kind.replace(/_/g, " ");
const walkTo = (key) => change({ open: key, view: "graph" });

function draw(told) {
  const { places, wide, width, height } = arrange(told);
  const edges = told.edges
    .map((edge) => curve(edge, places.get(edge.source), places.get(edge.target), wide, told.centre))
    .filter(Boolean);
  const nodes = told.nodes.map((node) => drawNode(node, places.get(node.key), wide, node.key === told.centre));
  const arrow = s(
    "marker",
    { id: "arrow", viewBox: "0 0 8 8", refX: "7", refY: "4", markerWidth: "7", markerHeight: "7", orient: "auto-start-reverse" },
    s("path", { d: "M0 .8L7 4 0 7.2z", class: "arrow" }),
  );
  return s(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, width, height, class: "drawing", style: { "--least": `${Math.round(width * 0.7)}px` } },
    s("defs", {}, arrow),
    s("g", { class: "edges" }, edges),
    s("g", { class: "nodes" }, nodes),
  );
}

// From one side of a node to the near side of the other; what is in the same column bows outwards.
function curve(edge, from, to, wide, centre) {
  if (!from || !to) return null;
  const forward = from.column === to.column ? (from.column < 0 ? -1 : 1) : Math.sign(to.column - from.column);
  const same = from.column === to.column;
  const [x1, y1] = [from.x + (forward * wide) / 2, from.y];
  const [x2, y2] = [to.x + ((same ? forward : -forward) * wide) / 2, to.y];
  const bend = same ? 34 : Math.max(30, Math.abs(x2 - x1) / 2);
  const path = `M${x1} ${y1}C${x1 + forward * bend} ${y1} ${x2 + (same ? forward : -forward) * bend} ${y2} ${x2} ${y2}`;
  const direct = edge.source === centre || edge.target === centre;
  return s(
    "g",
    { class: direct ? "edge direct" : "edge", "data-kind": edge.kind },
    s("path", { d: path, "marker-end": "url(#arrow)" }),
    !same && label(edge, from, to, forward, wide, centre),
  );
}

// The kind of a link stands beside the node that is farther from the middle, where links have parted.
function label(edge, from, to, forward, wide, centre) {
  const outer = Math.abs(to.column) >= Math.abs(from.column) ? to : from;
  if (edge.source !== centre && edge.target !== centre && Math.abs(outer.column) < 2) return null;
  const side = outer === to ? -forward : forward;
  return s("text", {
    x: outer.x + side * (wide / 2 + 12),
    y: outer.y - 5,
    "text-anchor": side < 0 ? "end" : "start",
    text: verb(edge.kind),
  });
}

function drawNode(node, place, wide, isCentre) {
  const letters = Math.floor((wide - 34) / LETTER);
  const cut = node.title.length > letters ? `${node.title.slice(0, letters - 1)}…` : node.title;
  const go = () => walkTo(node.key);
  return s(
    "g",
    {
      class: isCentre ? "node centre" : "node",
      transform: `translate(${place.x - wide / 2} ${place.y - HEIGHT / 2})`,
      style: { "--kind": kindColour(node.kind) },
      role: "button",
      tabindex: "0",
      "data-key": node.key,
      "aria-label": `${node.title}, ${sort(node)}`,
      click: go,
      keydown: (event) => event.key === "Enter" && (event.stopPropagation(), go()),
    },
    s("title", { text: `${node.title}\n${sort(node)}${node.path ? ` · ${node.path}` : ""}` }),
    s("rect", { width: wide, height: HEIGHT, rx: 7 }),
    s(
      "svg",
      { x: 8, y: (HEIGHT - 14) / 2, width: 14, height: 14, viewBox: "0 0 16 16", class: "icon kind" },
      s("path", { d: pathOf(node) }),
    ),
    s("text", { x: 28, y: HEIGHT / 2 + 4, text: cut }),
  );
}

function legend(told) {
  const kinds = [...new Set(told.edges.map((edge) => edge.kind))].sort();
  return h(
    "ul",
    { class: "legend", "aria-label": "Kinds of links" },
    kinds.map((kind) => h("li", { "data-kind": kind }, h("i", { "aria-hidden": "true" }), verb(kind))),
  );
}

function list(told) {
  const nodes = new Map(told.nodes.map((node) => [node.key, node]));
  const near = told.edges.filter((edge) => edge.source === told.centre || edge.target === told.centre);
  const rows = near.map((edge) => {
    const outward = edge.source === told.centre;
    return h(
      "li",
      {},
      brief(nodes.get(outward ? edge.target : edge.source), outward ? `${verb(edge.kind)} →` : `← ${verb(edge.kind)}`, "graph"),
    );
  });
  return h("details", { class: "as-list", open: true }, h("summary", { text: "As a list" }), h("ul", { class: "briefs" }, rows));
}
