// Which small picture stands for which kind? Strokes on a field of sixteen by sixteen.
import { s } from "./dom.js";
import { kindColour } from "./words.js";

const PATHS = {
  function: "M11.5 3.2c-2.6-.9-3.6.4-3.9 2.4L6.4 12c-.3 1.6-1.3 2-2.6 1.5M5 7h5.5",
  class: "M3 3.5h10v9H3zM3 6.5h10",
  symbol:
    "M6 3c-2 0-2 1-2 2.5S3.5 8 2.5 8C3.5 8 4 9 4 10.5S4 13 6 13M10 3c2 0 2 1 2 2.5S12.5 8 13.5 8C12.5 8 12 9 12 10.5S12 13 10 13",
  codefile: "M4 2h5.5L12.5 5v9H4zM9 2v3.5h3.5M7 8l-1.5 1.5L7 11M9.5 8L11 9.5 9.5 11",
  document: "M4 2h5.5L12.5 5v9H4zM9 2v3.5h3.5M6 8.5h4.5M6 11h4.5",
  section: "M3 4h10M3 8h10M3 12h6",
  snippet: "M5.5 5L2.5 8l3 3M10.5 5l3 3-3 3",
  item: "M3 3h10v10H3z",
  "item-work": "M3 3h10v10H3zM6 8h4",
  "item-review": "M3 3h10v10H3zM8 6v4M6 8h4",
  "item-blocked": "M3 3h10v10H3zM6 6l4 4M10 6l-4 4",
  "item-terminal": "M3 3h10v10H3zM5.5 8l2 2 3-4",
  note: "M3 13l.6-2.8L10.5 3.3l2.2 2.2L5.8 12.4z",
  page: "M3 3.5c2-.8 4-.5 5 .7 1-1.2 3-1.5 5-.7v9c-2-.8-4-.5-5 .7-1-1.2-3-1.5-5-.7zM8 4.2v9",
  knowledge: "M8 2a4 4 0 0 1 2.2 7.3V11H5.8V9.3A4 4 0 0 1 8 2zM6.3 13.5h3.4",
  skill: "M9 2L4 9h3.5L7 14l5-7H8.5z",
  node: "M8 2l5.2 3v6L8 14l-5.2-3V5z",
  chunk: "M3 5h10M3 8h10M3 11h6",
  library: "M3 3v10M6 3v10M9.2 3.4l3.4 9.4",
  version: "M8.5 2.5H13v4.5l-6 6L2.5 8.5zM10.6 5.3v.1",
  file: "M4 2h5.5L12.5 5v9H4zM9 2v3.5h3.5",
  sun: "M8 5.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6zM8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9",
  moon: "M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5z",
  auto: "M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zM8 2.5v11",
  copy: "M6 6h7v7H6zM10 6V3H3v7h3",
  close: "M4 4l8 8M12 4l-8 8",
  open: "M9 3h4v4M13 3L7.5 8.5M11 9.5V13H3V5h3.5",
};

const TYPES = new Set(["class", "interface", "type", "enum", "struct", "trait"]);

function nameOf(record) {
  const facets = record.facets ?? {};
  if (record.kind === "symbol")
    return TYPES.has(facets.symbolKind) ? "class" : /function|method/.test(facets.symbolKind ?? "") ? "function" : "symbol";
  if (record.kind === "item" && PATHS[`item-${facets.role}`]) return `item-${facets.role}`;
  return record.kind;
}

export function icon(name) {
  return s("svg", { viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true" }, s("path", { d: PATHS[name] ?? PATHS.file }));
}

export function kindIcon(record) {
  const made = icon(nameOf(record));
  made.style.setProperty("--kind", kindColour(record.kind));
  made.classList.add("kind");
  return made;
}

export const pathOf = (record) => PATHS[nameOf(record)] ?? PATHS.file;
