/** Asks again who calls, while what they asked for goes on: keys end, people are disabled, accounts are closed. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import type { Principal } from '../../records/auth/principal.ts';
import type { Scope } from '../../store/promises/store.ts';
import { callerOf } from '../request/request.ts';

export type Authenticate = FastifyInstance['authenticate'];

/**
 * Resolves while the caller may go on with what `may` does not throw for, within
 * all that they could see when it began. Answers come in the order of the
 * questions, and after a refusal there is none but that one: what is asked for
 * before each commit neither changes the order of commits, nor leaves one out.
 */
export function stillMay(
  request: FastifyRequest,
  authenticate: Authenticate,
  may: (principal: Principal) => void,
): () => Promise<Principal> {
  const began = callerOf(request);
  const ask = async (): Promise<Principal> => {
    const principal = await authenticate(request);
    may(principal);
    if (!holds(principal.scope, began.scope)) throw new ApiError('permission_denied', { message });
    return principal;
  };
  let before: Promise<unknown> = Promise.resolve();
  return () => {
    const answer = before.then(ask);
    // A store that is out of reach for a moment refuses nobody.
    before = answer.catch((error: unknown) => {
      if (error instanceof ApiError) throw error;
    });
    before.catch(() => {});
    return answer;
  };
}

/**
 * For the rest of the request takes who calls as they are now. Throws where they
 * may call no longer, or have less than when it began: whatever was checked until
 * then, of whom it takes, still holds afterwards.
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

const message =
  'Accounts or locations that this request began with were taken away while it ran. Send the rest of it again.';

function holds(now: Scope, before: Scope): boolean {
  const { anchors } = now;
  if (![...before.accounts].every((account) => now.accounts.has(account))) return false;
  if (anchors === undefined) return true;
  return before.anchors !== undefined && [...before.anchors].every((one) => anchors.has(one));
}

/** Whether all that was granted beside the scope still is. */
function hasAll(now: Principal, before: Principal): boolean {
  const { permissions, resources, allow, person } = now;
  return (
    before.permissions.every((one) => permissions.includes(one)) &&
    before.allow.isSubsetOf(allow) &&
    (resources === undefined || before.resources?.isSubsetOf(resources) === true) &&
    person?.member.role === before.person?.member.role
  );
}
