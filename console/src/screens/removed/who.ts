/** The name of who removed something, if the viewer may know it. */

import says from 'messages:removed';
import type { Removal } from '../../../../client/src/generated/objects.d.ts';
import { useKeyNames } from '../../records/key-names.ts';
import { session } from '../../service/session.ts';

/** `''` where they have no name. */
export function useWho(): (removal: Pick<Removal, 'key'>) => string {
  const nameOf = useKeyNames();
  return ({ key }) => {
    if (key === null) return '';
    if (key === session.value?.staff.unique_identifier) return says.you;
    const name = nameOf(key);
    return name === key ? '' : name;
  };
}
