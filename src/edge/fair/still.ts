/** Authenticates the caller again during a long request: keys end, people are disabled, accounts are closed. */
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import type { Principal } from '../../records/auth/principal.ts';
import type { Scope } from '../../store/promises/store.ts';
import { callerOf } from '../request/request.ts';

/**
 * Resolves while the caller may go on with what `may` does not throw for, within all that they could see when it
 * began. Calls resolve in their order, and after a refusal all get that refusal: checking before each commit neither
 * changes the order of commits nor leaves one out.
 */
export function stillMay(
  request: FastifyRequest,
  may: (principal: Principal) => void,
): () => Promise<Principal> {
  const began = callerOf(request);
  const message =
    'Accounts or locations that this request began with were taken away while it ran. Send the rest of it again.';
  const ask = async (): Promise<Principal> => {
    const principal = await request.server.authenticate(request);
    may(principal);
    if (!holds(principal.scope, began.scope)) throw new ApiError('permission_denied', { message });
    return principal;
  };
  let before: Promise<unknown> = Promise.resolve();
  return () => {
    const answer = before.then(ask);
    // A store that is briefly unreachable refuses no caller.
    before = answer.catch((error: unknown) => {
      if (error instanceof ApiError) throw error;
    });
    before.catch(() => {});
    return answer;
  };
}

/**
 * Uses the current state of the caller for the rest of the request. Throws where they may call no longer, or have
 * fewer rights than when it began: every check made until then still holds for the callers it accepts.
 */
export async function takeCallerAnew(request: FastifyRequest): Promise<void> {
  const before = callerOf(request);
  const now = await request.server.authenticate(request);
  if (!holds(now.scope, before.scope) || !hasAll(now, before))
    throw new ApiError('permission_denied', {
      message:
        'Some of what you may do was taken away while the body of this request arrived. Nothing was done: send it again.',
    });
  request.principal = now;
}

function holds(now: Scope, before: Scope): boolean {
  const { anchors } = now;
  if (![...before.accounts].every((account) => now.accounts.has(account))) return false;
  if (anchors === undefined || anchors === before.anchors) return true;
  return before.anchors !== undefined && [...before.anchors].every((one) => anchors.has(one));
}

/** Whether everything granted in addition to the scope still is. */
function hasAll(now: Principal, before: Principal): boolean {
  const { permissions, resources, allow, person } = now;
  return (
    before.permissions.every((one) => permissions.includes(one)) &&
    before.allow.isSubsetOf(allow) &&
    (resources === undefined || before.resources?.isSubsetOf(resources) === true) &&
    person?.member.role === before.person?.member.role
  );
}
