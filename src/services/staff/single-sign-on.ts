/** Single sign-on by OpenID Connect: the authorization code with PKCE. People are known by issuer and subject, never by email. */
import type { Configuration } from 'openid-client';
import { ApiError } from '../../core/errors.ts';
import type { StaffBook } from '../../store/books/staff.ts';
import { SKEW_MS } from './sessions.ts';
import { createToken, hashToken } from './tokens.ts';

/** The provider that the operator has configured. */
export interface Provider {
  readonly issuer: string;
  readonly clientId: string;
  /** `undefined`: a public client, which proves itself by PKCE alone. */
  readonly clientSecret: string | undefined;
  readonly name: string;
}

export type ProviderReturn = Awaited<ReturnType<SingleSignOn['finish']>>;

/** The request to the provider, and its purpose. */
export interface Errand {
  readonly invitation?: string | undefined;
  /** The provider must authenticate the person again, even if they are signed in there. */
  readonly again?: boolean | undefined;
  /** The person who is signed in, and who must be the one to come back. */
  readonly staff?: string | undefined;
  readonly to?: string | undefined;
}

/** How long a person may take at the provider. */
export const AWAY_MS = 10 * 60_000;
const ANSWER_S = 10;
const ANY_AGE_S = '31536000';
const PURPOSE = 'single_sign_on';

interface PendingSignIn {
  readonly binder: string;
  readonly verifier: string;
  readonly nonce: string;
  readonly invitation: string | undefined;
  readonly to: string | undefined;
  /** Since when the provider must have authenticated the person, and who that must be, if set. */
  readonly since?: number;
  readonly staff?: string | undefined;
}

export type SingleSignOn = ReturnType<typeof createSingleSignOn>;

export function createSingleSignOn(provider: Provider, book: StaffBook, now: () => number) {
  let discovered: Promise<Configuration> | undefined;

  /** By the claim `auth_time`, in seconds; a time of the future proves nothing. */
  function provedAt(auth_time: unknown): number {
    const at = typeof auth_time === 'number' ? auth_time * 1_000 : 0;
    const latest = now();
    return at <= latest + SKEW_MS ? Math.min(at, latest) : 0;
  }

  async function configuration(): Promise<Configuration> {
    discovered ??= discover(provider).catch((cause: unknown) => {
      discovered = undefined;
      throw new ApiError('single_sign_on_failed', { cause });
    });
    return discovered;
  }

  return {
    name: provider.name,
    /** Throws `single_sign_on_failed` if the provider cannot be reached. */
    async begin(redirect_uri: string, errand: Errand) {
      const { invitation, again = false, staff, to } = errand;
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await openid();
      const client = await configuration();
      const [state, binder] = [createToken(), createToken()];
      const [verifier, nonce] = [createToken(), createToken()];
      const pending: PendingSignIn = {
        binder: hashToken(binder),
        verifier,
        nonce,
        invitation,
        to,
        ...(again && { since: now(), staff }),
      };
      await book.beginCeremony({
        hash: hashToken(state),
        purpose: PURPOSE,
        content: JSON.stringify(pending),
        expires_at: now() + AWAY_MS,
      });
      const url = buildAuthorizationUrl(client, {
        redirect_uri,
        scope: 'openid',
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        // With any age the provider has to say when it authenticated the person (`auth_time`).
        ...(again ? { prompt: 'login', max_age: '0' } : { max_age: ANY_AGE_S }),
      });
      // The browser must send the binder back: from another browser, the answer is refused.
      return { url: url.href, binder };
    },
    /** Who has returned from the provider, to this address. Throws `sign_in_failed`, `single_sign_on_failed` and `reauthentication_needed`. */
    async finish(address: URL, binder: string | undefined) {
      const state = address.searchParams.get('state') ?? '';
      const content = await book.takeCeremony(hashToken(state), PURPOSE);
      if (content === undefined || binder === undefined) throw new ApiError('sign_in_failed');
      const pending = JSON.parse(content) as PendingSignIn;
      if (hashToken(binder) !== pending.binder) throw new ApiError('sign_in_failed');
      const { authorizationCodeGrant } = await openid();
      const client = await configuration();
      try {
        const tokens = await authorizationCodeGrant(client, address, {
          pkceCodeVerifier: pending.verifier,
          expectedState: state,
          expectedNonce: pending.nonce,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined) throw new TypeError('There is no ID token.');
        const proved_at = provedAt(claims.auth_time);
        // The request went through the browser, whose owner can leave out parameters.
        if (pending.since !== undefined && proved_at < pending.since - SKEW_MS)
          throw new ApiError('reauthentication_needed');
        return {
          identity: { issuer: claims.iss, subject: claims.sub },
          invitation: pending.invitation,
          to: pending.to,
          /** The person it must be, if they were to prove again who they are. */
          again: pending.staff,
          /** When the provider authenticated the person; 0 if it does not say. */
          proved_at,
        };
      } catch (cause) {
        throw cause instanceof ApiError ? cause : new ApiError('sign_in_failed', { cause });
      }
    },
  };
}

/** The provider's metadata. Rejects where it cannot be reached, or is not a provider. */
export async function discover({ issuer, clientId, clientSecret }: Omit<Provider, 'name'>) {
  const client = await openid();
  const { ClientSecretPost, discovery, None } = client;
  const url = new URL(issuer);
  return discovery(
    url,
    clientId,
    undefined,
    clientSecret === undefined ? None() : ClientSecretPost(clientSecret),
    {
      timeout: ANSWER_S,
      execute: [
        // The signature of the ID token is checked, too, not only its sender.
        client.enableNonRepudiationChecks,
        // The settings accept plain HTTP only on this machine.
        ...(url.protocol === 'http:' ? [client.allowInsecureRequests] : []),
      ],
    },
  );
}

const openid = () => import('openid-client');
