/** Tables as a caller reads them: cells under names, and the upserts that they make. */

type Node = Map<string, Node | string>;

/** Members that a cell has as JSON; all others it has as text. */
const AS_JSON = /urls|metadata|data$|cents|is_|interested/;

/** The row as JSON text. */
export function rowOfCells(names: readonly string[], cells: readonly string[]): string {
  const row: Node = new Map();
  for (const [at, name] of names.entries()) {
    const cell = cells[at] ?? '';
    if (cell === '') continue;
    const steps = name.split('.');
    const last = steps.pop() ?? '';
    let inside = row;
    for (const step of steps) inside = inside.getOrInsertComputed(step, () => new Map()) as Node;
    inside.set(last, AS_JSON.test(last) ? cell : JSON.stringify(cell));
  }
  return textOf(row);
}

function textOf(node: Node): string {
  const members = Array.from(
    node,
    ([name, one]) => `${JSON.stringify(name)}:${typeof one === 'string' ? one : textOf(one)}`,
  );
  return `{${members.join()}}`;
}
