/** Finds expansions of records: one read per resource, regardless of the number of records. */
import { Buffer } from 'node:buffer';
import { ancestorsOf } from '../../core/schema/ancestors.ts';
import type { Resource } from '../../core/schema/define.ts';
import { type Expand, expandOf } from '../../core/schema/parse/parse-list.ts';
import { presentOne, withMembers } from '../../core/schema/present/present.ts';
import {
  type AnsweredRecord,
  type Store,
  type StoredRecord,
  StoreUnavailable,
  StoreUnsure,
} from '../../store/promises/store.ts';
import { authorize, type Principal } from '../auth/principal.ts';
import { type Expansion, foundBy, identifiersExpansion } from './expansion/identifiers.ts';
import { sourceExpansion } from './expansion/source.ts';

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
  { resources, identifiers }: Pick<Expand, 'resources' | 'identifiers'>,
): void {
  for (const { path } of resources) authorize(principal, path, 'read');
  if (!identifiers) return;
  for (const { path, parent } of ancestorsOf(resource)) {
    // The root has no caller's identifier: its part in every record is not a secret.
    if (parent !== undefined) authorize(principal, path, 'read');
  }
}

export async function expanderOf(
  store: Pick<Store, 'findAll' | 'sources'>,
  { scope }: Principal,
  resource: Resource,
  records: readonly AnsweredRecord[],
  { resources, identifiers, source }: Expand,
): Promise<Expander> {
  const expansions = await Promise.all([
    ...resources.map(async (one) => {
      const aboves = await foundBy(store, one, records, (record) => aboveOf(record, one), scope);
      return (record: AnsweredRecord) => {
        const above = aboves.get(aboveOf(record, one) ?? '');
        return above && expansionOf(one, above);
      };
    }),
    identifiers ? identifiersExpansion(store, resource, records, scope) : undefined,
    source ? sourceExpansion(store, resource, records, scope) : undefined,
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
function aboveOf(record: AnsweredRecord, { anchor, parent }: Resource): string | null {
  if (parent === undefined) return record.account;
  return anchor ? record.anchor : record.parent;
}

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
export function createExpandWritten(store: Pick<Store, 'findAll' | 'sources'>) {
  return (principal: Principal, resource: Resource, query: string) => {
    if (query === '') return undefined;
    const expand = expandOf(resource, query);
    const { resources, identifiers, source } = expand;
    if (resources.length === 0 && !identifiers && !source) return undefined;
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
