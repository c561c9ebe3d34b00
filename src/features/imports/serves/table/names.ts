/** Names of people with the family name first, as lists that are sorted have them. */
import type { NamedTarget } from '../amounts.ts';

/** Behind a name, these are no given name. */
const SUFFIX = /^(?:jr|sr|ii|iii|iv|v|esq|md|do|phd|dds|rn|cpa|inc|llc|ltd|co)$/i;
/** Longer ones are no names. */
const LONGEST = 200;

/** Whether a field holds the name of a person. */
export function isName(target: NamedTarget | undefined): boolean {
  return target?.name.endsWith('full_name') === true;
}

/** `Dana M. Example Jr.` of `Example, Dana M., Jr.`; `undefined`: the family name does not stand first. */
export function turnedRound(text: string): string | undefined {
  if (text.length > LONGEST || !text.includes(',')) return undefined;
  const [family = '', given = '', suffix, ...others] = text.split(',').map((part) => part.trim());
  const isSuffix = (part: string): boolean => SUFFIX.test(part.replaceAll('.', ''));
  if (others.length > 0 || family === '' || given === '' || isSuffix(given)) return undefined;
  if (suffix !== undefined && !isSuffix(suffix)) return undefined;
  return [given, family, suffix].filter(Boolean).join(' ').replaceAll(/\s+/g, ' ');
}
