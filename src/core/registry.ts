/** The registry of resources, for rooms that may not know a resource by name. */
import { type Fault, Faults } from './errors.ts';
import { anchor, resources, root } from './resources/index.ts';
import type { Resource } from './schema/define.ts';
import { readMembers } from './schema/fields/members.ts';
import { checkText } from './schema/text.ts';

export { anchor, resources };

/** The resource of the record with that unique identifier, by its prefix. */
export function resourceOf(unique_identifier: string): Resource | undefined {
  return resources.find(({ prefix }) => unique_identifier.startsWith(prefix));
}

export const shapes = resources.map((resource) => resource.shape);

/** The shape of the records that keys can be limited to. */
export const anchorShape = anchor.shape;

/** The path names that keys can be limited to. */
export const pathNames: readonly string[] = resources.map((resource) => resource.path);

/** The fault of a name for an account, by the rules of its declaration; `undefined` if it is valid. */
export function nameFault(name: string): Fault | undefined {
  const faults = new Faults();
  checkText(name, faults);
  readMembers(root.params, { name }, '', { encoding: 'json', faults, unknown: 'refuse' });
  return faults.named[0];
}
