/** Makes the JSON body of an upsert of the cells of a row. */
import type { FieldTarget } from './target.ts';

/** What an empty cell says. */
export type Empty = 'keep' | 'remove';

/** A member of a body: a cell, or members of its own. */
type Node = { readonly cell: number; readonly holds: FieldTarget['holds'] } | Branch;

interface Branch {
  isArray: boolean;
  readonly members: Map<string, Node>;
}

export class BodyWriter {
  readonly #root: Branch = { isArray: false, members: new Map() };
  readonly #empty: Empty;

  /** `targets` are those of the cells, in their order; `undefined` for one that is passed over. */
  constructor(targets: readonly (FieldTarget | undefined)[], empty: Empty) {
    this.#empty = empty;
    for (const [cell, target] of targets.entries()) {
      if (target !== undefined) this.#place(target, cell);
    }
  }

  /** As JSON text. What a field cannot take stands there as a text, for the upsert to refuse. */
  write(cells: readonly string[]): string {
    return this.#branch(this.#root, cells) ?? '{}';
  }

  #place({ steps, holds, isElement }: FieldTarget, cell: number): void {
    let at = this.#root;
    for (const step of steps.slice(0, -1)) {
      const found = at.members.get(step);
      const next =
        found !== undefined && 'members' in found ? found : { isArray: false, members: new Map() };
      at.members.set(step, next);
      at = next;
    }
    at.isArray = isElement;
    at.members.set(steps.at(-1) as string, { cell, holds });
  }

  /** `undefined` where no cell in it says anything. */
  #branch({ isArray, members }: Branch, cells: readonly string[]): string | undefined {
    const parts: string[] = [];
    let filled = false;
    for (const [name, node] of members) {
      const text =
        'members' in node
          ? this.#branch(node, cells)
          : cellJson(cells[node.cell] ?? '', node.holds);
      filled ||= text !== undefined;
      if (text === undefined && (isArray || this.#empty === 'keep')) continue;
      parts.push(isArray ? (text as string) : `${JSON.stringify(name)}:${text ?? 'null'}`);
    }
    if (!filled) return undefined;
    return isArray ? `[${parts.join(',')}]` : `{${parts.join(',')}}`;
  }
}

/** `undefined` for an empty cell. */
function cellJson(cell: string, holds: FieldTarget['holds']): string | undefined {
  if (cell === '') return undefined;
  if (holds === 'boolean') return BOOLEANS.get(cell.trim().toLowerCase()) ?? JSON.stringify(cell);
  if (holds === 'number' && /^\d{1,40}$/.test(cell)) return String(BigInt(cell));
  if (holds === 'list' && !isJson(cell)) return JSON.stringify(cell.trim().split(/\s+/));
  return holds !== 'text' && isJson(cell) ? cell : JSON.stringify(cell);
}

/** As people and their programs write them. */
export const BOOLEANS: ReadonlyMap<string, string> = new Map([
  ['true', 'true'],
  ['yes', 'true'],
  ['y', 'true'],
  ['1', 'true'],
  ['false', 'false'],
  ['no', 'false'],
  ['n', 'false'],
  ['0', 'false'],
]);

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
