/** Tells what stands in a record for a phone number or an email address that nobody gave: strangers share it. */
import type { SearchedField } from '../../../core/schema/shape.ts';

/** Words that people type where a form asks for something that they do not have, without blanks and signs. */
const FILLERS = new Set([
  ...['a', 'abc', 'anonymous', 'asdf', 'blank', 'declined', 'donotcontact', 'donothave'],
  ...['doesnothave', 'email', 'empty', 'example', 'fake', 'guest', 'invalid', 'mail', 'missing'],
  ...['na', 'name', 'nil', 'no', 'noaddress', 'nobody', 'nocontact', 'noemail', 'noemailaddress'],
  ...['noemailgiven', 'nomail', 'none', 'nonegiven', 'noone', 'noreply', 'nothing', 'notavailable'],
  ...['notgiven', 'notprovided', 'notapplicable', 'null', 'placeholder', 'private', 'refused'],
  ...['sample', 'someone', 'tbd', 'test', 'undefined', 'unknown', 'user', 'visitor', 'x', 'xx'],
  ...['xxx', 'yourname', 'z'],
]);
/** Names that nobody owns, under which a filler is none of anybody. */
const RESERVED = /(?:^|\.)(?:example(?:\.(?:com|net|org))?|invalid|localhost|test|local)$/;
const ADDRESS = /^[^\s@]+@([^\s@.]+(?:\.[^\s@.]+)+)$/;

export function isFiller(text: string, as: SearchedField['as']): boolean {
  return as === 'digits' ? isNoNumber(text) : isNoAddress(text);
}

/** Whether the last ten digits are too few, all of them one, or those of a keyboard in a row. */
function isNoNumber(digits: string): boolean {
  return digits.length < 7 || /^(\d)\1*$/.test(digits) || '01234567890'.includes(digits);
}

/** No form of an address, or a filler of a domain that is one, too. */
function isNoAddress(text: string): boolean {
  const domain = ADDRESS.exec(text)?.[1];
  if (domain === undefined) return true;
  const word = (of: string) => of.replaceAll(/[^a-z]/g, '');
  if (!FILLERS.has(word(text.slice(0, text.indexOf('@'))))) return false;
  const [owner = ''] = domain.split('.').slice(-2);
  return RESERVED.test(domain) || FILLERS.has(word(owner));
}
