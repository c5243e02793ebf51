// Where does each node of a neighbourhood stand? In columns by distance, always the same for the same records.

export const HEIGHT = 30;
const ROW = 42;
const EDGE = 14;
// Width of a node and of the gap beside it, by the number of columns: all of it fits beside the results.
const WIDTHS = { 1: [190, 0], 2: [190, 150], 3: [186, 130], 4: [160, 76], 5: [136, 50] };

// Places by key, the width of a node, and the size of the whole.
// A column is the distance from the middle; negative where links lead inwards.
export function arrange(told) {
  const columns = columnsOf(told);
  const byColumn = new Map();
  for (const node of told.nodes) byColumn.set(columns.get(node.key), [...(byColumn.get(columns.get(node.key)) ?? []), node]);
  const rows = Math.max(...[...byColumn.values()].map((nodes) => nodes.length));
  const numbers = [...byColumn.keys()].sort((a, b) => a - b);
  const [wide, gap] = WIDTHS[numbers.at(-1) - numbers[0] + 1];
  const height = Math.max(rows * ROW, 4 * ROW) + 2 * EDGE;
  const places = new Map();
  // From the middle outwards: who stands farther out stands beside whom it is tied to.
  for (const column of [...numbers].sort((a, b) => Math.abs(a) - Math.abs(b))) {
    const nodes = ordered(byColumn.get(column), told.edges, places);
    const step = Math.min(ROW * 1.6, (height - 2 * EDGE) / nodes.length);
    const top = height / 2 - (step * (nodes.length - 1)) / 2;
    nodes.forEach((node, at) =>
      places.set(node.key, { column, x: EDGE + wide / 2 + (column - numbers[0]) * (wide + gap), y: top + at * step }),
    );
  }
  return { places, wide, width: (numbers.at(-1) - numbers[0]) * (wide + gap) + wide + 2 * EDGE, height };
}

function columnsOf(told) {
  const columns = new Map([[told.centre, 0]]);
  for (const distance of [1, 2]) {
    for (const node of told.nodes.filter((one) => one.distance === distance))
      columns.set(node.key, side(node, told, columns) * distance);
  }
  return columns;
}

// Beside the middle, left of it what points at it and right what it points at; farther out, the side of most it is tied to.
function side(node, told, columns) {
  let sum = 0;
  for (const edge of told.edges) {
    const other = edge.source === node.key ? edge.target : edge.target === node.key ? edge.source : null;
    if (node.distance === 1 && other === told.centre) return edge.source === node.key ? -1 : 1;
    if (node.distance === 2 && other !== null) sum += Math.sign(columns.get(other) ?? 0);
  }
  return sum < 0 ? -1 : 1;
}

function ordered(nodes, edges, places) {
  const rank = (node) => {
    const tied = edges.filter((edge) => edge.source === node.key || edge.target === node.key);
    const heights = tied
      .map((edge) => places.get(edge.source === node.key ? edge.target : edge.source)?.y)
      .filter((y) => y !== undefined);
    const middle = heights.length ? heights.reduce((sum, y) => sum + y, 0) / heights.length : 0;
    return [middle, tied[0]?.kind ?? "", node.title, node.key];
  };
  const ranks = new Map(nodes.map((node) => [node.key, rank(node)]));
  return [...nodes].sort((a, b) => compare(ranks.get(a.key), ranks.get(b.key)));
}

function compare(a, b) {
  for (let at = 0; at < a.length; at += 1) if (a[at] !== b[at]) return a[at] < b[at] ? -1 : 1;
  return 0;
}
