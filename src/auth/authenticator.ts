/** Tells who calls, fast: a key found once is asked for again only after half a second. */
import { ApiError } from '../errors.ts';
import type { KeyRing } from '../store/store.ts';
import { hashSecret, secretOf } from './api-key.ts';
import { type Principal, principalOf } from './principal.ts';

/** A revoked key stops working within a second in every process; half of that is left for the store. */
const TRUSTED_MS = 500;
const FLUSH_MS = 2_000;
const MOST_KEPT = 10_000;

interface Known {
  readonly principal: Principal;
  readonly foundAt: number;
}

export interface Authenticator {
  /**
   * The principal of an `Authorization` header. Throws `authentication_failed`,
   * the same for every reason there is. Only keys that were found are
   * remembered, so an unknown key costs what a revoked one does.
   *
   * What a connection sent last is compared with what it sends next before
   * anything is hashed: that tells nobody more than he sent himself.
   */
  authenticate(
    authorization: string | undefined,
    connection: object,
  ): Principal | Promise<Principal>;
  /** Notes the last use of keys and stops. */
  close(): Promise<void>;
}

export function createAuthenticator(
  keys: KeyRing,
  now: () => number,
  onFlushFailure: (error: unknown) => void,
): Authenticator {
  const known = new Map<string, Known>();
  const sentLast = new WeakMap<object, { readonly authorization: string; readonly by: Known }>();
  const asking = new Map<string, Promise<Principal>>();
  let used = new Map<string, number>();

  const flush = async (): Promise<void> => {
    if (used.size === 0) return;
    const noted = used;
    used = new Map();
    try {
      await keys.touch(noted);
    } catch (error) {
      onFlushFailure(error);
    }
  };
  const timer = setInterval(() => void flush(), FLUSH_MS).unref();

  const ask = async (hash: Buffer, name: string): Promise<Principal> => {
    try {
      const key = await keys.authenticate(hash);
      if (key === undefined) {
        known.delete(name);
        throw refusal();
      }
      if (known.size >= MOST_KEPT) known.clear();
      const principal = principalOf(key);
      known.set(name, { principal, foundAt: now() });
      return principal;
    } finally {
      asking.delete(name);
    }
  };

  const note = (principal: Principal): Principal => {
    used.set(principal.key, now());
    return principal;
  };

  return {
    authenticate(authorization, connection) {
      const last = sentLast.get(connection);
      if (last?.authorization === authorization && last !== undefined && isTrusted(last.by, now()))
        return note(last.by.principal);
      const secret = secretOf(authorization);
      if (secret === undefined || authorization === undefined) throw refusal();
      const hash = hashSecret(secret);
      const name = hash.toString('latin1');
      const found = known.get(name);
      if (found !== undefined && isTrusted(found, now())) {
        sentLast.set(connection, { authorization, by: found });
        return note(found.principal);
      }
      let answer = asking.get(name);
      if (answer === undefined) {
        answer = ask(hash, name);
        asking.set(name, answer);
      }
      return answer.then(note);
    },
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

/** A clock that goes back must not make a key last. */
function isTrusted({ principal, foundAt }: Known, at: number): boolean {
  return Math.abs(at - foundAt) < TRUSTED_MS && at < principal.expires_at;
}

function refusal(): ApiError {
  return new ApiError('authentication_failed', {
    headers: { 'WWW-Authenticate': 'Basic realm="Ledgerstone", charset="UTF-8"' },
  });
}
