/** Finds what records belong to, to be put into answers with them: one look for each resource, however many records there are. */
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

/** The unique identifier of the record of that resource that this one is below. */
function aboveOf(record: StoredRecord, { anchor, parent }: Resource): string | null {
  if (parent === undefined) return record.account;
  return anchor ? record.anchor : record.parent;
}
