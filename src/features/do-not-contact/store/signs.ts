/** By what a person in a record is known: phone numbers and email addresses that somebody gave, and hashes of them. */
import { createHmac } from 'node:crypto';
import { domainToUnicode } from 'node:url';
import { type Country, readPhone } from '../../../core/schema/phones/numbers.ts';
import { foldAddress } from '../../../core/schema/search/folding.ts';
import type { RecordShape, SearchedField } from '../../../core/schema/shape.ts';
import { isObject, type Json, type JsonObject } from '../../../core/schema/values.ts';
import type { Contact, ContactSigns } from '../../../store/books/contacts.ts';
import type { NoContact } from '../declares.ts';
import { isFiller } from './fillers.ts';

const PURPOSE = 'whom nobody is to contact';
const LENGTH = 22;
const NAME_LENGTH = 8;
const E164 = /^\+\d{7,15}$/;
const MAX_ADDRESS = 320;

/** The canonical form of a phone number or an email address; `undefined`: it is none, or one that strangers share. */
export function canonical({ as, text }: Contact): string | undefined {
  const value = as === 'digits' ? text.trim() : addressFrom(text);
  if (as === 'digits' ? !E164.test(value) : value.length > MAX_ADDRESS) return undefined;
  return isFiller(as === 'digits' ? lastDigits(value) : value, as) ? undefined : value;
}

/** An email address in one form, however it is written; domains are not in code. */
function addressFrom(text: string): string {
  const address = foldAddress(text);
  const at = address.lastIndexOf('@');
  if (at < 0 || /[\s<>]/.test(address)) return address;
  const domain = address.slice(at + 1).replace(/\.$/, '');
  return `${address.slice(0, at)}@${domainToUnicode(domain) || domain}`;
}

/** A phone number as people and providers write it; without a country code it is one of `country`. */
export function numberFrom(text: string, country?: Country): string | undefined {
  // A plus sign that stands unencoded in an address arrives as a blank.
  const number =
    readPhone(text, country) ?? (text.startsWith(' ') ? readPhone(`+${text}`) : undefined);
  return number && canonical({ as: 'digits', text: number });
}

export const kindOf = ({ as }: Contact): NoContact['kind'] => (as === 'digits' ? 'phone' : 'email');

/** The phone numbers and email addresses in a document, in their order. */
export function contactsIn({ searched = [] }: RecordShape, document: JsonObject): Contact[] {
  return searched.flatMap(({ path, as }) => {
    const text = as === 'words' ? undefined : textAt(document, path);
    return text === undefined || as === 'words' ? [] : [{ as, text }];
  });
}

/** Makes hashes of values by keys; the first is the newest. */
export function createMarks(keys: readonly Uint8Array[]) {
  const named = keys.map((key) => [nameOf(key), key] as const);
  const mark = (key: Uint8Array, as: SearchedField['as'], value: string) =>
    createHmac('sha256', key)
      .update(`${PURPOSE} ${as} ${value}`)
      .digest('base64url')
      .slice(0, LENGTH);
  /** Hashes that are kept since version 1.0 are of the last ten digits of a number: all that can be known of them. */
  const marksOf = (key: Uint8Array, as: SearchedField['as'], value: string) =>
    [value, ...(as === 'digits' ? [lastDigits(value)] : [])].map((one) => mark(key, as, one));
  const [newest] = named;
  return {
    /** The names of the keys. */
    names: named.map(([name]) => name),
    /** The hash by the newest key, with its name; nulls where there is none. */
    newest(
      as: SearchedField['as'],
      value: string,
    ): { mark: string | null; mark_key: string | null } {
      if (newest === undefined) return { mark: null, mark_key: null };
      const [mark_key, key] = newest;
      return { mark: mark(key, as, value), mark_key };
    },
    /** By what they are known, and the record itself. */
    signsOf(contacts: readonly Contact[], record?: string): ContactSigns {
      const known = contacts.flatMap((one) => {
        const value = canonical(one);
        return value === undefined ? [] : [[one.as, value] as const];
      });
      return {
        values: [...(record === undefined ? [] : [record]), ...known.map(([, value]) => value)],
        marks: known.flatMap(([as, value]) => keys.flatMap((key) => marksOf(key, as, value))),
      };
    },
  };
}

function nameOf(key: Uint8Array): string {
  return createHmac('sha256', key).update(`name: ${PURPOSE}`).digest('hex').slice(0, NAME_LENGTH);
}

const lastDigits = (number: string): string => number.replace(/\D/g, '').slice(-10);

function textAt(document: JsonObject, path: readonly string[]): string | undefined {
  let found: Json | undefined = document;
  for (const name of path) found = isObject(found) ? found[name] : undefined;
  return typeof found === 'string' ? found : undefined;
}
