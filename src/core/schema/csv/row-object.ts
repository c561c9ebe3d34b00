/** Makes an object, like the body of an upsert, from the cells of a row. */
import { Faults } from '../../errors.ts';
import { parseJsonBody } from '../json/json.ts';
import { textFault } from '../text.ts';
import { type Json, type JsonObject, setMember } from '../values.ts';
import type { ColumnTarget } from './targets.ts';

/** An object or array: each member is a node, too, or the index of its cell. */
interface Branch {
  isArray: boolean;
  readonly members: [name: string, Branch | number][];
}

/** Gives the value of the cell in that place; `undefined`: it sends nothing. */
export type ValueAt = (place: number) => Json | undefined;

/**
 * Returns a function that makes the object of a row. `targets` are those of its cells, in their order; `undefined` for a
 * cell that is ignored. With `nulls`, members without a cell are `null`, and so removed.
 */
export function rowMaker(
  targets: readonly (ColumnTarget | undefined)[],
): (valueAt: ValueAt, nulls?: boolean) => JsonObject {
  const root: Branch = { isArray: false, members: [] };
  for (const [place, target] of targets.entries()) {
    if (target !== undefined) put(root, target, place);
  }
  return (valueAt, nulls = false) => {
    const sent: JsonObject = {};
    fill(root, sent, valueAt, nulls);
    return sent;
  };
}

function put(root: Branch, { steps, within }: ColumnTarget, place: number): void {
  let at = root;
  for (const step of steps.slice(0, -1)) {
    let next = at.members.find(([name]) => name === step)?.[1];
    if (typeof next !== 'object') {
      next = { isArray: false, members: [] };
      at.members.push([step, next]);
    }
    at = next;
  }
  at.isArray = within === 'array';
  at.members.push([steps.at(-1) as string, place]);
}

function fill(
  { members }: Branch,
  into: JsonObject | Json[],
  valueAt: ValueAt,
  nulls: boolean,
): boolean {
  let filled = false;
  for (const [name, member] of members) {
    let value: Json | undefined;
    if (typeof member === 'number') value = valueAt(member);
    else {
      const inside = member.isArray ? [] : {};
      if (fill(member, inside, valueAt, nulls)) value = inside;
    }
    filled ||= value !== undefined;
    if (Array.isArray(into)) {
      if (value !== undefined) into.push(value);
    } else if (value !== undefined || nulls) setMember(into, name, value ?? null);
  }
  return filled;
}

/** The value of a cell: its text, or the JSON in it if the parameter is an array or an object. `undefined` after a fault. */
export function cellValue(
  { name, holds }: Pick<ColumnTarget, 'name' | 'holds'>,
  cell: string,
  faults: Faults,
): Json | undefined {
  const fault = textFault(cell);
  if (fault !== undefined) {
    const message = `${name} has ${fault}, which cannot be stored; send it without.`;
    faults.add(name, 'text_invalid', message);
    return undefined;
  }
  if (holds !== 'list' && holds !== 'json') return cell;
  const read = new Faults();
  const value = parseJsonBody(Buffer.from(cell), read);
  for (const { param, code, message } of read.named) {
    const at = param === undefined ? name : `${name}.${param}`;
    faults.add(at, code, `${name} must hold JSON in its cell. ${message}`);
  }
  return value;
}
