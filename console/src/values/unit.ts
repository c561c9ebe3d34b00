/** Numbers with their unit, in the page's language. */
import { locale } from '../locale.ts';

/** "3 years", "12 kB". */
export function unitText(
  count: number,
  unit: string,
  unitDisplay: 'long' | 'short' = 'long',
): string {
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay }).format(count);
}
