/** Finds expansions of records: one read per resource, regardless of the number of records. */
import { Buffer } from 'node:buffer';
import { ancestorsOf } from '../../core/schema/ancestors.ts';
import type { Resource } from '../../core/schema/define.ts';
import type { Expand } from '../../core/schema/parse/parse-list.ts';
import { presentOne } from '../../core/schema/present/present.ts';
import type { AnsweredRecord, Store, StoredRecord } from '../../store/promises/store.ts';
import { authorize, type Principal } from '../auth/principal.ts';
import { foundBy, identifiersExpansion } from './expansion/identifiers.ts';
import { sourceExpansion } from './expansion/source.ts';
import type { Expansion } from './shown.ts';

/** Returns the expansions of a record: only those that the key may see, and that still exist. */
export type Expander = (record: AnsweredRecord) => readonly Expansion[];

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
  const [found, identified, sent] = await Promise.all([
    Promise.all(
      resources.map(async (one) => ({
        resource: one,
        byName: await foundBy(store, one, records, (record) => aboveOf(record, one), scope),
      })),
    ),
    identifiers ? identifiersExpansion(store, resource, records, scope) : undefined,
    source ? sourceExpansion(store, resource, records, scope) : undefined,
  ]);
  return (record) => [
    ...found.flatMap(({ resource: one, byName }) => {
      const above = byName.get(aboveOf(record, one) ?? '');
      return above === undefined ? [] : [expansionOf(one, above)];
    }),
    ...(identified === undefined ? [] : [identified(record)]),
    ...(sent === undefined ? [] : [sent(record)]),
  ];
}

/** About the bytes that a response adds to a record's document. */
const OTHER_BYTES = 512;

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
