/** Phone numbers as people read them. */

/** `+14155550123` is "(415) 555-0123"; numbers of other countries stay as they are. */
export function phoneText(text: string): string {
  const digits = /^\+?1?(\d{3})(\d{3})(\d{4})$/.exec(bareNumber(text));
  return digits === null ? text : `(${digits[1]}) ${digits[2]}-${digits[3]}`;
}

/** Characters that no screen shows, which stand in what is pasted. */
export const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** A number without what people write between its digits. */
export function bareNumber(text: string): string {
  return text.replace(INVISIBLE, '').replace(/[\s().\u2010-\u2015\u2212-]/g, '');
}
