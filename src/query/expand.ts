/** Finds what records belong to, to be put into answers with them: one look for each resource, however many records there are. */
import { Buffer } from 'node:buffer';
import { authorize, type Principal } from '../auth/principal.ts';
import type { Resource } from '../schema/define.ts';
import type { Store, StoredRecord } from '../store/store.ts';

/** What one record belongs to, by the names of the members that show it. */
export interface Expansion {
  readonly resource: Resource;
  readonly record: StoredRecord;
}

/** Gives the expansions of a record: only those that the key may see, and that are still there. */
export type Expander = (record: StoredRecord) => readonly Expansion[];

/** Throws `permission_denied` unless the key may read all these resources. */
export function authorizeExpand(principal: Principal, expand: readonly Resource[]): void {
  for (const { path } of expand) authorize(principal, path, 'read');
}

export async function expanderOf(
  store: Pick<Store, 'findAll'>,
  { scope }: Principal,
  records: readonly StoredRecord[],
  expand: readonly Resource[],
): Promise<Expander> {
  const found = await Promise.all(
    expand.map(async (resource) => {
      const wanted = new Set(records.map((record) => aboveOf(record, resource) ?? ''));
      const all = await store.findAll(resource.shape, [...wanted], scope);
      return { resource, byName: new Map(all.map((one) => [one.unique_identifier, one])) };
    }),
  );
  return (record) =>
    found.flatMap(({ resource, byName }) => {
      const above = byName.get(aboveOf(record, resource) ?? '');
      return above === undefined ? [] : [{ resource, record: above }];
    });
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
  store: Pick<Store, 'findAll'>,
  principal: Principal,
  records: readonly StoredRecord[],
  expand: readonly Resource[],
): Promise<{ readonly entries: readonly Entry[]; readonly bytes: number }> {
  const entries: Entry[] = [];
  let bytes = 0;
  for (let at = 0; at < records.length; at += TOGETHER) {
    const some = records.slice(at, at + TOGETHER);
    const expansionsOf = await expanderOf(store, principal, some, expand);
    for (const record of some) {
      const expansions = expansionsOf(record);
      const more = [record, ...expansions.map((one) => one.record)].reduce(addBytes, 0);
      if (bytes + more > most && expansions.length > 0 && entries.length > 0)
        return { entries, bytes };
      bytes += more;
      entries.push({ record, expansions });
    }
  }
  return { entries, bytes };
}

function addBytes(bytes: number, { document }: StoredRecord): number {
  return bytes + Buffer.byteLength(document) + OTHER_BYTES;
}

/** The unique identifier of the record of that resource that this one is below. */
function aboveOf(record: StoredRecord, { anchor, parent }: Resource): string | null {
  if (parent === undefined) return record.account;
  return anchor ? record.anchor : record.parent;
}
