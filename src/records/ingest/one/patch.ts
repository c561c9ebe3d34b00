/** Changes one record, named by identifier or by its parent and the caller's. It merges as upserts do; nothing is required. */

import { Faults } from '../../../core/errors.ts';
import type { Resource } from '../../../core/schema/define.ts';
import { type PatchRequest, parsePairPatch, parsePatch } from '../../../core/schema/parse/parse.ts';
import { inWords } from '../../../core/schema/present/words.ts';
import { externalOf, identifierOf } from '../../../core/schema/reference.ts';
import { recordMissing } from '../../../store/promises/refusals.ts';
import type { Draft, Receipt, Store, StoredRecord } from '../../../store/promises/store.ts';
import { findWritable } from '../resolve.ts';
import {
  committedOutcome,
  doneOrThrow,
  extrasOf,
  type Parts,
  perform,
  type WriteCall,
  type WriteParams,
} from './write.ts';

/** Merges into the record with that unique identifier or, without one, into the record the query names. */
export function createPatch(parts: Parts) {
  const { store, drafts, groupCommit, rehearse } = parts;

  return (call: WriteCall, inPath: string | undefined, sent: () => WriteParams) => {
    const parsed = (params: WriteParams) =>
      inPath === undefined
        ? parsePairPatch(call.resource, params)
        : { ...parsePatch(call.resource, params), named: undefined };
    const work = async (receipt: Receipt | undefined) => {
      const { resource, timing } = call;
      const { scope } = call.principal;
      const params = sent();
      const { identity, patch, dry_run, named } = timing.measure('parse', () => parsed(params));

      const resolving = performance.now();
      const record =
        named !== undefined
          ? await drafts.recordUncached(scope, resource, named)
          : await findWritable(store, resource, inPath ?? '', scope);
      await checkIdentity(store, resource, record, identity);
      const { unique_identifier, account, anchor, parent, external_identifier } = record;
      if (parent === null || external_identifier === null)
        throw new TypeError(`No PATCH writes to ${resource.name}.`);
      const only = { ...params.only, unique_identifier };
      const extras = extrasOf(call.principal, resource.path, only, receipt);
      const draft: Draft = {
        shape: resource.shape,
        account,
        anchor: resource.anchor ? undefined : (anchor ?? undefined),
        parent,
        external_identifier,
        patch,
        ...extras,
        ...(await drafts.heeded({ account, ...extras })),
        source: await store.sources.numberOf(account, call.principal.key),
      };
      const committing = performance.now();
      timing.add('resolve', committing - resolving);

      if (dry_run)
        return { outcome: 'rehearsed' as const, result: doneOrThrow(await rehearse(draft)) };
      const outcome = await groupCommit.join(draft);
      // The parent is gone, and so is the record.
      if (outcome.outcome === 'refused' && outcome.error.code === 'resource_missing')
        throw recordMissing(resource.shape);
      return committedOutcome(outcome, timing, committing);
    };
    return perform(parts, call, work, () => parsed(sent()).patch);
  };
}

/** Throws one `ApiError` that names every parameter that would change the record's identity. */
async function checkIdentity(
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
    const says = `${name} says who the ${inWords(resource.name)} is and cannot be changed: leave it out, or send what is stored.`;
    faults.add(name, 'value_invalid', says);
  }
  faults.throwIfAny();
}
