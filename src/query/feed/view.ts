/** A change as it is answered. */
import { parseStored, stringify } from '../../schema/json/json.ts';
import { presentTime } from '../../schema/present.ts';
import { isObject, type JsonObject } from '../../schema/values.ts';
import type { LoggedChange } from '../../store/log.ts';

/** As JSON text. The key is shown to itself, and to whoever may see those of others. */
export function presentChange(
  id: string,
  change: LoggedChange,
  shows: (key: string) => boolean,
): string {
  const { account, resource, record, anchor, outcome, version, by, occurred_at } = change;
  const key = by !== null && shows(by) ? `"${by}"` : 'null';
  const location = anchor === null ? 'null' : `"${anchor}"`;
  return `{"object":"change","unique_identifier":"${id}","account":"${account}","resource":"${resource}","record":"${record}","location":${location},"outcome":"${outcome}","version":${version},"changed":${stringify([...changedIn(change)])},"key":${key},"occurred_at":"${presentTime(occurred_at)}"}`;
}

/** The dotted names of the members that an update has changed, as far as the log keeps them. */
function changedIn({ outcome, content }: LoggedChange): Iterable<string> {
  if (outcome !== 'updated' || content === null) return [];
  return leaves(parseStored(content) as JsonObject, '');
}

/** The dotted names of all members of a merge patch that set or remove something. */
export function* leaves(patch: JsonObject, prefix: string): Generator<string, void> {
  for (const [name, value] of Object.entries(patch)) {
    if (isObject(value) && Object.keys(value).length > 0) yield* leaves(value, `${prefix}${name}.`);
    else yield prefix + name;
  }
}
