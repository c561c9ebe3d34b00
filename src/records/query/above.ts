/** Finds the parents by which a list is filtered, as far as the key may see them. */
import { Faults } from '../../core/errors.ts';
import type { Resource } from '../../core/schema/define.ts';
import type { AncestorFilter } from '../../core/schema/parse/ancestor-filters.ts';
import type { Comparison } from '../../core/schema/parse/parse-list.ts';
import { externalOf, identifierOf, type Reference } from '../../core/schema/reference.ts';
import { findSealed } from '../../store/promises/erasing/sealed.ts';
import { noSuchAs, noSuchBelow } from '../../store/promises/refusals.ts';
import type { Scope, Store, StoredRecord } from '../../store/promises/store.ts';

type Finds = Pick<Store, 'erasing' | 'find' | 'findPair'>;

/** Throws `resource_missing`, like an upsert, if the parent does not exist or the key may not see it. */
export async function foundAbove(
  store: Finds,
  scope: Scope,
  named: readonly AncestorFilter[],
): Promise<readonly Comparison[]> {
  const faults = new Faults();
  const found: Comparison[] = [];
  for (const { filter, resource, reference } of named) {
    const record = await find(store, scope, resource, reference, faults);
    if (record !== undefined) found.push({ filter, is: '=', value: record.unique_identifier });
  }
  faults.throwIfAny();
  return found;
}

async function find(
  store: Finds,
  scope: Scope,
  resource: Resource,
  reference: Reference,
  faults: Faults,
): Promise<StoredRecord | undefined> {
  const { shape, name, parent } = resource;
  if (typeof reference === 'string') {
    const found = await store.find(shape, reference, scope);
    if (found === undefined)
      faults.add(identifierOf(resource), 'resource_missing', noSuchAs(shape, reference));
    return found;
  }
  if (parent === undefined) throw new TypeError(`No other identifier names ${name}.`);
  const above = await find(store, scope, parent, reference.parent, faults);
  if (above === undefined) return undefined;
  const { account, unique_identifier } = above;
  const { external_identifier } = reference;
  const findBy = (named: string) =>
    store.findPair(shape, { account, parent: unique_identifier, external_identifier: named });
  const there =
    (await findBy(external_identifier)) ??
    (await findSealed(store, shape, external_identifier, findBy));
  // The key may see its parent, but not the record.
  const found = there && (await store.find(shape, there.unique_identifier, scope));
  if (found === undefined) {
    faults.add(externalOf(resource), 'resource_missing', noSuchBelow(parent.name, name));
  }
  return found;
}
