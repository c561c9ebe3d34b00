/** Who calls, and what they may do: derived from their key. */
import { ApiError } from '../errors.ts';
import type { Permission, Scope, StoredKey } from '../store/store.ts';

export interface Principal {
  /** The unique identifier of the key. */
  readonly key: string;
  /** The records that the key may see and write. */
  readonly scope: Scope;
  readonly permission: Permission;
  /** Path names of the only resources that the key is for; `undefined`: all. */
  readonly resources: ReadonlySet<string> | undefined;
  /** Milliseconds since 1970; the key is not valid from then on. */
  readonly expires_at: number;
}

export type Action = 'read' | 'write';

export function principalOf(key: StoredKey): Principal {
  return {
    key: key.unique_identifier,
    scope: {
      accounts: new Set(key.accounts),
      anchors: key.anchors === null ? undefined : new Set(key.anchors),
    },
    permission: key.permission,
    resources: key.resources === null ? undefined : new Set(key.resources),
    expires_at: key.expires_at ?? Number.POSITIVE_INFINITY,
  };
}

/** Throws `permission_denied` unless the key has that permission for the resource with that path name. */
export function authorize(principal: Principal, path: string, action: Action): void {
  if (principal.permission !== 'read-write' && principal.permission !== action) {
    throw new ApiError('permission_denied', {
      message: `This API key may not ${action}: it has the permission "${principal.permission}", and this request needs "${action}".`,
    });
  }
  if (principal.resources !== undefined && !principal.resources.has(path)) {
    throw new ApiError('permission_denied', {
      message: `This API key is limited to certain resources, and ${path} is not one of them.`,
    });
  }
}
