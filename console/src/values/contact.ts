/** Phone numbers and email addresses: as people read and type them, and as links. */

/** `+14155550123` is "(415) 555-0123"; numbers of other countries stay as they are. */
export function phoneText(text: string): string {
  const digits = /^\+?1?(\d{3})(\d{3})(\d{4})$/.exec(bareNumber(text));
  return digits === null ? text : `(${digits[1]}) ${digits[2]}-${digits[3]}`;
}

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

const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

function bareNumber(text: string): string {
  return text.replace(INVISIBLE, '').replace(/[\s().\u2010-\u2015\u2212-]/g, '');
}
