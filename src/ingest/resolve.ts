/** Finds the parent that a draft names, as far as the key may see it. */
import { ApiError } from '../errors.ts';
import type { Resource } from '../schema/define.ts';
import { parentMissing } from '../store/parent-missing.ts';
import type { Scope, Store } from '../store/store.ts';

const MOST_REMEMBERED = 100_000;

/** Where a draft belongs. */
export interface Place {
  readonly account: string;
  /** The anchor that the parent is or is under; `undefined` when the draft is an anchor itself. */
  readonly anchor: string | undefined;
}

export interface Resolver {
  /**
   * The place of a draft under that parent. Throws `resource_missing`, the
   * same whether there is no such parent or the key may not see it. A parent
   * that was found is remembered; whether it is still there, the commit decides.
   */
  place(resource: Resource, parent: string, scope: Scope): Place | Promise<Place>;
}

export function createResolver(store: Pick<Store, 'find'>): Resolver {
  const remembered = new Map<string, Place>();

  const look = async (resource: Resource, parent: string, scope: Scope): Promise<Place> => {
    if (resource.parent === undefined) throw new TypeError(`${resource.name} has no parent.`);
    const found = await store.find(resource.parent.shape, parent, scope);
    if (found === undefined) throw parentMissing(resource.shape);
    const place = {
      account: found.account,
      anchor: resource.anchor ? undefined : (found.anchor ?? undefined),
    };
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    remembered.set(parent, place);
    return place;
  };

  return {
    place(resource, parent, scope) {
      const place = remembered.get(parent);
      // What is remembered but not in scope is looked up all the same: it must take the time of a stranger.
      return place !== undefined && isVisible(place, scope) ? place : look(resource, parent, scope);
    },
  };
}

function isVisible(place: Place, scope: Scope): boolean {
  if (!scope.accounts.has(place.account)) return false;
  return (
    scope.anchors === undefined || place.anchor === undefined || scope.anchors.has(place.anchor)
  );
}

/** Throws unless a key that is limited to anchors may write this one. */
export function refuseAnchor(unique_identifier: string | undefined, scope: Scope): void {
  if (scope.anchors === undefined) return;
  if (unique_identifier === undefined || !scope.anchors.has(unique_identifier)) {
    throw new ApiError('location_not_permitted');
  }
}
