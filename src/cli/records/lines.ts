/** Changes of records, in lines. */
import { stringify } from '../../core/schema/json/json.ts';
import type { Json, JsonObject } from '../../core/schema/values.ts';
import type { Who } from '../directory.ts';
import { plain } from '../output.ts';

const OUTCOME = 'restored'.length;

/** One line of a change: when, what, which record, who did it, and the members that it changed. */
export async function changeLine(change: JsonObject, who: Who): Promise<string> {
  const { occurred_at, resource, record, version, changed } = change;
  const members = Array.isArray(changed) && changed.length > 0 ? `: ${changed.join(', ')}` : '';
  const what = `${occurred_at}  ${outcomeOf(change)}  ${resource} ${record} v${version}`;
  return plain(`${what}${await byWhom(change, who)}${members}`);
}

/** An entry of a history: one line, and one below it for each member. */
export async function historyLines(entry: JsonObject, who: Who): Promise<readonly string[]> {
  const { occurred_at, version, changes } = entry;
  const by = await byWhom(entry, who);
  const head = `v${version}  ${occurred_at}  ${outcomeOf(entry).trimEnd()}${by}`;
  const members = Array.isArray(changes) ? changes.map((one) => memberLine(one as JsonObject)) : [];
  return [head, ...members].map(plain);
}

async function byWhom({ key }: JsonObject, who: Who): Promise<string> {
  return typeof key === 'string' ? ` by ${await who(key)}` : '';
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
