/**
 * Browsers that people have signed in with before, so that strangers who guess cannot lock people out of their own. A
 * browser stores its name and a signature for each person; the key of a signature is the stored hash of the person's
 * password, so that it ends with the password.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { StaffMember } from '../../store/promises/staff.ts';

const NAME_BYTES = 16;
/** Characters of base64url, each of six bits. */
const SIGNATURE_LENGTH = 22;
/** People who share a browser: the one who signed in longest ago is forgotten first. */
const MAX_PEOPLE = 8;

type Person = Pick<StaffMember, 'unique_identifier' | 'password'>;

/** A name for the person and the browser that has stored this, if they have signed in with it. */
export function knownBrowser(cookie: string | undefined, person: Person): string | undefined {
  const [name = '', ...signatures] = cookie?.split('.') ?? [];
  const own = signatureOf(name, person);
  if (own === undefined) return undefined;
  const isOwn = signatures
    .slice(0, MAX_PEOPLE)
    .some((one) => one.length === own.length && timingSafeEqual(bytes(one), bytes(own)));
  return isOwn ? `${person.unique_identifier} ${name}` : undefined;
}

/** The new value of the browser's cookie; `undefined` if the person has no password to guess. */
export function rememberBrowser(cookie: string | undefined, person: Person): string | undefined {
  const [before = '', ...others] = cookie?.split('.') ?? [];
  const isName = /^[\w-]{22}$/.test(before);
  const name = isName ? before : randomBytes(NAME_BYTES).toString('base64url');
  const own = signatureOf(name, person);
  if (own === undefined) return undefined;
  const rest = isName ? others.filter((one) => one !== own && /^[\w-]{22}$/.test(one)) : [];
  return [name, own, ...rest.slice(0, MAX_PEOPLE - 1)].join('.');
}

function signatureOf(name: string, { unique_identifier, password }: Person): string | undefined {
  if (password === null) return undefined;
  return createHmac('sha256', password)
    .update(`${name} ${unique_identifier}`)
    .digest('base64url')
    .slice(0, SIGNATURE_LENGTH);
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
