/** A provider of single sign-on for tests: OpenID Connect with PKCE, by the standard, and no page to look at. */
import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownFolder } from './cli-program.ts';
import { localServer } from './local-server.ts';

export const CLIENT = { id: 'ledgerstone', secret: 'a secret of the client' };

export interface OpenIdProvider {
  readonly issuer: string;
  /** Who is there at the moment. */
  subject: string;
  /** When it says that they were authenticated, in seconds since 1970; `undefined`: it does not say. */
  authTime: number | undefined;
  /** Where browsers were sent, the last of them last. */
  readonly asked: URL[];
  /** Whether it signs with a key that it does not show. */
  forging: boolean;
  /** The secret that it takes from the client. */
  secret: string;
  /** How the client may show it, as the provider says of itself; `undefined`: it does not say. */
  ways: readonly string[] | undefined;
  /** The only way that it takes, whatever it says. */
  takes: 'client_secret_basic' | 'client_secret_post' | undefined;
  /** By what it says that it signs. */
  signs: readonly string[];
  /** How many seconds its clock is ahead. */
  ahead: number;
  /** What it answers in place of a code. */
  refusal: Readonly<Record<string, string>> | undefined;
  /** What it answers to whoever brings a code, in place of tokens; its connection breaks where that is 0. */
  instead: { readonly status: number; readonly body: object } | undefined;
  /** The names of its keys. */
  kids: readonly (string | undefined)[];
  /** What the path begins with at which it gives tokens. */
  below: string;
  /** Those of a service that has it. */
  readonly settings: Readonly<Record<string, string>>;
  /** Where a browser is sent that is sent there: back, with a code. */
  visit(url: string): Promise<string>;
}

/** Ends with the test, the suite or the file that starts it. */
export async function startProvider(): Promise<OpenIdProvider> {
  const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const codes = new Map<string, URLSearchParams>();

  const issuer = await localServer(async (request, response) => {
    const url = new URL(request.url ?? '/', provider.issuer);
    const json = (status: number, value: object): void => {
      const now = new Date(Date.now() + provider.ahead * 1_000).toUTCString();
      response.writeHead(status, { 'Content-Type': 'application/json', Date: now });
      response.end(JSON.stringify(value));
    };
    if (url.pathname === '/.well-known/openid-configuration') {
      return json(200, {
        issuer: provider.issuer,
        authorization_endpoint: `${provider.issuer}/authorize`,
        token_endpoint: `${provider.issuer}${provider.below}/token`,
        ...(provider.ways && { token_endpoint_auth_methods_supported: provider.ways }),
        jwks_uri: `${provider.issuer}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: provider.signs,
        code_challenge_methods_supported: ['S256'],
      });
    }
    if (url.pathname === '/keys') {
      const key = own.publicKey.export({ format: 'jwk' });
      const named = provider.kids.map((kid) => (kid === undefined ? {} : { kid }));
      return json(200, {
        keys: named.map((kid) => ({ ...key, ...kid, alg: 'RS256', use: 'sig' })),
      });
    }
    if (url.pathname.endsWith('/authorize')) {
      const code = randomUUID();
      codes.set(code, url.searchParams);
      const back = new URL(url.searchParams.get('redirect_uri') ?? '');
      for (const [name, value] of Object.entries(provider.refusal ?? { code }))
        back.searchParams.set(name, value);
      back.searchParams.set('state', url.searchParams.get('state') ?? '');
      back.searchParams.set('iss', provider.issuer);
      response.writeHead(302, { Location: back.href });
      return response.end();
    }
    const sent = new URLSearchParams(await text(request));
    if (url.pathname !== `${provider.below}/token`) return json(404, {});
    if (provider.instead?.status === 0) return request.socket.destroy();
    if (provider.instead !== undefined) return json(provider.instead.status, provider.instead.body);
    const [scheme, proof = ''] = request.headers.authorization?.split(' ') ?? [];
    const isBasic = scheme === 'Basic';
    const [, secret] = isBasic
      ? Buffer.from(proof, 'base64').toString().split(':').map(decodeURIComponent)
      : [undefined, sent.get('client_secret')];
    const way = isBasic ? 'client_secret_basic' : 'client_secret_post';
    if (secret !== provider.secret || (provider.takes ?? way) !== way) {
      // As the standard has it, for those who tried that header.
      if (isBasic) response.setHeader('WWW-Authenticate', 'Basic realm="token"');
      return json(401, {
        error: 'invalid_client',
        error_description: 'The secret of admin@example.com has expired.',
      });
    }
    const asked = codes.get(sent.get('code') ?? '');
    codes.delete(sent.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(sent.get('code_verifier') ?? '')
      .digest('base64url');
    if (
      asked?.get('code_challenge') !== challenge ||
      sent.get('redirect_uri') !== asked.get('redirect_uri')
    )
      return json(400, { error: 'invalid_grant' });
    const now = Math.floor(Date.now() / 1000) + provider.ahead;
    const claims = {
      iss: provider.issuer,
      sub: provider.subject,
      aud: CLIENT.id,
      nonce: asked.get('nonce'),
      email: 'editor@example.com',
      ...(provider.authTime !== undefined && { auth_time: provider.authTime }),
      iat: now,
      nbf: now,
      exp: now + 60,
    };
    const part = (value: object): string =>
      Buffer.from(JSON.stringify(value)).toString('base64url');
    const signed = `${part({ alg: 'RS256', kid: '1' })}.${part(claims)}`;
    const { privateKey } = provider.forging ? other : own;
    const signature = sign('sha256', Buffer.from(signed), privateKey).toString('base64url');
    json(200, { access_token: 'unused', token_type: 'Bearer', id_token: `${signed}.${signature}` });
  });
  const oidc_secret_file = join(ownFolder(), 'secret');
  writeFileSync(oidc_secret_file, `${CLIENT.secret}\n`);
  const provider: OpenIdProvider = {
    issuer,
    settings: {
      oidc_issuer: issuer,
      oidc_client_id: CLIENT.id,
      oidc_secret_file,
      oidc_name: 'Example Group',
    },
    subject: 'nobody',
    forging: false,
    secret: CLIENT.secret,
    ways: undefined,
    takes: undefined,
    signs: ['RS256'],
    ahead: 0,
    refusal: undefined,
    instead: undefined,
    kids: ['1'],
    below: '',
    authTime: undefined,
    asked: [],
    async visit(url) {
      provider.asked.push(new URL(url));
      const answer = await fetch(url, { redirect: 'manual' });
      return answer.headers.get('location') ?? '';
    },
  };
  return provider;
}

async function text(stream: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}
