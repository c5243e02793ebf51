// Which small picture stands for which kind? Strokes on a field of sixteen by sixteen.
import { s } from "/page/static/dom.js";
import { kindColour } from "/page/static/words.js";

const PATHS = {
  function: "M11.5 3.2c-2.6-.9-3.6.4-3.9 2.4L6.4 12c-.3 1.6-1.3 2-2.6 1.5M5 7h5.5",
  class: "M3 3.5h10v9H3zM3 6.5h10",
  symbol: "M6 3c-2 0-2 1-2 2.500S3.500 8 2.500 8C3.500 8 4 9 4 10.500S4 13 6 13M10 3c2 0 2 1 2 2.500S12.500 8 13.500 8C12.500 8 12 9 12 10.500S12 13 10 13",
  codefile: "M4 2h5.500L12.500 5v9H4zM9 2v3.500h3.500M7 8l-1.500 1.500L7 11M9.500 8L11 9.500 9.500 11",
  document: "M4 2h5.500L12.500 5v9H4zM9 2v3.500h3.500M6 8.500h4.500M6 11h4.500",
  section: "M3 4h10M3 8h10M3 12h6",
  snippet: "M5.500 5L2.500 8l3 3M10.500 5l3 3-3 3",
  item: "M3 3h10v10H3z",
  "item-work": "M3 3h10v10H3zM6 8h4",
  "item-review": "M3 3h10v10H3zM8 6v4M6 8h4",
  "item-blocked": "M3 3h10v10H3zM6 6l4 4M10 6l-4 4",
  "item-terminal": "M3 3h10v10H3zM5.500 8l2 2 3-4",
  note: "M3 13l.6-2.800L10.500 3.300l2.200 2.200L5.800 12.400z",
  page: "M3 3.500c2-.8 4-.5 5 .7 1-1.200 3-1.500 5-.7v9c-2-.8-4-.5-5 .7-1-1.200-3-1.500-5-.7zM8 4.200v9",
  knowledge: "M8 2a4 4 0 0 1 2.200 7.300V11H5.800V9.300A4 4 0 0 1 8 2zM6.300 13.500h3.400",
  skill: "M9 2L4 9h3.500L7 14l5-7H8.500z",
  node: "M8 2l5.200 3v6L8 14l-5.200-3V5z",
  chunk: "M3 5h10M3 8h10M3 11h6",
  library: "M3 3v10M6 3v10M9.200 3.400l3.400 9.400",
  version: "M8.500 2.500H13v4.500l-6 6L2.500 8.500zM10.600 5.300v.1",
  file: "M4 2h5.500L12.500 5v9H4zM9 2v3.500h3.500",
  sun: "M8 5.200a2.800 2.800 0 1 1 0 5.600 2.800 2.800 0 0 1 0-5.600zM8 1.500v1.300M8 13.200v1.300M1.500 8h1.300M13.200 8h1.300M3.400 3.400l.9.9M11.700 11.700l.9.9M12.600 3.400l-.9.9M4.300 11.700l-.9.9",
  moon: "M13 9.500A5.500 5.500 0 0 1 6.500 3 5.500 5.500 0 1 0 13 9.500z",
  auto: "M8 2.500a5.500 5.500 0 1 1 0 11 5.500 5.500 0 0 1 0-11zM8 2.500v11M8 5l4.500-1M8 8h5.500M8 11l4.500 1",
  copy: "M6 6h7v7H6zM10 6V3H3v7h3",
  close: "M4 4l8 8M12 4l-8 8",
  open: "M9 3h4v4M13 3L7.500 8.500M11 9.500V13H3V5h3.500",
};

const TYPES = new Set(["class", "interface", "type", "enum", "struct", "trait"]);

function nameOf(record) {
  const facets = record.facets ?? {};
  if (record.kind === "symbol") return TYPES.has(facets.symbolKind) ? "class" : /function|method/.test(facets.symbolKind ?? "") ? "function" : "symbol";
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
