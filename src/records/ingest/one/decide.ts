/** Ends a pin of a record, or decides a proposal for it. */
import type { Resource } from '../../../core/schema/define.ts';
import type { PinsChange } from '../../../store/promises/store.ts';
import { authorize, authorizePins, type Principal } from '../../auth/principal.ts';
import { findWritable } from '../resolve.ts';
import { doneOrThrow, type Parts } from './write.ts';

/** Throws `permission_denied`, `resource_missing`, `pin_missing` and `proposal_decided`, with nothing done. */
export function createDecide({ store, groupCommit }: Pick<Parts, 'store' | 'groupCommit'>) {
  return async (
    principal: Principal,
    resource: Resource,
    unique_identifier: string,
    pins: Exclude<PinsChange, string>,
  ) => {
    authorize(principal, resource.path, 'write');
    authorizePins(principal);
    const { shape, anchor: isAnchor } = resource;
    const found = await findWritable(store, resource, unique_identifier, principal.scope);
    const { account, anchor, parent, external_identifier } = found;
    if (parent === null || external_identifier === null)
      throw new TypeError(`Nothing of ${resource.name} is pinned.`);
    const source = await store.sources.numberOf(account, principal.key);
    const outcome = await groupCommit.join({
      shape,
      account,
      parent,
      external_identifier,
      patch: {},
      pins,
      by: principal.key,
      source,
      anchor: isAnchor ? undefined : (anchor ?? undefined),
      only: { unique_identifier },
    });
    doneOrThrow(outcome);
    return { account };
  };
}
