/** Identifies the caller, fast: a key found once is looked up again only after half a second. */

import { BoundedMap } from '../../core/bounded.ts';
import type { ClientAddressOf, RequestOrigin } from '../../core/network/client-address.ts';
import type { KeyRing } from '../../store/books/keys.ts';
import { hashSecret, secretOf } from './api-key.ts';
import {
  keyMissing,
  keyRefused,
  keyUnknown,
  type RawCredentials,
} from './authentication-failed.ts';
import { type Principal, principalOf } from './principal.ts';
import type { Regions } from './region.ts';

/** How long a key is cached: a revoked one stops within a second everywhere, and the store needs some of that. */
const TRUSTED_MS = 500;
const FLUSH_MS = 2_000;
const MAX_KEPT = 10_000;

interface CachedPrincipal {
  readonly principal: Principal;
  readonly foundAt: number;
}

/** The parts of a request that identify the caller; Node's `IncomingMessage` is one. */
export interface Credentials extends RequestOrigin, RawCredentials {
  readonly headers: RequestOrigin['headers'] &
    RawCredentials['headers'] & { readonly cookie?: string | undefined };
}

export interface AuthenticatorParts {
  readonly keys: KeyRing;
  readonly regions: Regions;
  readonly clientAddressOf: ClientAddressOf;
  readonly now: () => number;
  readonly onFlushFailure: (error: unknown) => void;
}

export type Authenticator = ReturnType<typeof createAuthenticator>;

export function createAuthenticator(parts: AuthenticatorParts) {
  const { keys, regions, clientAddressOf, now, onFlushFailure } = parts;
  const known = new BoundedMap<string, CachedPrincipal>(MAX_KEPT);
  const sentLast = new WeakMap<object, { authorization: string; by: CachedPrincipal }>();
  const asking = new Map<string, Promise<Principal>>();
  let used = new Map<string, number>();

  const flush = async (): Promise<void> => {
    if (used.size === 0) return;
    const noted = used;
    used = new Map();
    await keys.touch(noted).catch(onFlushFailure);
  };
  const timer = setInterval(() => void flush(), FLUSH_MS).unref();

  const ask = async (secret: string, hash: Buffer, name: string): Promise<Principal> => {
    try {
      // Counted from the request: the store may have read the key at its beginning.
      const foundAt = now();
      const found = await keys.authenticate(hash);
      if (found.is !== 'valid') {
        known.delete(name);
        throw found.is === 'unknown' ? keyUnknown(secret) : keyRefused(found.is, found.key);
      }
      const principal = principalOf(await regions.within(found.key), foundAt);
      known.set(name, { principal, foundAt });
      return principal;
    } finally {
      asking.delete(name);
    }
  };

  const note = (principal: Principal): Principal => {
    used.set(principal.key, now());
    return principal;
  };

  /** Whether a cached key may still be used. */
  const isGood = ({ principal, foundAt }: CachedPrincipal, request: Credentials): boolean => {
    const at = now();
    // A clock that goes back must not extend a key.
    if (Math.abs(at - foundAt) >= TRUSTED_MS || at >= principal.expires_at) return false;
    return worksAt(principal, request);
  };

  const worksAt = ({ worksFrom }: Principal, request: Credentials): boolean => {
    if (worksFrom === undefined) return true;
    const address = clientAddressOf(request);
    return address !== undefined && worksFrom(address);
  };

  return {
    /**
     * The principal of a request's `Authorization` header. Throws `AuthenticationFailed`, which says what is the matter
     * with a key only to callers that sent its secret, not to those that guess. Only keys that were found are cached, and
     * one that does not work from this address is looked up each time: each of those costs what an unknown key does.
     *
     * The last secret of a connection is compared with the next one before anything is hashed: that reveals no more
     * than the caller sent.
     */
    authenticate(request: Credentials): Principal | Promise<Principal> {
      const { authorization } = request.headers;
      const last = sentLast.get(request.socket);
      if (last?.authorization === authorization && last !== undefined && isGood(last.by, request))
        return note(last.by.principal);
      const secret = secretOf(authorization);
      if (authorization === undefined || secret === undefined) throw keyMissing(request);
      const hash = hashSecret(secret);
      const name = hash.toString('latin1');
      const found = known.get(name);
      if (found !== undefined && isGood(found, request)) {
        sentLast.set(request.socket, { authorization, by: found });
        return note(found.principal);
      }
      const answer = asking.getOrInsertComputed(name, () => ask(secret, hash, name));
      return answer.then((principal) => {
        if (worksAt(principal, request)) return note(principal);
        throw keyRefused('address_not_permitted', principal.granted);
      });
    },
    /** Saves the last use of keys, and stops. */
    async close(): Promise<void> {
      clearInterval(timer);
      await flush();
    },
  };
}
