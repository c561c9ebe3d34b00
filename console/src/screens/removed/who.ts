/** The name of who removed something, if the viewer may know it. */

import staff from 'messages:staff';
import type { Removal } from '../../../../client/src/generated/objects.d.ts';
import { nameFirst } from '../../records/key-names.ts';
import { session } from '../../service/session.ts';

/** `''` where they have no name. */
export function whoOf({ key }: Pick<Removal, 'key'>): string {
  if (key === null) return '';
  if (key === session.value?.staff.unique_identifier) return staff.you;
  const name = nameFirst(key);
  return name === key ? '' : name;
}
