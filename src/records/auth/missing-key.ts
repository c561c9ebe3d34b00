/** Describes why a request has no API key, so that its sender can correct it without help. */
import { SECRET_CHARACTERS } from './api-key.ts';

/** The parts of a request that may hold a key, rightly or wrongly; Node's `IncomingMessage` is one. */
export interface RawCredentials {
  readonly headers: {
    readonly authorization?: string | undefined;
    readonly 'x-api-key'?: string | string[] | undefined;
    readonly 'access-control-request-method'?: string | undefined;
  };
  readonly url?: string | undefined;
}

const SECRET = 'a secret begins with sk_live_ or sk_test_';

/** Why the `Authorization` header has no secret. Repeats nothing of the header. */
export function describeMissingKey({ headers, url = '' }: RawCredentials): string {
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
  switch (scheme.toLowerCase()) {
    case 'bearer':
      return credentials === ''
        ? 'There is nothing after Bearer: is the variable with the key set?'
        : 'There is more than a key after Bearer.';
    case 'basic':
      return basicArrived(credentials);
    default:
      return 'The Authorization header begins with neither Basic nor Bearer.';
  }
}

function basicArrived(credentials: string): string {
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
export function whyNoSecret(text: string): string | undefined {
  if (text.startsWith('key_')) return `This is the identifier of a key: ${SECRET}.`;
  if (!/^sk_(?:live|test)_/.test(text)) return `This is not an API key: ${SECRET}.`;
  if (text.length >= SECRET_CHARACTERS) return undefined;
  return `The key was cut off: ${text.length} of its ${SECRET_CHARACTERS} characters arrived.`;
}
