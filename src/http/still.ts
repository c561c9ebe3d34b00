/** Asks again who calls, while what they asked for goes on: keys end, people are disabled, accounts are closed. */
import type { FastifyRequest } from 'fastify';
import type { Principal } from '../auth/principal.ts';
import { ApiError } from '../errors.ts';
import type { Scope } from '../store/store.ts';
import { callerOf } from './request.ts';

/** Who calls, as it is now. Throws where the key or the session has ended. */
export type Authenticate = (request: FastifyRequest) => Promise<Principal>;

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

const message =
  'Accounts or locations that this request began with were taken away while it ran. Send the rest of it again.';

function holds(now: Scope, before: Scope): boolean {
  const { anchors } = now;
  if (![...before.accounts].every((account) => now.accounts.has(account))) return false;
  if (anchors === undefined) return true;
  return before.anchors !== undefined && [...before.anchors].every((one) => anchors.has(one));
}
