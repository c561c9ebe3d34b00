/** Says whom an entry is of. */
import { doNotContact as says } from 'messages';
import type { DoNotContact } from '../../../../client/src/generated/objects.d.ts';
import { phoneText } from '../../values/contact.ts';

export function whoOf({ kind, value }: DoNotContact): string {
  if (value === null) return says.hashed;
  return kind === 'phone' ? phoneText(value) : kind === 'record' ? says.recordAlone : value;
}
