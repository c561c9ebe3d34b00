/** Tokens of sessions, invitations and ceremonies: 256 random bits, of which only the hash is stored. */
import { hash, randomBytes } from 'node:crypto';

const BYTES = 32;

export function createToken(): string {
  return randomBytes(BYTES).toString('base64url');
}

/** The SHA-256 of a token, as base64url. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'base64url');
}

/** Whether a text is one of our tokens, by its form. */
export function isToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}
