/** Document to View: the JSON text that a caller gets for a stored record. */
import type { Resource } from '../define.ts';
import { parseStored, stringify } from '../json/json.ts';
import { textWithoutPins } from '../pins.ts';
import { type JsonObject, setMember } from '../values.ts';

/** The parts of a stored record that presenting needs. */
export interface Presentable {
  readonly unique_identifier: string;
  readonly account: string;
  readonly anchor: string | null;
  /** `null` for accounts. */
  readonly external_identifier: string | null;
  /** Canonical compact JSON text of an object: numbers lossless. */
  readonly document: string;
  readonly inserted_at: number;
  readonly updated_at: number;
}

/** The object that upserts answer, as JSON text: the stored text is put in as it is, never parsed. */
export function presentRecord(resource: Resource, record: Presentable): string {
  const home =
    resource.homeMember === undefined
      ? ''
      : `"${resource.homeMember}":"${homeOf(resource, record)}",`;
  const external =
    record.external_identifier === null
      ? ''
      : `"external_identifier":${JSON.stringify(record.external_identifier)},`;
  const inside = textWithoutPins(record.document).slice(1, -1);
  return `{"object":"${resource.name}","unique_identifier":"${record.unique_identifier}",${external}${home}${inside}${inside === '' ? '' : ','}${times(record)}}`;
}

/** The response for a removed record. */
export function presentRemoved({ name }: Resource, unique_identifier: string): string {
  return `{"object":"${name}","unique_identifier":"${unique_identifier}","deleted":true}`;
}

/** An entry of a list, as JSON text. */
export function presentEntry(resource: Resource, record: Presentable): string {
  const shown = resource.list.entry;
  if (shown === undefined) return presentRecord(resource, record);
  const document = parseStored(record.document) as JsonObject;
  const entry: JsonObject = {};
  for (const [name, member] of Object.entries(shown)) {
    if (Object.hasOwn(document, member)) setMember(entry, name, document[member] ?? null);
  }
  return `{"unique_identifier":"${record.unique_identifier}",${stringify(entry).slice(1, -1)},${times(record)}}`;
}

/** The response for one record, as JSON text. For the root it is its entry. */
export function presentOne(resource: Resource, record: Presentable): string {
  return resource.parent === undefined
    ? presentEntry(resource, record)
    : presentRecord(resource, record);
}

/** The object with members added at its end; all are JSON texts. */
export function withMembers(
  object: string,
  members: readonly { readonly name: string; readonly value: string }[],
): string {
  const added = members.map(({ name, value }) => `,"${name}":${value}`);
  return `${object.slice(0, -1)}${added.join('')}}`;
}

/** The number of records of a list: `count`, or more than that. */
export interface Total {
  readonly count: number;
  readonly more: boolean;
}

/** Characters from which on a piece of a list ends. */
const PIECE = 65_536;

/**
 * The JSON text of a list, in pieces. Each entry is requested when its piece is made: a long list is never in memory as
 * a whole. `erased`: how many records of what the list is limited to were erased.
 */
export function* presentList(
  { path }: Resource,
  entries: Iterable<string>,
  hasMore: boolean,
  { total, erased = 0 }: { readonly total?: Total | undefined; readonly erased?: number } = {},
): Generator<string, void> {
  const inAll = total === undefined ? '' : `"total":${JSON.stringify(total)},`;
  const counted = erased === 0 ? inAll : `${inAll}"erased":${erased},`;
  let piece = `{"object":"list","url":"/v1/${path}","has_more":${hasMore},${counted}"data":[`;
  let comma = '';
  for (const entry of entries) {
    piece += comma + entry;
    comma = ',';
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}]}`;
}

/** A time in UTC, whole seconds, as `YYYY-MM-DDTHH:MM:SSZ`. */
export const presentTime = rememberingTime();
/** Caches for the two times of a record: one cache for both would always miss. */
const presentInserted = rememberingTime();

/** Caches the last second and its text: most answers have times of the same one. */
function rememberingTime(): (ms: number) => string {
  let lastSecond = Number.NaN;
  let lastText = '';
  return (ms) => {
    const second = Math.floor(ms / 1000);
    if (second !== lastSecond) {
      lastSecond = second;
      lastText = `${new Date(ms).toISOString().slice(0, 19)}Z`;
    }
    return lastText;
  };
}

function times({ inserted_at, updated_at }: Presentable): string {
  const updated = presentTime(updated_at);
  const inserted = inserted_at === updated_at ? updated : presentInserted(inserted_at);
  return `"inserted_at":"${inserted}","updated_at":"${updated}"`;
}

/** The anchor below an anchor, otherwise the account: an anchor belongs to its account. */
function homeOf(resource: Resource, record: Presentable): string {
  return resource.anchor || record.anchor === null ? record.account : record.anchor;
}
