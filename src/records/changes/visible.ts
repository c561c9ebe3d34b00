/** The changes that a key may see. */

import type { Resource } from '../../core/schema/define.ts';
import type { LoggedChange } from '../../store/promises/log.ts';
import type { Principal } from '../auth/principal.ts';

/** Whether the key may see a change of the resource. A wipe concerns everything that it may see. */
export function sees(
  { resources: only, scope }: Principal,
  resource: Pick<Resource, 'path'> | undefined,
  { outcome, anchor }: Pick<LoggedChange, 'outcome' | 'anchor'>,
): boolean {
  if (outcome === 'wiped') return true;
  if (resource === undefined || only?.has(resource.path) === false) return false;
  return anchor === null || scope.anchors?.has(anchor) !== false;
}
