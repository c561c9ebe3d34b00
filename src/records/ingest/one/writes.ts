/** The writes of one record, stage by stage from request to response. */
import { ApiError, Faults } from '../../../core/errors.ts';
import { FairSlots } from '../../../core/fair/slots.ts';
import { ancestorsOf, type Resource } from '../../../core/schema/define.ts';
import { parseStored } from '../../../core/schema/json/json.ts';
import { declaredOf, patchTo } from '../../../core/schema/merge/merge.ts';
import { parsePatch, parseUpsert } from '../../../core/schema/parse/parse.ts';
import { parseRemoval, parseRestore } from '../../../core/schema/parse/parse-queries.ts';
import { pinsIn, withoutPins, withPins } from '../../../core/schema/pins.ts';
import { inWords } from '../../../core/schema/present/words.ts';
import { externalOf, identifierOf } from '../../../core/schema/reference.ts';
import type { JsonObject } from '../../../core/schema/values.ts';
import { parentRemoved, recordChanged, recordMissing } from '../../../store/promises/refusals.ts';
import type {
  Draft,
  PinsChange,
  Receipt,
  Repeated,
  Store,
  StoredRecord,
} from '../../../store/promises/store.ts';
import type { RecordAt } from '../../../store/records/versions.ts';
import {
  authorize,
  authorizePins,
  type Principal,
  wholeAccountNeeded,
} from '../../auth/principal.ts';
import { mayBeStale } from '../drafts.ts';
import { findWritable, refuseAnchor } from '../resolve.ts';
import { returning } from '../return-place.ts';
import { conditionOf, repeatedRow, type Sighted, seenRecord } from '../seen.ts';
import {
  committedOutcome,
  doneOrThrow,
  extrasOf,
  type Parts,
  perform,
  type WriteCall,
  type WriteParams,
} from './write.ts';

async function rehearsed({ rehearse }: Parts, draft: Draft) {
  return { outcome: 'rehearsed' as const, result: doneOrThrow(await rehearse(draft)) };
}

export function createUpsert(parts: Parts) {
  const { drafts, groupCommit, refuseTooOld } = parts;

  /** Marks the draft's record as seen in its sync. Throws `sync_mismatch`, or `row_repeated` if drafts differ. */
  const note = async (sync: Sighted, draft: Draft, dry_run = false) => {
    const refusal = sync.refusal(draft);
    if (refusal !== undefined) throw refusal;
    const [differs = false] = await sync.see([seenRecord(draft)], { dry_run });
    if (differs) throw repeatedRow();
  };

  const commit = async (sync: Sighted | undefined, draft: Draft) => {
    if (sync !== undefined) await note(sync, draft);
    const judged = refuseTooOld([draft]);
    const [left = draft] = judged instanceof Promise ? await judged : judged;
    const outcome = await groupCommit.join(left);
    if (outcome.outcome === 'refused') await sync?.disclaim([draft]);
    return outcome;
  };

  /** Marks a record in its sync as seen although the request was refused before its commit. */
  const noteOther = async (sync: Sighted | undefined, external_identifier: string | undefined) => {
    if (external_identifier !== undefined)
      await sync?.see([{ external_identifier, content: null }]);
  };

  /** Returns whether the record that a repeated request wrote has been erased since. */
  const wasErased = async (draft: Draft, done: Repeated): Promise<boolean> =>
    'record' in done.receipt &&
    done.receipt.record === undefined &&
    (await parts.store.erasing.refuses(draft)) !== undefined;

  return (call: WriteCall, sent: () => WriteParams) => {
    const work = async (receipt: Receipt | undefined) => {
      const { resource, timing, sync } = call;
      const { scope } = call.principal;
      const params = sent();
      let request: ReturnType<typeof parseUpsert>;
      try {
        request = timing.measure('parse', () => parseUpsert(resource, params));
      } catch (error) {
        await noteOther(sync, sync?.identifierIn(params.body));
        throw error;
      }
      const only = conditionOf(sync, params.only);
      const extras = extrasOf(call.principal, resource.path, only, receipt);

      const resolving = performance.now();
      let draft: Draft;
      try {
        const made = request.dry_run
          ? drafts.makeUncached(scope, resource, request, extras)
          : drafts.make(scope, resource, request, extras);
        draft = made instanceof Promise ? await made : made;
      } catch (error) {
        await noteOther(sync, request.external_identifier);
        throw error;
      }
      const committing = performance.now();
      timing.add('resolve', committing - resolving);
      if (request.dry_run) {
        if (sync !== undefined) await note(sync, draft, true);
        const [marked = draft] = await refuseTooOld([draft]);
        return rehearsed(parts, marked);
      }

      let outcome = await commit(sync, draft);
      if (mayBeStale(request, outcome))
        outcome = await commit(sync, await drafts.makeUncached(scope, resource, request, extras));
      if (outcome.outcome === 'repeated' && (await wasErased(draft, outcome)))
        throw new ApiError('record_erased');
      return committedOutcome(outcome, timing, committing);
    };
    return perform(parts, call, work, () => parseUpsert(call.resource, sent()).patch);
  };
}

/** Merges into the record with that unique identifier or, without one, into the record the query names. */
export function createPatch(parts: Parts) {
  const { store, drafts, groupCommit } = parts;

  return (call: WriteCall, inPath: string | undefined, sent: () => WriteParams) => {
    const parsed = (params: WriteParams) => parsePatch(call.resource, params, inPath === undefined);
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
        ...(await drafts.withPins({ account, ...extras })),
        source: await store.sources.numberOf(account, call.principal.key),
      };
      const committing = performance.now();
      timing.add('resolve', committing - resolving);

      if (dry_run) return rehearsed(parts, draft);
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
  identity: Readonly<Record<string, string>>,
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

/** The most attempts while others change the record. */
const MAX_LOOKS = 4;

/** Creates the restore. `versionOf` finds a version; it throws `resource_missing` and `version_missing`. */
export function createRestore(parts: Parts) {
  const { store, drafts, groupCommit, refuseTooOld } = parts;

  return (
    call: WriteCall,
    unique_identifier: string,
    sent: () => WriteParams,
    versionOf: (version: number) => Promise<RecordAt>,
  ) => {
    let wanted: JsonObject | undefined;
    const work = async (receipt: Receipt | undefined) => {
      const { resource, principal, timing } = call;
      const params = sent();
      const { version, dry_run } = timing.measure('parse', () => parseRestore(resource, params));
      if (resource.anchor) refuseAnchor(unique_identifier, principal.scope);

      for (let looks = 1; ; looks++) {
        const resolving = performance.now();
        const at = await versionOf(version);
        wanted = declaredOf(resource.shape.document, at.document);
        const only = onlyOf(resource, params, at);
        const source = await store.sources.numberOf(at.now.account, principal.key);
        const to = await returning(store, principal.scope, resource, at);
        const made = draftOf(principal, resource, unique_identifier, to, only, receipt);
        const withPins: Draft = { ...made, source, ...(await drafts.withPins(made)) };
        const [draft = withPins] = await refuseTooOld([withPins]);
        const committing = performance.now();
        timing.add('resolve', committing - resolving);
        if (dry_run) return rehearsed(parts, draft);
        const outcome = await groupCommit.join(draft);
        const code = outcome.outcome === 'refused' ? outcome.error.code : undefined;
        const isAgain = code === 'record_changed' && params.only === undefined;
        if (isAgain && looks < MAX_LOOKS) continue;
        if (code === 'resource_missing') throw parentRemoved(resource.shape);
        return committedOutcome(outcome, timing, committing);
      }
    };
    const patch = (stored: JsonObject) => (wanted === undefined ? {} : patchTo(wanted, stored));
    return perform(parts, call, work, patch);
  };
}

/** Returns the condition of a restore: the record has not changed since the patch was made. */
function onlyOf({ shape }: Resource, { only }: WriteParams, { now }: RecordAt) {
  const wantsOne = only?.record === 'present' && !('document' in now);
  if (wantsOne || only?.versions?.includes(now.version) === false)
    throw recordChanged(shape, now.version);
  return { versions: [now.version] };
}

function draftOf(
  principal: Principal,
  { shape, path, anchor: isAnchor }: Resource,
  unique_identifier: string,
  { document, anchor, now }: RecordAt,
  { versions }: { readonly versions: readonly number[] },
  receipt: Receipt | undefined,
): Draft {
  const { account, parent, external_identifier } = now;
  const wanted = declaredOf(shape.document, document);
  if (parent === null || parent === undefined || external_identifier === null)
    throw parentRemoved(shape);
  const at = isAnchor ? undefined : (anchor ?? undefined);
  const own = { shape, account, anchor: at, parent, external_identifier };
  if ('document' in now) {
    const patch = patchTo(wanted, withoutPins(parseStored(now.document) as JsonObject));
    const only = { unique_identifier, versions };
    return { ...own, patch, restores: {}, ...extrasOf(principal, path, only, receipt) };
  }
  const { version, position, inserted_at, created_by } = now;
  const gone = { unique_identifier, version, position, inserted_at, created_by };
  const patch = withPins(wanted, pinsIn(document));
  return { ...own, patch, restores: { gone }, ...extrasOf(principal, path, undefined, receipt) };
}

/** Removals in progress at once: each is a commit of its own, and reads thousands of records if it cascades. */
const AT_ONCE = 4;
/** Removals of one key at once: each may cascade to thousands of records. */
const OF_KEY = 2;

/**
 * Removes the record with that unique identifier, or without one the record that the query names. Slots are shared
 * among keys: a client that removes a thousand records does not block others from the store.
 */
export function createRemove(parts: Parts, resources: readonly Resource[]) {
  const { store, drafts } = parts;
  const slots = new FairSlots({ slots: AT_ONCE, ofGroup: OF_KEY });

  return (
    call: WriteCall,
    unique_identifier: string | undefined,
    sent: () => Omit<WriteParams, 'body' | 'encoding'>,
  ) =>
    perform(parts, call, async (receipt) => {
      const { resource, timing } = call;
      const { scope, key } = call.principal;
      const { query, unknown, only } = sent();
      const { named, cascade, dry_run } = timing.measure('parse', () =>
        parseRemoval(resource, query, unknown, unique_identifier === undefined),
      );

      // A caller that is limited to single locations could not create one again.
      if (resource.anchor && scope.anchors !== undefined) throw wholeAccountNeeded('locations');
      if (cascade)
        for (const one of resources)
          if (ancestorsOf(one).includes(resource)) authorize(call.principal, one.path, 'delete');
      const waiting = performance.now();
      return slots.run(key, async () => {
        const resolving = performance.now();
        timing.add('commit', resolving - waiting);
        const record =
          named !== undefined
            ? await drafts.recordUncached(scope, resource, named)
            : await findWritable(store, resource, unique_identifier ?? '', scope);
        const committing = performance.now();
        timing.add('resolve', committing - resolving);

        const removed = doneOrThrow(
          await store.remove({
            shape: resource.shape,
            account: record.account,
            unique_identifier: record.unique_identifier,
            cascade,
            by: key,
            ...(only?.versions && { versions: only.versions }),
            ...(dry_run ? { rehearse: true } : receipt && { receipt }),
          }),
        );
        timing.add('commit', performance.now() - committing);
        if (!dry_run || removed.outcome === 'repeated') return removed;
        return { outcome: 'rehearsed', result: removed };
      });
    });
}

/** Throws `permission_denied`, `resource_missing`, `pin_missing` and `proposal_decided`, with nothing done. */
export function createDecide({ store, groupCommit }: Pick<Parts, 'store' | 'groupCommit'>) {
  return async (
    principal: Principal,
    resource: Resource,
    unique_identifier: string,
    pins: Exclude<PinsChange, string>,
  ) => {
    authorize(principal, resource.path, 'write');
    authorizePins(principal);
    const { shape, anchor: isAnchor } = resource;
    const found = await findWritable(store, resource, unique_identifier, principal.scope);
    const { account, anchor, parent, external_identifier } = found;
    if (parent === null || external_identifier === null)
      throw new TypeError(`Nothing of ${resource.name} is pinned.`);
    const source = await store.sources.numberOf(account, principal.key);
    const outcome = await groupCommit.join({
      shape,
      account,
      parent,
      external_identifier,
      patch: {},
      pins,
      by: principal.key,
      source,
      anchor: isAnchor ? undefined : (anchor ?? undefined),
      only: { unique_identifier },
    });
    doneOrThrow(outcome);
    return { account };
  };
}
