/** Identifies the caller, fast: a key found once is looked up again only after half a second. */
import { BoundedMap } from '../../core/bounded.ts';
import { ApiError, catalogue, type ErrorCode } from '../../core/errors.ts';
import type { ClientAddressOf, RequestOrigin } from '../../core/network/client-address.ts';
import { presentTime } from '../../core/schema/present/present.ts';
import type { KeyRing } from '../../store/books/keys.ts';
import type { KeyLookup, StoredKey } from '../../store/promises/keys.ts';
import { endingOf, hashSecret, isWhole, SECRET_CHARACTERS, secretOf } from './issue-key.ts';
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
    RawCredentials['headers'] & {
      readonly cookie?: string | undefined;
      readonly 'ledgerstone-person'?: string | readonly string[] | undefined;
      readonly 'sec-fetch-dest'?: string | readonly string[] | undefined;
    };
  readonly url?: string | undefined;
}

interface AuthenticatorParts {
  readonly keys: KeyRing;
  readonly regions: Regions;
  readonly clientAddressOf: ClientAddressOf;
  readonly now: () => number;
  readonly onFlushFailure: (error: unknown) => void;
}

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

/** The parts of a request that may hold a key, rightly or wrongly; Node's `IncomingMessage` is one. */
interface RawCredentials {
  readonly headers: {
    readonly authorization?: string | undefined;
    readonly 'x-api-key'?: string | string[] | undefined;
    readonly 'access-control-request-method'?: string | undefined;
    readonly 'ledgerstone-unattended'?: string | string[] | undefined;
  };
  readonly url?: string | undefined;
}

const SECRET = 'a secret begins with sk_live_ or sk_test_';

/** Why the `Authorization` header has no secret. Repeats nothing of the header. */
function describeMissingKey({ headers, url = '' }: RawCredentials): string {
  const { authorization = '' } = headers;
  if (authorization.trim() === '') {
    const [query] = /(?<=[?&])(?:api_?key|access_token)(?==)/i.exec(url) ?? [];
    if (headers['x-api-key'] !== undefined) return 'The header X-Api-Key is not read.';
    if (query !== undefined) return `The parameter ${query} in the query is not read.`;
    if (headers['access-control-request-method'] !== undefined)
      return 'A browser asks whether a page of another origin may call the service: the operator allows that with CORS_ORIGINS. A key in a page is known to all who open it.';
    return 'The request has no Authorization header.';
  }
  const [, scheme = '', credentials = ''] = /^(\S+)\s*(.*)$/.exec(authorization.trim()) ?? [];
  if (/^bearer$/i.test(scheme))
    return credentials === ''
      ? 'There is nothing after Bearer: is the variable with the key set?'
      : 'There is more than a key after Bearer.';
  if (!/^basic$/i.test(scheme))
    return 'The Authorization header begins with neither Basic nor Bearer.';
  const text = Buffer.from(credentials, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0 || credentials.startsWith('sk_'))
    return 'What follows Basic is not the base64 of the key and a colon.';
  if (colon > 0) return 'There is a password, and it must be empty.';
  return text === ':'
    ? 'The username is empty: is the variable with the key set?'
    : 'There is a password and no username: the key was sent as the password.';
}

/** Why a text cannot be a secret; `undefined`: it may be one. */
function whyNoSecret(text: string): string | undefined {
  if (text.startsWith('key_')) return `This is the identifier of a key: ${SECRET}.`;
  const around = aroundSecret(text);
  if (around !== undefined) return around;
  if (!/^sk_(?:live|test)_/.test(text)) return `This is not an API key: ${SECRET}.`;
  if (text.length >= SECRET_CHARACTERS) return undefined;
  return `The key was cut off: ${text.length} of its ${SECRET_CHARACTERS} characters arrived.`;
}

/** Names of what files, shells and editors leave around a value. */
const STRAY: readonly (readonly [RegExp, string])[] = [
  [/^\r\n?$/, 'a line end of Windows (\\r)'],
  [/^\n$/, 'a line end'],
  [/^\s+$/, 'a blank'],
  [/^["'`\u2018-\u201f\u00ab\u00bb]+$/, 'a quotation mark'],
  [/^:+$/, 'a colon'],
  [/^[\p{Cc}\p{Cf}]+$/u, 'a character that nobody sees'],
];

/** Which part of a text, before or behind the secret in it, was sent with it; `undefined` where there is none. */
function aroundSecret(text: string): string | undefined {
  const [secret = ''] = /(?<![0-9A-Za-z_])sk_(?:live|test)_[0-9A-Za-z]+/.exec(text) ?? [];
  if (secret === text || !isWhole(secret)) return undefined;
  const at = text.indexOf(secret);
  const [before, behind] = [text.slice(0, at), text.slice(at + secret.length)];
  const parts = [before && `before it ${named(before)}`, behind && `behind it ${named(behind)}`];
  return `The key was not sent alone: there is ${parts.filter(Boolean).join(', and ')}. Take that out of where the key is kept.`;
}

const named = (stray: string): string =>
  STRAY.find(([pattern]) => pattern.test(stray))?.[1] ?? 'more text';

/**
 * `absent`: no `Authorization` header. `malformed`: it has no key, or one with missing or changed characters.
 * `unknown`: no key of this store. The rest are faults of existing keys.
 */
type AuthenticationFault = 'absent' | 'malformed' | 'unknown' | KeyFault;

type KeyFault = 'address_not_permitted' | Exclude<KeyLookup['is'], 'valid' | 'unknown'>;

type RefusedKey = Pick<StoredKey, 'unique_identifier' | 'accounts'>;

export class AuthenticationFailed extends ApiError {
  readonly why: AuthenticationFault;
  readonly key: RefusedKey | undefined;

  constructor(why: AuthenticationFault, code: ErrorCode, message: string, key?: RefusedKey) {
    const headers = { 'WWW-Authenticate': 'Basic realm="Ledgerstone", charset="UTF-8"' };
    super(code, { message, headers });
    this.why = why;
    this.key = key;
  }
}

function keyMissing(sent: RawCredentials): AuthenticationFailed {
  const why = sent.headers.authorization === undefined ? 'absent' : 'malformed';
  return missing(why, describeMissingKey(sent));
}

function keyUnknown(secret: string): AuthenticationFailed {
  const arrived = whyNoSecret(secret);
  if (arrived !== undefined) return missing('malformed', arrived);
  const whole = isWhole(secret);
  const advice = whole
    ? 'Check that it was made for this service.'
    : 'Some of its characters were changed on the way: copy it again.';
  const message = `The key that you sent, which ends in ${endingOf(secret)}, is unknown here. ${advice}`;
  return new AuthenticationFailed(whole ? 'unknown' : 'malformed', 'api_key_unknown', message);
}

function keyRefused(why: KeyFault, key: StoredKey): AuthenticationFailed {
  const [code, says] = SAID[why];
  const when = key.expires_at === null ? '' : ` at ${presentTime(key.expires_at)}`;
  const message = `The key that ends in ${key.ending} ${says.replace('{when}', when)}`;
  return new AuthenticationFailed(why, code, message, key);
}

const SAID: { readonly [fault in KeyFault]: readonly [code: ErrorCode, says: string] } = {
  expired: ['api_key_expired', 'expired{when}. Ask the operator for a new one.'],
  suspended: ['api_key_suspended', 'is suspended. Ask the operator to resume it.'],
  revoked: ['api_key_revoked', 'was revoked for good. Ask the operator for a new one.'],
  address_not_permitted: [
    'api_key_address',
    'does not work from your address. Send from an address that it is meant for, or ask the operator to allow yours.',
  ],
  account_closed: ['authentication_failed', 'is for an account that is closed. Ask the operator.'],
};

function missing(why: AuthenticationFault, arrived: string): AuthenticationFailed {
  const message = `${arrived} ${catalogue.api_key_missing.message}`;
  return new AuthenticationFailed(why, 'api_key_missing', message);
}
