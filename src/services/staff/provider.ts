/** The provider of single sign-on, as it describes itself: how the client proves itself there, and why something failed. */
import type { ClientAuth, Configuration } from 'openid-client';
import { untrustedFault } from '../../core/network/certificate.ts';
import { fetchNamed } from '../../core/outbound/fetch-named.ts';
import { SKEW_MS } from './sessions.ts';

/** The provider that the operator has configured. */
export interface Provider {
  readonly issuer: string;
  readonly clientId: string;
  /** `undefined`: a public client, which proves itself by PKCE alone. */
  readonly clientSecret: string | undefined;
  readonly name: string;
}

const ANSWER_S = 10;

export const openid = () => import('openid-client');

/** A provider that has said what it is, and the client that it knows. */
export interface Discovered {
  readonly client: Configuration;
  /** Shows the secret in the other way that the provider offers from now on. `false` where there is no other. */
  otherWay(): boolean;
}

/** Asks the provider what it is. Rejects where it cannot be reached, or is not a provider. */
export async function discover({ issuer, clientId, clientSecret }: Omit<Provider, 'name'>) {
  const client = await openid();
  const url = new URL(issuer);
  const ways =
    clientSecret === undefined
      ? [client.None()]
      : [inHeader(clientSecret), client.ClientSecretPost(clientSecret)];
  let offered = ways;
  const authenticated: ClientAuth = (...request) => offered[0]?.(...request);
  const found = await client.discovery(
    url,
    clientId,
    { [client.clockTolerance]: SKEW_MS / 1_000 },
    authenticated,
    {
      timeout: ANSWER_S,
      [client.customFetch]: (address, options) => fetchNamed(address, options as RequestInit),
      execute: [
        // The signature of the ID token is checked, too, not only its sender.
        client.enableNonRepudiationChecks,
        // The settings accept plain HTTP only on this machine.
        ...(url.protocol === 'http:' ? [client.allowInsecureRequests] : []),
      ],
    },
  );
  // By the standard, a provider that says nothing of it takes the header alone.
  const { token_endpoint_auth_methods_supported: said = [WAYS[0]] } = found.serverMetadata();
  const taken = ways.filter((_way, nth) => said.includes(WAYS[nth] ?? ''));
  if (taken.length > 0) offered = taken;
  return {
    client: found,
    otherWay() {
      const [first, ...others] = offered;
      if (first === undefined || others.length === 0) return false;
      offered = others;
      return true;
    },
  } satisfies Discovered;
}

/**
 * Shows the secret in the header. Only what has to be encoded is, a blank as `%20`: so it is read alike by providers that
 * decode it as a form, as an address, or not at all.
 */
const inHeader =
  (secret: string): ClientAuth =>
  (_server, { client_id }, _body, headers) => {
    const both = [client_id, secret].map(encodeURIComponent).join(':');
    headers.set('authorization', `Basic ${Buffer.from(both).toString('base64')}`);
  };

/** The names of the ways to show a secret, the first of them first. */
const WAYS = ['client_secret_basic', 'client_secret_post'];

/** Does that with the client; where the provider does not take the secret in one way, in the other that it offers. */
export async function asClient<T>(
  { client, otherWay }: Discovered,
  work: (client: Configuration) => Promise<T>,
): Promise<T> {
  try {
    return await work(client);
  } catch (error) {
    const { status, error: code } = await answerOf(error);
    if ((code ?? (status === 401 ? NOT_TAKEN : undefined)) !== NOT_TAKEN || !otherWay())
      throw error;
    return work(client);
  }
}

/** A provider's word for a client that it does not know, or whose secret is wrong. */
export const NOT_TAKEN = 'invalid_client';

/** Why nobody came in, for the person by its code, and for the operator in words. */
export interface ProviderFailure {
  readonly code: 'single_sign_on_failed' | 'single_sign_on_refused' | 'single_sign_on_unusable';
  readonly reason: string;
}

/** Answers of providers where the person may not come in, or did not want to. */
const REFUSED: ReadonlySet<string> = new Set([
  'access_denied',
  'account_selection_required',
  'consent_required',
  'interaction_required',
  'login_required',
]);
const AWAY: ReadonlySet<string> = new Set(['temporarily_unavailable', 'server_error']);

/** Sorts what has gone wrong with the provider. */
export async function failureOf(error: unknown): Promise<ProviderFailure> {
  const { status, error: code, error_description: why } = await answerOf(error);
  if (code !== undefined) {
    const said = why === undefined ? code : `${code}: ${why}`;
    if (REFUSED.has(code))
      return { code: 'single_sign_on_refused', reason: `The provider refused the person: ${said}` };
    if (AWAY.has(code))
      return { code: 'single_sign_on_failed', reason: `The provider could not go on: ${said}` };
    if (code === NOT_TAKEN)
      return unusable(
        `The provider does not take the client and its secret: ${said}. Check OIDC_CLIENT_ID, and whether the secret in OIDC_SECRET_FILE has expired`,
      );
    return unusable(`The provider refused what the service asked: ${said}`);
  }
  if (status === 401)
    return unusable('The provider does not take the client and its secret, and does not say why');
  if (status !== undefined && status >= 500)
    return { code: 'single_sign_on_failed', reason: `The provider answered ${status}` };
  const early = offClock(error);
  if (early !== undefined) return unusable(early);
  const reason = reasonOf(error);
  return isAway(error) ? { code: 'single_sign_on_failed', reason } : unusable(reason);
}

const unusable = (reason: string): ProviderFailure => ({ code: 'single_sign_on_unusable', reason });

interface Answered {
  readonly status?: number | undefined;
  readonly error?: string | undefined;
  readonly error_description?: string | undefined;
}

/** The provider's answer where it has refused something, as far as that is known. */
async function answerOf(failure: unknown): Promise<Answered> {
  const { response, status, cause } = failure as {
    response?: Response;
    status?: number;
    cause?: unknown;
  };
  const { error, error_description } = failure as Record<string, unknown>;
  if (typeof error === 'string')
    return { status, error: plain(error), error_description: textOf(error_description) };
  const of = response ?? (cause instanceof Response ? cause : undefined);
  if (of === undefined) return {};
  // A header with a challenge is found before the body is read, which is to be read again.
  const body = of.bodyUsed ? undefined : ((await readOf(of.clone())) as unknown);
  const said = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  return {
    status: of.status,
    error: textOf(said.error),
    error_description: textOf(said.error_description),
  };
}

const readOf = (response: Response) => response.json().catch(() => undefined);

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? plain(value) : undefined;

const MOST_SAID = 300;

/** A text of others, as it may stand in the log: in one line, short, and with no one's address. */
function plain(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .replace(/[^\s@'"<>()]+@[^\s@'"<>()]+/g, '…@…')
    .slice(0, MOST_SAID)
    .trim()
    .replace(/\.$/, '');
}

/** In words, by how much the clocks of the provider and of this machine differ, where a token was refused for that. */
function offClock(error: unknown): string | undefined {
  for (let one: unknown = error; one instanceof Error; one = one.cause) {
    const { claim, claims, now } = (one.cause ?? {}) as {
      claim?: string;
      claims?: Record<string, unknown>;
      now?: number;
    };
    const at = claim === undefined ? undefined : claims?.[claim];
    if (typeof at !== 'number' || typeof now !== 'number') continue;
    const seconds = Math.abs(Math.round(at - now));
    return claim === 'exp'
      ? `The provider's token had ended ${seconds} seconds before it came: its clock is behind this machine's, or the other way round`
      : `The provider's token is good in ${seconds} seconds only ("${claim}"): its clock is ahead of this machine's, or the other way round`;
  }
  return undefined;
}

/** Whether the provider could not be reached, or not in time. */
function isAway(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT' || message === 'fetch failed';
}

/** An error of the way to the provider, with its causes, in one line. */
export function reasonOf(error: unknown): string {
  const said: string[] = [];
  for (let one: unknown = error; one instanceof Error; one = one.cause) {
    const { message, code } = one as NodeJS.ErrnoException;
    const text = plain(untrustedFault(one) ?? (message === '' ? (code ?? one.name) : message));
    if (!said.includes(text)) said.push(text);
    const { body, attribute } = (one.cause ?? {}) as {
      body?: Record<string, unknown>;
      attribute?: string;
    };
    if (attribute === 'issuer' && typeof body?.issuer === 'string')
      said.push(`it calls itself ${JSON.stringify(body.issuer)}`);
  }
  return said.join('; ');
}

/** Algorithms whose signatures can be checked by a key that everybody may know. */
const PUBLIC_SIGNATURES = /^(?:RS|PS|ES)\d{3}$|^Ed/;
/** A code that no provider has given: whoever gets it looks at the client first. */
const NO_CODE = 'ledgerstone-doctor-tries-its-secret';

/** Finds what stands in the way of signing in through that provider, each in a sentence without a full stop. */
export async function obstaclesAt(
  found: Discovered,
  redirect_uri: string,
  now: () => number,
): Promise<string[]> {
  const { genericGrantRequest, randomPKCECodeVerifier } = await openid();
  const { id_token_signing_alg_values_supported: signed = ['RS256'], jwks_uri } =
    found.client.serverMetadata();
  const obstacles: string[] = [];
  if (!signed.some((name) => PUBLIC_SIGNATURES.test(name)))
    obstacles.push(
      `it signs ID tokens by ${signed.join(', ')} alone. Have it sign them by RS256 or ES256`,
    );
  const keys = jwks_uri === undefined ? undefined : await answered(jwks_uri, now);
  if (typeof keys === 'string') obstacles.push(`its keys at ${jwks_uri} cannot be read: ${keys}`);
  if (typeof keys === 'object' && keys.nameless > 0)
    obstacles.push(
      `it signs by one of several keys, of which ${keys.nameless} have no name ("kid"), so that nothing says which one to check a signature by. Have it name them`,
    );
  if (typeof keys === 'object' && Math.abs(keys.ahead) > SKEW_MS)
    obstacles.push(
      `its clock is ${Math.abs(Math.round(keys.ahead / 1_000))} seconds ${keys.ahead > 0 ? 'ahead of' : 'behind'} this machine's. Set the one that is wrong`,
    );
  try {
    await asClient(found, (client) =>
      genericGrantRequest(client, 'authorization_code', {
        code: NO_CODE,
        code_verifier: randomPKCECodeVerifier(),
        redirect_uri,
      }),
    );
  } catch (error) {
    const { status, error: code } = await answerOf(error);
    const isClients = code === undefined ? status === 401 : OF_CLIENTS.has(code);
    if (isClients || isAway(error)) obstacles.push((await failureOf(error)).reason);
  }
  return obstacles;
}

const OF_CLIENTS: ReadonlySet<string> = new Set([NOT_TAKEN, 'unauthorized_client']);

/** By how many milliseconds whoever answers there is ahead of this machine; in words, why there is no answer. */
async function answered(
  address: string,
  now: () => number,
): Promise<{ readonly ahead: number; readonly nameless: number } | string> {
  try {
    const answer = await fetchNamed(address, { signal: AbortSignal.timeout(ANSWER_S * 1_000) });
    const { ok, status, headers } = answer;
    if (!ok) return `the answer is ${status}`;
    const said = Date.parse(headers.get('date') ?? '') + Number(headers.get('age') ?? 0) * 1_000;
    const nameless = namelessIn(await answer.json());
    return { ahead: Number.isNaN(said) ? 0 : said - now(), nameless };
  } catch (error) {
    return reasonOf(error);
  }
}

/** Counts the keys that cannot be told from others of their kind. */
function namelessIn(said: {
  readonly keys?: readonly Readonly<Record<string, unknown>>[];
}): number {
  const signing = (said.keys ?? []).filter(({ use = 'sig' }) => use === 'sig');
  const kinds = Map.groupBy(signing, ({ kty, alg, crv }) => [kty, alg, crv].join());
  return [...kinds.values()]
    .filter((alike) => alike.length > 1)
    .flatMap((alike) => alike.filter(({ kid }) => typeof kid !== 'string')).length;
}
