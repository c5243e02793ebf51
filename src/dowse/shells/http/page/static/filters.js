// How can the hits be narrowed? Kinds as tabs, facets beside the list, and what is chosen as chips.
import { fill, find, h } from "./dom.js";
import { chooseKind, chosen, nameOf, state, toggle } from "./state.js";
import { FACETS, KINDS, kindColour, kindNames, number } from "./words.js";

// So many values of a facet are seen without asking for more.
const SEEN = 6;
const unfolded = new Set();
const narrow = matchMedia("(max-width: 760px)");

export function showFilters(counts) {
  showTabs(counts.kind ?? {});
  showFacets(counts);
  showChips();
}

function showTabs(kinds) {
  const current = chosen("kind")[0] ?? "";
  const all = Object.values(kinds).reduce((sum, value) => sum + value, 0);
  const shown = { ...kinds, ...(current && !(current in kinds) ? { [current]: 0 } : {}) };
  fill(
    find("tabs"),
    tab("", "All", all, current),
    // Always in the same order, so that a tab stays where it was while someone types.
    Object.keys(KINDS)
      .filter((kind) => kind in shown)
      .map((kind) => tab(kind, kindNames(kind), shown[kind], current)),
  );
  find("tabs").hidden = false;
}

function tab(kind, name, count, current) {
  return h(
    "button",
    {
      class: "tab",
      type: "button",
      "aria-pressed": String(kind === current),
      "data-kind": kind || "all",
      style: { "--kind": kind ? kindColour(kind) : "var(--accent)" },
      click: () => chooseKind(kind),
    },
    h("span", { text: name }),
    h("span", { class: "count", text: number(count) }),
  );
}

function showFacets(counts) {
  const groups = Object.entries(counts).filter(
    ([name, values]) => name !== "kind" && (Object.keys(values).length > 1 || chosen(name).length),
  );
  const facets = find("facets");
  facets.hidden = !groups.length;
  const details = h(
    "details",
    { class: "fold", open: !narrow.matches },
    h("summary", { text: "Filters" }),
    groups.map(([name, values]) => group(name, values, counts)),
  );
  fill(facets, details);
}

function group(name, values, counts) {
  const on = chosen(name);
  const entries = Object.entries(values);
  for (const value of on) if (!(value in values)) entries.unshift([value, 0]);
  const seen = unfolded.has(name) ? entries : entries.slice(0, SEEN);
  const rest = entries.length - seen.length;
  return h(
    "fieldset",
    { class: "facet" },
    h("legend", { text: FACETS[name] ?? name }),
    seen.map(([value, count]) =>
      h(
        "label",
        { class: "value" },
        h("input", { type: "checkbox", checked: on.includes(value), "data-facet": name, value, change: () => toggle(name, value) }),
        h("span", { class: "name", text: said(name, value), title: value }),
        h("span", { class: "count", text: number(count) }),
      ),
    ),
    rest > 0 &&
      h("button", { class: "rest", type: "button", text: `${rest} more`, click: () => (unfolded.add(name), showFacets(counts)) }),
  );
}

function showChips() {
  const shown = state.filters.filter(([key]) => key !== "kind");
  fill(
    find("chips"),
    shown.map(([key, value]) =>
      h(
        "button",
        {
          class: "chip",
          type: "button",
          "aria-label": `Take away the filter ${FACETS[nameOf(key)] ?? nameOf(key)} ${value}`,
          click: () => toggle(nameOf(key), value),
        },
        h("span", { class: "of", text: FACETS[nameOf(key)] ?? nameOf(key) }),
        h("span", { text: said(nameOf(key), value) }),
        h("span", { class: "x", text: "×" }),
      ),
    ),
  );
  find("chips").hidden = !shown.length;
}

const said = (name, value) => (name === "test" ? ({ true: "tests", false: "not tests" }[value] ?? value) : value || "(none)");
