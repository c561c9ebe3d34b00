/** Single sign-on by OpenID Connect: the authorization code with PKCE. People are known by issuer and subject, never by email. */
import { ApiError } from '../../core/errors.ts';
import type { Ceremonies } from './ceremonies.ts';
import {
  asClient,
  type Discovered,
  discover,
  failureOf,
  openid,
  type Provider,
} from './provider.ts';
import { SKEW_MS } from './sessions.ts';
import { createToken, hashToken } from './tokens.ts';

export type ProviderReturn = Awaited<ReturnType<SingleSignOn['finish']>>;

/** The request to the provider, and its purpose. */
export interface Errand {
  readonly invitation?: string | undefined;
  /** The name of whoever takes the invitation up. */
  readonly name?: string | null | undefined;
  /** The provider must authenticate the person again, even if they are signed in there. */
  readonly again?: boolean | undefined;
  /** The person who is signed in, and who must be the one to come back. */
  readonly staff?: string | undefined;
  readonly to?: string | undefined;
  /** The token of the session that the browser has, which ends with the next one. */
  readonly session?: string | undefined;
  /** The provider is to ask who it is, even if somebody is signed in there. */
  readonly asks?: boolean | undefined;
}

/** Where providers send people back to. */
export const CALLBACK = '/console/single_sign_on/callback';
/** How long a person may take at the provider. */
export const AWAY_MS = 10 * 60_000;
/** How long the provider is taken for what it said of itself; its addresses may move. */
const FRESH_MS = 10 * 60_000;
/** How long nobody asks again after it has not answered. */
const PAUSE_MS = 5_000;
const ANY_AGE_S = '31536000';
/** How much of the hash of a request names what its browser keeps. */
const NAME_LENGTH = 12;

interface PendingSignIn {
  readonly verifier: string;
  readonly nonce: string;
  readonly invitation: string | undefined;
  readonly name: string | null;
  readonly to: string | undefined;
  /** The hash of the session that the browser had. */
  readonly instead: string | undefined;
  /** Since when the provider must have authenticated the person, and who that must be, if set. */
  readonly since?: number;
  readonly staff?: string;
}

export type SingleSignOn = ReturnType<typeof createSingleSignOn>;

/** `failed` is told why somebody did not come in, in words for the operator, and from which address they came. */
export function createSingleSignOn(
  provider: Provider,
  ceremonies: Ceremonies,
  now: () => number,
  failed: (reason: string, from: string | undefined) => void,
) {
  let asked: { readonly until: number; readonly found: Promise<Discovered> } | undefined;
  let last: Discovered | undefined;

  /** By the claim `auth_time`, in seconds; a time of the future proves nothing. */
  function provedAt(auth_time: unknown): number {
    const at = typeof auth_time === 'number' ? auth_time * 1_000 : 0;
    const latest = now();
    return at <= latest + SKEW_MS ? Math.min(at, latest) : 0;
  }

  /** The provider as it describes itself; as it last did where it does not answer. */
  function discovered(from: string | undefined): Promise<Discovered> {
    if (asked !== undefined && performance.now() < asked.until) return asked.found;
    const found = discover(provider).then(
      (one) => {
        last = one;
        return one;
      },
      async (cause: unknown) => {
        asked = { until: performance.now() + PAUSE_MS, found };
        if (last !== undefined) return last;
        const { code, reason } = await failureOf(cause);
        failed(reason, from);
        throw new ApiError(code, { cause });
      },
    );
    asked = { until: performance.now() + FRESH_MS, found };
    return found;
  }

  return {
    name: provider.name,
    /** Throws `single_sign_on_failed` and `single_sign_on_unusable`. */
    async begin(redirect_uri: string, errand: Errand, from: string | undefined) {
      const { invitation, name = null, again = false, staff, to, session, asks } = errand;
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await openid();
      const { client } = await discovered(from);
      const state = createToken();
      const [verifier, nonce] = [createToken(), createToken()];
      const pending: PendingSignIn = {
        verifier,
        nonce,
        invitation,
        name,
        to,
        instead: session === undefined ? undefined : hashToken(session),
        // Whoever is not signed in could also come in without being asked again.
        ...(again && staff !== undefined && { since: now(), staff }),
      };
      const url = buildAuthorizationUrl(client, {
        redirect_uri,
        scope: 'openid',
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        // With any age the provider has to say when it authenticated the person (`auth_time`).
        ...(again || asks ? { prompt: 'login', max_age: '0' } : { max_age: ANY_AGE_S }),
      });
      // The browser must send this back: from another browser, the answer is refused.
      return { url: url.href, name: nameOf(state), kept: await ceremonies.seal(pending, state) };
    },
    /** Names the cookie of the request that is answered at this address. */
    nameAt: (address: URL): string => nameOf(stateIn(address)),
    /** The request that is answered at this address, by what the browser has kept of it. Throws `sign_in_unfinished`. */
    async asked(address: URL, kept: string | undefined): Promise<PendingSignIn> {
      const pending = await ceremonies.open(kept, stateIn(address), AWAY_MS);
      if (pending === undefined) throw new ApiError('sign_in_unfinished');
      return pending as PendingSignIn;
    },
    /**
     * Who has returned from the provider, to this address. Throws `sign_in_unfinished` where they have returned before,
     * and the codes of a `ProviderFailure`. The operator is told why.
     */
    async finish(address: URL, pending: PendingSignIn, from: string | undefined) {
      if (!(await ceremonies.answered(stateIn(address)))) {
        failed('The answer of the provider has come before', from);
        throw new ApiError('sign_in_unfinished');
      }
      const claims = await claimsAt(address, pending, from);
      const proved_at = provedAt(claims.auth_time);
      // The request went through the browser, whose owner can leave out parameters.
      const isConfirmed = pending.since === undefined || proved_at >= pending.since - SKEW_MS;
      if (pending.since !== undefined && !isConfirmed)
        failed(unconfirmed(claims.auth_time, pending.since), from);
      return {
        identity: { issuer: claims.iss, subject: claims.sub },
        invitation: pending.invitation,
        name: pending.name,
        instead: pending.instead,
        /** The person it must be, if they were to prove again who they are. */
        again: pending.staff,
        /** Whether the provider says that it has authenticated them again, where it was asked to. */
        isConfirmed,
        /** When the provider authenticated the person; 0 if it does not say. */
        proved_at,
      };
    },
  };

  /** The provider's claims about the person who has returned to this address. */
  async function claimsAt(
    address: URL,
    { verifier, nonce }: PendingSignIn,
    from: string | undefined,
  ) {
    const { authorizationCodeGrant } = await openid();
    const found = await discovered(from);
    try {
      const tokens = await asClient(found, (client) =>
        authorizationCodeGrant(client, address, {
          pkceCodeVerifier: verifier,
          expectedState: stateIn(address),
          expectedNonce: nonce,
          idTokenExpected: true,
        }),
      );
      const claims = tokens.claims();
      if (claims === undefined) throw new TypeError('There is no ID token.');
      return claims;
    } catch (cause) {
      const { code, reason } = await failureOf(cause);
      failed(reason, from);
      // It may have moved.
      if (code !== 'single_sign_on_refused') asked = undefined;
      throw new ApiError(code, { cause });
    }
  }
}

/** Why a confirmation was none. */
function unconfirmed(auth_time: unknown, since: number): string {
  if (typeof auth_time !== 'number')
    return 'The provider did not say when it authenticated the person ("auth_time"), so nobody can confirm by it who they are';
  const seconds = Math.round(since / 1_000 - auth_time);
  return seconds > 0
    ? `The provider authenticated the person ${seconds} seconds before it was asked to: it did not do so again, or its clock is behind this machine's`
    : `The provider authenticated the person ${-seconds} seconds after it was asked to, which is ahead of this machine's clock`;
}

const stateIn = ({ searchParams }: URL): string => searchParams.get('state') ?? '';
const nameOf = (state: string): string => hashToken(state).slice(0, NAME_LENGTH);
