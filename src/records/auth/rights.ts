/** Rights of keys beyond records, by name. */

import { featureRightsByName } from '../../features/declares.ts';

/** Rights that the operator gives to people by name, and that no role has. */
const byName: Readonly<Record<string, string>> = {
  audit: 'to see who has seen or done what in its accounts; no role has it',
  erase: 'to erase records of people who ask for it, for good; no role has it',
  ...featureRightsByName,
};
export const rightsByName: readonly string[] = Object.keys(byName);

/** Each name with a description. A right is only listed if something checks it. */
export const rights: Readonly<Record<string, string>> = {
  ...byName,
  pin: 'to correct records as staff do: what the key changes stays, and what sources send for it is proposed',
  requests: 'to see which requests of its accounts were refused, and how much was done',
  sources: 'to rename and merge the sources of its accounts',
  webhooks: 'to make webhook endpoints, which are sent the changes that the key may read',
};

const AUTHORITATIVE = 'authoritative:';

/** The right of a source that pins of records of that resource do not hold back, by its path name. */
export function authoritativeFor(path: string): string {
  return AUTHORITATIVE + path;
}

/** The rights that a key can have, where these are the path names of the resources. */
export function isRight(name: string, paths: readonly string[]): boolean {
  return Object.hasOwn(rights, name) || paths.some((path) => name === authoritativeFor(path));
}
