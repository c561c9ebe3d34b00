/** How changes are printed for people. Each is given as the JSON text that the API answers. */
import { parseStored, stringify } from '../schema/json/json.ts';
import type { Json, JsonObject } from '../schema/values.ts';
import { plain } from './output.ts';

const OUTCOME = 'restored'.length;

/** One line: when, what, which record, and the members that it changed. */
export function changeLine(text: string): string {
  const change = parseStored(text) as JsonObject;
  const { occurred_at, resource, record, version, changed } = change;
  const members = Array.isArray(changed) && changed.length > 0 ? `: ${changed.join(', ')}` : '';
  return plain(`${occurred_at}  ${outcomeOf(change)}  ${resource} ${record} v${version}${members}`);
}

/** An entry of a history: one line, and one below it for each member. */
export function historyLines(text: string): readonly string[] {
  const entry = parseStored(text) as JsonObject;
  const { occurred_at, version, key, changes } = entry;
  const by = key === null ? '' : ` by ${key}`;
  const head = `v${version}  ${occurred_at}  ${outcomeOf(entry).trimEnd()}${by}`;
  const members = Array.isArray(changes) ? changes.map((one) => memberLine(one as JsonObject)) : [];
  return [head, ...members].map(plain);
}

function memberLine({ member, before, after }: JsonObject): string {
  if (before === null) return `    + ${member}: ${shown(after)}`;
  if (after === null) return `    - ${member}: ${shown(before)}`;
  return `    ${member}: ${shown(before)} → ${shown(after)}`;
}

function shown(value: Json | undefined): string {
  return value === undefined ? '' : stringify(value);
}

function outcomeOf({ outcome }: JsonObject): string {
  return String(outcome).padEnd(OUTCOME);
}
