/** A change as responses show it. */
import type { Resource } from '../../core/schema/define.ts';
import { equalJson, parseStored, stringify } from '../../core/schema/json/json.ts';
import { memberOf, type Pin, pinsIn, withoutPins } from '../../core/schema/pins.ts';
import { presentTime, withMembers } from '../../core/schema/present/present.ts';
import { isObject, type Json, type JsonObject } from '../../core/schema/values.ts';
import type { SourceBook } from '../../store/books/feeds/sources.ts';
import type { LoggedChange } from '../../store/promises/log.ts';
import type { DocumentVersion, VersionStep } from '../../store/records/versions.ts';
import { type Principal, seesKey } from '../auth/principal.ts';

/** The authors of changes, as a reader is shown them. */
type WhoWrote = Awaited<ReturnType<typeof whoOf>>;

/** Looks up the authors of these changes of an account, as the caller is shown them. */
export async function whoOf(
  { sources }: { readonly sources: SourceBook },
  principal: Principal,
  account: string,
  changes: readonly LoggedChange[],
) {
  return {
    shows: (key: string) => seesKey(principal, key),
    sources: await sources.of(account, new Set(changes.map(({ by }) => by))),
  };
}

/** The change as JSON text. The key is shown to itself, and to callers that may see other keys. */
export function presentChange(id: string, change: LoggedChange, { shows, sources }: WhoWrote) {
  const { account, resource, record, anchor, version, by, occurred_at } = change;
  const outcome = outcomeOf(change);
  const isErased = outcome === 'erased';
  const key = by !== null && !isErased && shows(by) ? `"${by}"` : 'null';
  const from = sources.get(by)?.unique_identifier;
  const source = from === undefined ? 'null' : `"${from}"`;
  const location = anchor === null ? 'null' : `"${anchor}"`;
  return `{"object":"change","unique_identifier":"${id}","account":"${account}","resource":"${resource}","record":"${record}","location":${location},"outcome":"${outcome}","version":${version},"changed":${stringify(changedIn(change))},"key":${key},"source":${source},"occurred_at":"${presentTime(occurred_at)}"${isErased ? `,"erasure":"${by}"` : ''}}`;
}

/** The outcome as callers know it: what is proposed updates the record, too. */
export function outcomeOf({ outcome }: Pick<LoggedChange, 'outcome'>): string {
  return outcome === 'proposed' ? 'updated' : outcome;
}

/** The dotted names of the members that an update changed, if the log has its content. */
export function changedIn({ outcome, content }: LoggedChange): string[] {
  if (outcome === 'deleted' || content === null) return [];
  const patch = withoutPins(parseStored(content) as JsonObject);
  return Array.from(leaves(patch), ([name]) => name);
}

/** The members of a document, or those that a merge patch sets or removes, by their dotted names. */
function* leaves(object: JsonObject, prefix = ''): Generator<readonly [string, Json], void> {
  for (const [name, value] of Object.entries(object)) {
    if (isObject(value) && Object.keys(value).length > 0) yield* leaves(value, `${prefix}${name}.`);
    else yield [prefix + name, value];
  }
}

/** Presents a change with the value before and after; `null` if the log has no content. */
export function presentHistoryEntry(
  id: string,
  { change, before, after }: VersionStep,
  who: WhoWrote,
): string {
  const known = before !== 'unknown' && after !== 'unknown';
  const value = known ? stringify(memberChanges(before, after)) : 'null';
  const pins = known ? pinChanges(before, after) : [];
  return withMembers(presentChange(id, change, who), [
    { name: 'changes', value },
    ...(pins.length === 0 ? [] : [{ name: 'pins', value: stringify([...pins]) }]),
  ]);
}

/** The pins of a record that exists, after the change. */
function pinChanges(before: DocumentVersion, after: DocumentVersion): readonly JsonObject[] {
  if (typeof before === 'string' || typeof after === 'string') return [];
  const [from, to] = [pinsByMember(before), pinsByMember(after)];
  return [...new Set([...from.keys(), ...to.keys()])].flatMap((member) => {
    const what = whatBecame(from.get(member), to.get(member));
    if (what === undefined) return [];
    const [proposed = null] = to.get(member)?.proposal?.value ?? [];
    return [{ member, what, ...(what === 'proposed' ? { proposed } : {}) }];
  });
}

function pinsByMember(document: JsonObject): ReadonlyMap<string, Pin> {
  return new Map(pinsIn(document).map((pin) => [memberOf(pin), pin]));
}

function whatBecame(from: Pin | undefined, to: Pin | undefined): string | undefined {
  if (to === undefined) return 'ended';
  if (from?.at !== to.at) return 'pinned';
  const [was, is] = [from.proposal?.unique_identifier, to.proposal?.unique_identifier];
  if (was === is) return undefined;
  if (is !== undefined) return 'proposed';
  return from.said.length === to.said.length ? 'withdrawn' : 'kept';
}

/** The change of each member, by its dotted name; `null` stands for a missing member. */
function memberChanges(before: DocumentVersion, after: DocumentVersion): Json[] {
  const [from, to] = [membersOf(before), membersOf(after)];
  return [...new Set([...from.keys(), ...to.keys()])].flatMap((member) => {
    const [one, other] = [from.get(member) ?? null, to.get(member) ?? null];
    return equalJson(one, other) ? [] : [{ member, before: one, after: other }];
  });
}

function membersOf(document: DocumentVersion): ReadonlyMap<string, Json> {
  return new Map(typeof document === 'string' ? [] : leaves(withoutPins(document)));
}

/** Whether the key may see a change of the resource. A wipe concerns everything that it may see. */
export function sees(
  { resources: only, scope }: Principal,
  resource: Pick<Resource, 'path'> | undefined,
  { outcome, anchor }: Pick<LoggedChange, 'outcome' | 'anchor'>,
): boolean {
  if (outcome === 'wiped') return true;
  if (resource === undefined || only?.has(resource.path) === false) return false;
  return anchor === null || scope.anchors?.has(anchor) !== false;
}
