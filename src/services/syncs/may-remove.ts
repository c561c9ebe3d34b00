/** Whether whoever finished a sync may still remove what it removes: a key that is revoked meanwhile ends it. */
import type { StoredSync } from '../../core/objects/transfer/sync.ts';
import type { Resource } from '../../core/schema/define.ts';
import { principalOf } from '../../records/auth/principal.ts';
import type { Regions } from '../../records/auth/region.ts';
import type { Store } from '../../store/promises/store.ts';
import { permissionsOf } from '../staff/roles.ts';

export type MayRemove = (sync: StoredSync, resource: Resource) => Promise<boolean>;

/** Operators may, and whoever is neither a key nor a person. */
export function createMayRemove(
  { keys, staff }: Pick<Store, 'keys' | 'staff'>,
  regions: Regions,
): MayRemove {
  /** Finds the limit of a key or a person who may call at all. */
  const limitOf = async (by: string) => {
    if (by.startsWith('key_')) {
      const found = await keys.find(by);
      return found.is === 'valid' ? principalOf(await regions.within(found.key)) : undefined;
    }
    const member = await staff.find(by);
    if (member === undefined || member.disabled_at !== null) return undefined;
    const { accounts, anchors, role } = await regions.within(member);
    return {
      scope: {
        accounts: new Set(accounts),
        anchors: anchors === null ? undefined : new Set(anchors),
      },
      permissions: permissionsOf(role),
      resources: undefined,
    };
  };

  return async ({ account, location, finished_by: by }, { path }) => {
    if (by === null || !/^(key|stf)_/.test(by)) return true;
    const limit = await limitOf(by);
    if (limit === undefined) return false;
    const { scope, permissions, resources } = limit;
    return (
      scope.accounts.has(account) &&
      (scope.anchors === undefined || scope.anchors.has(location ?? '')) &&
      permissions.includes('delete') &&
      resources?.has(path) !== false
    );
  };
}
