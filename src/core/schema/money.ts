/** Amounts of money between programs, which send cents, and people, who write `$2,100.00`. */

/** The end of the names of fields that hold cents. */
export const IN_CENTS = '_in_cents';

export function isCents(name: string): boolean {
  return name.endsWith(IN_CENTS);
}

/** The name of the same amount with its decimals, in tables for people: no request has it. */
export function amountName(name: string): string {
  return name.slice(0, -IN_CENTS.length);
}

/** `1895.00`, by which spreadsheets calculate. */
export function amountText(cents: number): string {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The dollar signs and names before or after an amount. */
const UNIT = /^(?:US\s?\$|USD|\$\s?US|\$)\s*|\s*(?:US\s?\$|USD|\$\s?US|\$)$/gi;
/** Digits, which may be grouped by threes, and one or two decimals after another sign than that of the groups. */
const AMOUNT = /^(\d+|\d{1,3}(?:([.,\s'’])\d{3})(?:\2\d{3})*)(?:([.,])(\d{1,2}))?$/;

/**
 * The cents of an amount that a person wrote: `2100`, `2,100`, `$2,100.00`, `2 100,00 $`. `decimal` is the sign before
 * decimals where the person is. `undefined` for what is no amount, or could be two.
 */
export function centsIn(text: string, decimal: '.' | ',' = '.'): number | undefined {
  const amount = text.trim().replace(UNIT, '');
  const [, digits, group, sign, decimals = ''] = AMOUNT.exec(amount) ?? [];
  if (digits === undefined || (group !== undefined && group === sign)) return undefined;
  const groups = digits.split(group ?? ' ').length;
  // `2,100` is two where the comma is the sign before decimals.
  const other = decimal === '.' ? ',' : '.';
  if (sign === undefined && groups === 2 && /[.,]/.test(group ?? '') && group !== other)
    return undefined;
  return Number(digits.replace(/\D/g, '') + decimals.padEnd(2, '0'));
}
