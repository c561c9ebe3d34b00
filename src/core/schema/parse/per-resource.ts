/** Caches a value that is derived from a resource's declaration. */
import type { Resource } from '../define.ts';

export function perResource<T>(make: (resource: Resource) => T): (resource: Resource) => T {
  const made = new WeakMap<Resource, T>();
  return (resource) => made.getOrInsertComputed(resource, make);
}
