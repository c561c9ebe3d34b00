/** Finds expansions of records: one read per resource, regardless of the number of records. */
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { ApiError } from '../../core/errors.ts';
import { type StoredSource, sharedWriterOf } from '../../core/objects/source.ts';
import {
  ancestorsOf,
  type Expand,
  IDENTIFIERS,
  identifierNames,
  perResource,
  type Resource,
  SOURCE,
} from '../../core/schema/define.ts';
import { parseStored } from '../../core/schema/json/json.ts';
import { expandOf } from '../../core/schema/parse/parse-list.ts';
import { isPinned, memberOf, pinsIn } from '../../core/schema/pins.ts';
import { presentOne, withMembers } from '../../core/schema/present/present.ts';
import { aboveNames } from '../../core/schema/row.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import type { SourceBook } from '../../store/books/feeds/sources.ts';
import {
  type AnsweredRecord,
  type Filter,
  type Scope,
  type Store,
  type StoredRecord,
  StoreUnavailable,
  StoreUnsure,
} from '../../store/promises/store.ts';
import { authorize, type Principal } from '../auth/principal.ts';

/** Records whose expansions are read at once. */
const TOGETHER = 250;
/** About the bytes that a response adds to a record's document. */
const OTHER_BYTES = 512;

/** Returns the expansions of a record: only those that the key may see, and that still exist. */
type Expander = (record: AnsweredRecord) => readonly Expansion[];

/** Throws `permission_denied` unless the key may read all expansions. */
export function authorizeExpand(
  principal: Principal,
  resource: Resource,
  { resources, others }: Expand,
): void {
  for (const { path } of resources) authorize(principal, path, 'read');
  if (!others.includes(IDENTIFIERS)) return;
  for (const { path, parent } of ancestorsOf(resource)) {
    // The root has no caller's identifier: its part in every record is not a secret.
    if (parent !== undefined) authorize(principal, path, 'read');
  }
}

type Expanding = Pick<Store, 'findAll' | 'sources' | 'said'>;

export async function expanderOf(
  store: Expanding,
  { scope }: Principal,
  resource: Resource,
  records: readonly AnsweredRecord[],
  { resources, others }: Expand,
): Promise<Expander> {
  const expansions = await Promise.all([
    ...resources.map(async (one) => {
      const aboves = await foundBy(store, one, records, (record) => ancestorOf(record, one), scope);
      return (record: AnsweredRecord) => {
        const above = aboves.get(ancestorOf(record, one) ?? '');
        return above && expansionOf(one, above);
      };
    }),
    ...others.map((name) => (OTHERS[name] ?? saidExpansion(name))(store, resource, records, scope)),
  ]);
  return (record) => expansions.flatMap((expansionOf) => expansionOf?.(record) ?? []);
}

function expansionOf(resource: Resource, record: StoredRecord): Expansion {
  return {
    name: resource.name,
    tag: `${resource.name}=${record.version}`,
    bytes: bytesOf(record),
    text: () => presentOne(resource, record),
  };
}

/** About the length of a record's object. */
export function bytesOf({ document }: StoredRecord): number {
  return Buffer.byteLength(document) + OTHER_BYTES;
}

/** The unique identifier of this record's ancestor of that resource. */
export function ancestorOf(
  record: Pick<AnsweredRecord, 'account' | 'anchor' | 'parent'>,
  { anchor, parent }: Resource,
): string | null {
  if (parent === undefined) return record.account;
  return anchor ? record.anchor : record.parent;
}

/** An expansion of records that a feature says. */
const saidExpansion =
  (name: string): Expands =>
  async ({ said }, { shape }, records) => {
    const some = await said[name]?.(shape, records);
    return ({ unique_identifier }) => {
      const text = String(some?.has(unique_identifier));
      return { name, tag: `${name}=${text}`, bytes: text.length, text: () => text };
    };
  };

/** The object as JSON text, with a member for each expansion. */
export function shown(object: string, expansions: readonly Expansion[]): string {
  if (expansions.length === 0) return object;
  const members = expansions.map(({ name, text }) => ({ name, value: text() }));
  return withMembers(object, members);
}

export interface Entry {
  readonly record: StoredRecord;
  readonly expansions: readonly Expansion[];
}

/**
 * Records with their expansions, in order: as many as fit into `most` bytes, counting an expansion each time it
 * appears; at least one. At most some hundred expansions beyond these are read.
 */
export async function entriesUpTo(
  most: number,
  records: readonly StoredRecord[],
  expanderFor: (records: readonly StoredRecord[]) => Promise<Expander>,
) {
  const entries: Entry[] = [];
  let bytes = 0;
  for (let at = 0; at < records.length; at += TOGETHER) {
    const some = records.slice(at, at + TOGETHER);
    const expansionsOf = await expanderFor(some);
    for (const record of some) {
      const expansions = expansionsOf(record);
      const more = expansions.reduce((sum, one) => sum + one.bytes, bytesOf(record));
      if (bytes + more > most && expansions.length > 0 && entries.length > 0)
        return { entries, bytes };
      bytes += more;
      entries.push({ record, expansions });
    }
  }
  return { entries, bytes };
}

/**
 * Called before the write. Throws `permission_denied` if the key may not read a requested expansion; returns nothing if
 * none is requested. Call the result with the written record and the object of the response.
 */
export function createExpandWritten(store: Expanding) {
  return (principal: Principal, resource: Resource, query: string) => {
    if (query === '') return undefined;
    const expand = expandOf(resource, query);
    if (Object.values(expand).every(({ length }) => length === 0)) return undefined;
    authorizeExpand(principal, resource, expand);
    return async (record: AnsweredRecord, object: string): Promise<string> => {
      try {
        const expansionsOf = await expanderOf(store, principal, resource, [record], expand);
        return shown(object, expansionsOf(record));
      } catch (error) {
        // The record was saved: only its expansions could not be read.
        if (error instanceof StoreUnavailable) throw new StoreUnsure(error.message);
        throw error;
      }
    };
  };
}

/** Stands for the sources of the caller. */
const ME = 'me';

type Made = Pick<StoredRecord, 'created_by' | 'changed_by'>;

/** Who made each record, and who changed it last; `null`: unknown. */
async function sourceExpansion(
  store: Expanding,
  { shape }: Resource,
  records: readonly (AnsweredRecord & Partial<Made>)[],
  scope: Scope,
): Promise<(record: AnsweredRecord) => Expansion> {
  const all = await store.sources.list([...new Set(records.map(({ account }) => account))]);
  const byNumber = new Map(all.map((one) => [one.number, one]));
  // What was read from a receipt or from the log does not say it.
  const unsaid = records.filter(({ created_by }) => created_by === undefined);
  const ids = unsaid.map(({ unique_identifier }) => unique_identifier);
  const found = ids.length === 0 ? [] : await store.findAll(shape, ids, scope);
  const made = new Map<string, Partial<Made>>(
    [...records, ...found].map((one) => [one.unique_identifier, one]),
  );
  const shown = (number: number | null | undefined) => {
    const one = byNumber.get(number ?? 0);
    const root = byNumber.get(one?.merged_into ?? 0) ?? one;
    return root === undefined
      ? null
      : { unique_identifier: root.unique_identifier, name: root.name };
  };
  return ({ unique_identifier, document }) => {
    const { created_by, changed_by } = made.get(unique_identifier) ?? {};
    const text = JSON.stringify({
      created_by: shown(created_by),
      changed_by: shown(changed_by),
      pinned: isPinned(document) ? pinsIn(parseStored(document) as JsonObject).map(memberOf) : [],
    });
    return {
      name: SOURCE,
      // Names are in the answer, and change.
      tag: `${SOURCE}=${createHash('sha256').update(text).digest('base64url').slice(0, 16)}`,
      bytes: text.length,
      text: () => text,
    };
  };
}

/** The filter of a list by source: an identifier, or `me`. Throws `resource_missing` for one that is not there. */
export async function fromSource(
  { sources }: { readonly sources: SourceBook },
  { scope, key }: Principal,
  source: string | undefined,
): Promise<readonly Filter[]> {
  if (source === undefined) return [];
  const accounts = [...scope.accounts];
  const all = await sources.list(accounts);
  const wanted =
    source === ME
      ? await writtenAs(sources, accounts, key)
      : all.flatMap((one) => (one.unique_identifier === source ? one.number : []));
  const message = 'source is not the unique_identifier of a source that you may see, nor "me".';
  if (wanted.length === 0 && source !== ME)
    throw new ApiError('resource_missing', { param: SOURCE, message });
  const roots = new Set(all.filter(({ number }) => wanted.includes(number)).map(rootOf));
  const numbers = all.filter((one) => roots.has(rootOf(one))).map(({ number }) => number);
  return [{ by: 'created_by', is: '=', value: numbers.join() }];
}

async function writtenAs(sources: SourceBook, accounts: readonly string[], by: string) {
  const writers = await sources.writers(accounts);
  const names = new Set([by, sharedWriterOf(by)]);
  return writers.flatMap(({ writer, source }) => (names.has(writer) ? source : []));
}

function rootOf({ number, merged_into }: StoredSource): number {
  return merged_into ?? number;
}

/** An expansion in the response of one record: a member with its value as JSON. */
interface Expansion {
  readonly name: string;
  /** Distinguishes the value from every other of this member. */
  readonly tag: string;
  /** About the length of the value. */
  readonly bytes: number;
  readonly text: () => string;
}

/** Finds the records that these refer to, by unique identifier. */
async function foundBy(
  store: Pick<Store, 'findAll'>,
  { shape }: Resource,
  records: Iterable<AnsweredRecord>,
  name: (record: AnsweredRecord) => string | null,
  scope: Scope,
): Promise<ReadonlyMap<string, StoredRecord>> {
  const wanted = new Set(Array.from(records, (record) => name(record) ?? ''));
  const found = await store.findAll(shape, [...wanted], scope);
  return new Map(found.map((one) => [one.unique_identifier, one]));
}

/** The values of `identifierNames` for each record, in that order, read level by level: a record only names its parent. */
export async function identifiersOf(
  store: Pick<Store, 'findAll'>,
  resource: Resource,
  records: readonly AnsweredRecord[],
  scope: Scope,
): Promise<(record: AnsweredRecord) => readonly (string | null)[]> {
  const levels: ReadonlyMap<string, StoredRecord>[] = [];
  let below: Iterable<AnsweredRecord> = records;
  for (const one of ancestorsOf(resource)) {
    // Only the root's unique identifier is requested.
    if (one.parent === undefined) break;
    const level = await foundBy(store, one, below, ({ parent }) => parent, scope);
    levels.push(level);
    below = level.values();
  }
  return (record) => {
    const values: (string | null)[] = [record.unique_identifier, record.external_identifier];
    let at: AnsweredRecord | undefined = record;
    for (const level of levels) {
      at = level.get(at?.parent ?? '');
      values.push(at?.unique_identifier ?? null, at?.external_identifier ?? null);
    }
    values.push(record.account);
    return values;
  };
}

/** The identifiers of a row's parents, from the values of `identifiersOf`; `undefined` if one of those is gone. */
export function aboveOf(
  resource: Resource,
  values: readonly (string | null)[],
): readonly string[] | undefined {
  const above = rowPlaces(resource).map((at) => values[at] ?? null);
  return above.every((name) => name !== null) ? above : undefined;
}

const rowPlaces = perResource((resource) => {
  const names = identifierNames(resource);
  return aboveNames(resource).map((name) => names.indexOf(name));
});

/** All identifiers, as expansions. */
async function identifiersExpansion(
  ...[store, resource, records, scope]: Parameters<typeof identifiersOf>
): Promise<(record: AnsweredRecord) => Expansion> {
  const valuesOf = await identifiersOf(store, resource, records, scope);
  const names = identifierNames(resource);
  return (record) => {
    const values = valuesOf(record);
    const members = names.map((name, index) => [name, values[index] ?? undefined]);
    const text = JSON.stringify(Object.fromEntries(members));
    // It never changes.
    return { name: IDENTIFIERS, tag: IDENTIFIERS, bytes: text.length, text: () => text };
  };
}

type Expands = (
  store: Expanding,
  resource: Resource,
  records: readonly AnsweredRecord[],
  scope: Scope,
) => Promise<(record: AnsweredRecord) => Expansion>;

const OTHERS: Readonly<Record<string, Expands>> = {
  [IDENTIFIERS]: identifiersExpansion,
  [SOURCE]: sourceExpansion,
};
