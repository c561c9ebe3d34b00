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
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(value));
    };
    if (url.pathname === '/.well-known/openid-configuration') {
      return json(200, {
        issuer: provider.issuer,
        authorization_endpoint: `${provider.issuer}/authorize`,
        token_endpoint: `${provider.issuer}/token`,
        jwks_uri: `${provider.issuer}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        code_challenge_methods_supported: ['S256'],
      });
    }
    if (url.pathname === '/keys') {
      const key = own.publicKey.export({ format: 'jwk' });
      return json(200, { keys: [{ ...key, kid: '1', alg: 'RS256', use: 'sig' }] });
    }
    if (url.pathname === '/authorize') {
      const code = randomUUID();
      codes.set(code, url.searchParams);
      const back = new URL(url.searchParams.get('redirect_uri') ?? '');
      back.searchParams.set('code', code);
      back.searchParams.set('state', url.searchParams.get('state') ?? '');
      back.searchParams.set('iss', provider.issuer);
      response.writeHead(302, { Location: back.href });
      return response.end();
    }
    const sent = new URLSearchParams(await text(request));
    const asked = codes.get(sent.get('code') ?? '');
    codes.delete(sent.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(sent.get('code_verifier') ?? '')
      .digest('base64url');
    if (
      asked?.get('code_challenge') !== challenge ||
      sent.get('client_secret') !== CLIENT.secret ||
      sent.get('redirect_uri') !== asked.get('redirect_uri')
    )
      return json(400, { error: 'invalid_grant' });
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: provider.issuer,
      sub: provider.subject,
      aud: CLIENT.id,
      nonce: asked.get('nonce'),
      email: 'editor@example.com',
      ...(provider.authTime !== undefined && { auth_time: provider.authTime }),
      iat: now,
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
