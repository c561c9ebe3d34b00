/** Phone numbers and email addresses: as people type them, and as links. */
import { bareNumber, INVISIBLE } from '../../../src/core/schema/present/phone-text.ts';

export { phoneText } from '../../../src/core/schema/present/phone-text.ts';

export function phoneLink(number: string): string {
  return `tel:${number.replace(/[^\d+]/g, '')}`;
}

/** A link that opens a message to that address only: as anyone can send us an address, it may contain `?bcc=`. */
export function emailLink(address: string): string {
  return `mailto:${encodeURIComponent(address).replaceAll('%40', '@')}`;
}

/** A number of the US as people type or paste it, in E.164: `(415) 555-0123` is `+14155550123`. Anything else stays as it is. */
export function typedPhone(text: string): string {
  const digits = /^(?:\+?1)?([2-9]\d{9})$/.exec(bareNumber(text));
  return digits === null ? text.replace(INVISIBLE, '').trim() : `+1${digits[1]}`;
}
