/** Resolves references to records that the key may see. */
import { BoundedMap } from '../../core/bounded.ts';
import { ApiError } from '../../core/errors.ts';
import { parentOf, type Resource } from '../../core/schema/define.ts';
import { type ExternalReference, paramOf, type Reference } from '../../core/schema/reference.ts';
import { findSealed } from '../../store/promises/erasing/sealed.ts';
import { missingOrErased, noSuchBelow, recordMissing } from '../../store/promises/refusals.ts';
import type { Scope, Store, StoredRecord } from '../../store/promises/store.ts';

const MAX_CACHED = 100_000;

/** The record that a reference names. */
export interface ResolvedReference {
  readonly unique_identifier: string;
  readonly account: string;
  /** The anchor that the record is or is under; `undefined` above all anchors. */
  readonly anchor: string | undefined;
}

export function createResolver(store: Pick<Store, 'find' | 'findPair' | 'erasing'>) {
  const cached = new BoundedMap<string, ResolvedReference>(MAX_CACHED);

  const cache = (name: string, found: StoredRecord | undefined, scope: Scope) => {
    if (found === undefined) return undefined;
    const { unique_identifier, account, anchor } = found;
    const place = { unique_identifier, account, anchor: anchor ?? undefined };
    if (!isVisible(place, scope)) return undefined;
    cached.set(name, place);
    return place;
  };

  const look = async (resource: Resource, reference: string, scope: Scope) => {
    const found = await store.find(resource.shape, reference, scope);
    return cache(nameOf(resource, reference), found, scope) ?? refuse(resource, reference);
  };

  const lookUnder = async (
    resource: Resource,
    reference: ExternalReference,
    { account, unique_identifier: parent }: ResolvedReference,
    scope: Scope,
  ): Promise<ResolvedReference> => {
    const { shape } = resource;
    const id = reference.external_identifier;
    const find = (external_identifier: string) =>
      store.findPair(shape, { account, parent, external_identifier });
    const found = (await find(id)) ?? (await findSealed(store, shape, id, find));
    return cache(nameUnder(resource, parent, id), found, scope) ?? refuse(resource, reference);
  };

  const under = (
    resource: Resource,
    reference: ExternalReference,
    parent: ResolvedReference,
    scope: Scope,
  ): ResolvedReference | Promise<ResolvedReference> => {
    const place = cached.get(
      nameUnder(resource, parent.unique_identifier, reference.external_identifier),
    );
    return place !== undefined && isVisible(place, scope)
      ? place
      : lookUnder(resource, reference, parent, scope);
  };

  /**
   * Finds the record that a reference names. Throws `resource_missing` with the parameter that leads nowhere, the same
   * whether the record does not exist or the key may not see it. Results are cached; the commit checks that the record
   * still exists.
   */
  const resolve = (
    resource: Resource,
    reference: Reference,
    scope: Scope,
  ): ResolvedReference | Promise<ResolvedReference> => {
    if (typeof reference === 'string') {
      const found = cached.get(nameOf(resource, reference));
      // A cached parent out of scope is looked up anyway, so that it takes as long as a missing one.
      return found !== undefined && isVisible(found, scope)
        ? found
        : look(resource, reference, scope);
    }
    const parent = resolve(parentOf(resource), reference.parent, scope);
    return parent instanceof Promise
      ? parent.then((above) => under(resource, reference, above, scope))
      : under(resource, reference, parent, scope);
  };

  const resolveUncached = async (
    resource: Resource,
    reference: Reference,
    scope: Scope,
  ): Promise<ResolvedReference> => {
    if (typeof reference === 'string') return look(resource, reference, scope);
    const parent = await resolveUncached(parentOf(resource), reference.parent, scope);
    return lookUnder(resource, reference, parent, scope);
  };

  // The cache may contain names of erased records.
  return { resolve, resolveUncached, dropCached: () => cached.clear() };
}

/** Throws the error for a reference to no record that the key may see: always the same, to the letter. */
function refuse(resource: Resource, reference: Reference): never {
  const message =
    typeof reference === 'string'
      ? recordMissing(resource.shape, reference).message
      : noSuchBelow(parentOf(resource).name, resource.name);
  // What is no identifier of ours is told where it goes instead.
  const isTold = typeof reference === 'string' && !reference.startsWith(resource.prefix);
  const first = { advice: `Send it first, with POST /v1/${resource.path}/upsert.` };
  throw new ApiError('resource_missing', {
    param: paramOf(resource, reference),
    message,
    ...(isTold || resource.parent === undefined ? {} : first),
  });
}

// NUL is a safe separator: texts were checked for it before.
function nameOf({ name }: Resource, unique_identifier: string): string {
  return `${name}\0${unique_identifier}`;
}

function nameUnder({ name }: Resource, parent: string, external_identifier: string): string {
  return `${name}\0${parent}\0${external_identifier}`;
}

function isVisible({ account, anchor }: ResolvedReference, { accounts, anchors }: Scope): boolean {
  if (!accounts.has(account)) return false;
  return anchors === undefined || anchor === undefined || anchors.has(anchor);
}

/** Throws unless a key that is limited to anchors may write this one. */
export function refuseAnchor(unique_identifier: string | undefined, scope: Scope): void {
  if (scope.anchors?.has(unique_identifier ?? '') === false)
    throw new ApiError('location_not_permitted');
}

/**
 * Returns the record. Throws the same `resource_missing` whether the record does not exist or the key may not see it. A
 * key that is limited to locations gets `location_not_permitted` for every other one, as with upserts.
 */
export async function findWritable(
  store: Pick<Store, 'find' | 'erasing'>,
  resource: Resource,
  unique_identifier: string,
  scope: Scope,
): Promise<StoredRecord> {
  if (resource.anchor) refuseAnchor(unique_identifier, scope);
  const record = await store.find(resource.shape, unique_identifier, scope);
  if (record === undefined)
    throw await missingOrErased(store, resource.shape, unique_identifier, scope);
  return record;
}
