/** Finds what is put into answers with records: one look for each resource, however many records there are. */
import { Buffer } from 'node:buffer';
import { authorize, type Principal } from '../auth/principal.ts';
import { ancestorsOf, IDENTIFIERS, identifierNames } from '../schema/ancestors.ts';
import type { Resource } from '../schema/define.ts';
import type { Expand } from '../schema/parse-list.ts';
import { presentOne } from '../schema/present.ts';
import type { AnsweredRecord, Scope, Store, StoredRecord } from '../store/store.ts';

/** What is put into the answer for one record. */
export interface Expansion {
  /** Of the member that shows it. */
  readonly name: string;
  /** Tells it from every other that the member ever shows. */
  readonly tag: string;
  /** About how long it is. */
  readonly bytes: number;
  /** As JSON. */
  readonly text: () => string;
}

/** Gives the expansions of a record: only those that the key may see, and that are still there. */
export type Expander = (record: AnsweredRecord) => readonly Expansion[];

/** Throws `permission_denied` unless the key may read all that is put in. */
export function authorizeExpand(
  principal: Principal,
  resource: Resource,
  { resources, identifiers }: Expand,
): void {
  for (const { path } of resources) authorize(principal, path, 'read');
  if (!identifiers) return;
  for (const { path, parent } of ancestorsOf(resource)) {
    // The root has no identifier of a caller's own: what every record says of it is no secret.
    if (parent !== undefined) authorize(principal, path, 'read');
  }
}

export async function expanderOf(
  store: Pick<Store, 'findAll'>,
  { scope }: Principal,
  resource: Resource,
  records: readonly AnsweredRecord[],
  { resources, identifiers }: Expand,
): Promise<Expander> {
  const [found, identified] = await Promise.all([
    Promise.all(
      resources.map(async (one) => ({
        resource: one,
        byName: await foundBy(store, one, records, (record) => aboveOf(record, one), scope),
      })),
    ),
    identifiers ? identifiersOf(store, resource, records, scope) : undefined,
  ]);
  return (record) => [
    ...found.flatMap(({ resource: one, byName }) => {
      const above = byName.get(aboveOf(record, one) ?? '');
      return above === undefined ? [] : [expansionOf(one, above)];
    }),
    ...(identified === undefined ? [] : [identified(record)]),
  ];
}

/** What the records name, by unique identifier. */
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

function expansionOf(resource: Resource, record: StoredRecord): Expansion {
  return {
    name: resource.name,
    tag: `${resource.name}=${record.version}`,
    bytes: bytesOf(record),
    text: () => presentOne(resource, record),
  };
}

/** Of each record, looked for level by level: a record names no more than its parent. */
async function identifiersOf(
  store: Pick<Store, 'findAll'>,
  resource: Resource,
  records: readonly AnsweredRecord[],
  scope: Scope,
): Promise<(record: AnsweredRecord) => Expansion> {
  const levels: ReadonlyMap<string, StoredRecord>[] = [];
  let below: Iterable<AnsweredRecord> = records;
  for (const one of ancestorsOf(resource)) {
    // All that is asked of the root is its unique identifier.
    if (one.parent === undefined) break;
    const level = await foundBy(store, one, below, ({ parent }) => parent, scope);
    levels.push(level);
    below = level.values();
  }
  const names = identifierNames(resource);
  return (record) => {
    const values = [record.unique_identifier, record.external_identifier];
    let at: AnsweredRecord | undefined = record;
    for (const level of levels) {
      at = level.get(at?.parent ?? '');
      values.push(at?.unique_identifier ?? null, at?.external_identifier ?? null);
    }
    values.push(record.account);
    const members = names.map((name, index) => [name, values[index] ?? undefined]);
    const text = JSON.stringify(Object.fromEntries(members));
    // Nothing of it ever changes.
    return { name: IDENTIFIERS, tag: IDENTIFIERS, bytes: text.length, text: () => text };
  };
}

/** A record with what is put into it. */
export interface Entry {
  readonly record: StoredRecord;
  readonly expansions: readonly Expansion[];
}

/** How many records' expansions are looked for at once. */
const TOGETHER = 250;
/** Of what is shown of a record besides its document, about. */
const OTHER_BYTES = 512;

/**
 * Records with their expansions, in their order: as many of them as come to no
 * more than so many bytes, an expansion counted each time that it is put in;
 * and one at least. Of those beyond, at most some hundred expansions are read.
 */
export async function entriesUpTo(
  most: number,
  records: readonly StoredRecord[],
  expanderFor: (records: readonly StoredRecord[]) => Promise<Expander>,
): Promise<{ readonly entries: readonly Entry[]; readonly bytes: number }> {
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

function bytesOf({ document }: StoredRecord): number {
  return Buffer.byteLength(document) + OTHER_BYTES;
}

/** The unique identifier of the record of that resource that this one is below. */
function aboveOf(record: AnsweredRecord, { anchor, parent }: Resource): string | null {
  if (parent === undefined) return record.account;
  return anchor ? record.anchor : record.parent;
}
