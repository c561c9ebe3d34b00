/** Restores the content of an earlier version as a new version, even of a removed record. */

import type { Resource } from '../../../core/schema/define.ts';
import { parseStored } from '../../../core/schema/json/json.ts';
import { declaredOf, patchTo } from '../../../core/schema/merge/difference.ts';
import { parseRestore } from '../../../core/schema/parse/parse-queries.ts';
import { pinsIn, withoutPins, withPins } from '../../../core/schema/pins.ts';
import type { JsonObject } from '../../../core/schema/values.ts';
import { parentRemoved, recordChanged } from '../../../store/promises/refusals.ts';
import type { Draft, Receipt } from '../../../store/promises/store.ts';
import type { RecordAt } from '../../../store/records/versions.ts';
import type { Principal } from '../../auth/principal.ts';
import { refuseAnchor } from '../resolve.ts';
import {
  committedOutcome,
  doneOrThrow,
  extrasOf,
  type Parts,
  perform,
  type WriteCall,
  type WriteParams,
} from './write.ts';

/** The most attempts while others change the record. */
const MAX_LOOKS = 4;

/** Creates the restore. `versionOf` finds a version; it throws `resource_missing` and `version_missing`. */
export function createRestore(parts: Parts) {
  const { store, drafts, groupCommit, markPast, rehearse } = parts;

  return (
    call: WriteCall,
    unique_identifier: string,
    sent: () => WriteParams,
    versionOf: (version: number) => Promise<RecordAt>,
  ) => {
    let patch: JsonObject = {};
    const work = async (receipt: Receipt | undefined) => {
      const { resource, principal, timing } = call;
      const params = sent();
      const { version, dry_run } = timing.measure('parse', () => parseRestore(resource, params));
      if (resource.anchor) refuseAnchor(unique_identifier, principal.scope);

      for (let looks = 1; ; looks++) {
        const resolving = performance.now();
        const at = await versionOf(version);
        const only = onlyOf(resource, params, at);
        const source = await store.sources.numberOf(at.now.account, principal.key);
        const made = draftOf(principal, resource, unique_identifier, at, only, receipt);
        const heeded: Draft = { ...made, source, ...(await drafts.heeded(made)) };
        patch = withoutPins(heeded.patch);
        const [draft = heeded] = await markPast([heeded]);
        const committing = performance.now();
        timing.add('resolve', committing - resolving);
        if (dry_run)
          return { outcome: 'rehearsed' as const, result: doneOrThrow(await rehearse(draft)) };
        const outcome = await groupCommit.join(draft);
        const code = outcome.outcome === 'refused' ? outcome.error.code : undefined;
        const isAgain = code === 'record_changed' && params.only === undefined;
        if (isAgain && looks < MAX_LOOKS) continue;
        if (code === 'resource_missing') throw parentRemoved(resource.shape);
        return committedOutcome(outcome, timing, committing);
      }
    };
    return perform(parts, call, work, () => patch);
  };
}

/** Returns the condition of a restore: the record has not changed since the patch was made. */
function onlyOf(
  { shape }: Resource,
  { only }: WriteParams,
  { now }: RecordAt,
): { readonly versions: readonly number[] } {
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
