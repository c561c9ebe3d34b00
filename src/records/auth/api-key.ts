/** API keys: making and recognising secrets, and finding one in a request. */
import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const BASE_62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARACTERS = 32;
const CHECKSUM_CHARACTERS = 6;
export const SECRET_CHARACTERS = 'sk_live_'.length + RANDOM_CHARACTERS + CHECKSUM_CHARACTERS;
/** The greatest multiple of 62 in a byte: bytes above it would favour some characters. */
const FAIR = 248;

/** A new secret: `sk_live_` or `sk_test_`, 32 random base-62 characters (190.5 bits), and six of the CRC-32 of these. */
export function createSecret(livemode: boolean): string {
  let secret = livemode ? 'sk_live_' : 'sk_test_';
  const length = secret.length + RANDOM_CHARACTERS;
  while (secret.length < length) {
    for (const byte of randomBytes(RANDOM_CHARACTERS)) {
      if (byte < FAIR && secret.length < length) secret += BASE_62.charAt(byte % 62);
    }
  }
  return secret + checksum(secret);
}

/** Whether a text has the form of a secret and the right checksum. */
export function isWhole(secret: string): boolean {
  const length = SECRET_CHARACTERS - CHECKSUM_CHARACTERS;
  return (
    /^sk_(?:live|test)_[0-9A-Za-z]+$/.test(secret) &&
    secret.length === SECRET_CHARACTERS &&
    secret.slice(length) === checksum(secret.slice(0, length))
  );
}

/** The last four characters of a secret: enough to recognise a key, and useless to others. */
export function endingOf(secret: string): string {
  return secret.slice(-4);
}

/** The SHA-256 of a secret. Only this and the last characters are ever stored. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** The secret in an `Authorization` header: the Basic username with an empty password, or the Bearer token. */
export function secretOf(authorization: string | undefined): string | undefined {
  const found = /^(basic|bearer) +([^\s]+) *$/i.exec(authorization ?? '');
  if (found === null) return undefined;
  const [, scheme = '', credentials = ''] = found;
  if (scheme.toLowerCase() === 'bearer') return credentials;
  // The secret itself in place of its base64: read as that, it could be anything.
  if (credentials.startsWith('sk_')) return undefined;
  const [username, ...password] = Buffer.from(credentials, 'base64').toString('utf8').split(':');
  return username !== '' && password.length === 1 && password[0] === '' ? username : undefined;
}

function checksum(text: string): string {
  let characters = '';
  let rest = crc32(text);
  while (characters.length < CHECKSUM_CHARACTERS) {
    characters = BASE_62.charAt(rest % 62) + characters;
    rest = Math.floor(rest / 62);
  }
  return characters;
}
