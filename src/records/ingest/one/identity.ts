/** Checks that identifiers in a PATCH only repeat those that are stored. */
import { Faults } from '../../../core/errors.ts';
import type { Resource } from '../../../core/schema/define.ts';
import type { PatchRequest } from '../../../core/schema/parse/parse.ts';
import { inWords } from '../../../core/schema/present/words.ts';
import { externalOf, identifierOf } from '../../../core/schema/reference.ts';
import type { Store, StoredRecord } from '../../../store/promises/store.ts';

/** Throws one `ApiError` that names every parameter that would change the record's identity. */
export async function checkIdentity(
  store: Pick<Store, 'find'>,
  resource: Resource,
  record: StoredRecord,
  identity: PatchRequest['identity'],
): Promise<void> {
  const names = Object.keys(identity);
  if (names.length === 0) return;
  const stored = new Map([['external_identifier', record.external_identifier]]);
  let below = record;
  for (let at = resource.parent; at !== undefined && below.parent !== null; at = at.parent) {
    stored.set(identifierOf(at), below.parent);
    if (names.every((name) => stored.has(name))) break;
    const scope = { accounts: new Set([record.account]), anchors: undefined };
    const above = await store.find(at.shape, below.parent, scope);
    // The parent is gone, and so is the record: the commit reports it.
    if (above === undefined) return;
    stored.set(externalOf(at), above.external_identifier);
    below = above;
  }

  const faults = new Faults();
  for (const name of names) {
    if (identity[name] === stored.get(name)) continue;
    faults.add(
      name,
      'value_invalid',
      `${name} says who the ${inWords(resource.name)} is and cannot be changed: leave it out, or send what is stored.`,
    );
  }
  faults.throwIfAny();
}
