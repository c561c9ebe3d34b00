/**
 * A run of a rule: it counts what would go, stops where that is twice of what was expected, and removes it. What is
 * removed next is stored before it is begun, and counted after it is done, so that a killed process loses no count.
 */

import type { Resource } from '../../../core/schema/define.ts';
import { type Store, wholeAccount } from '../../../store/promises/store.ts';
import type { RetentionGoing, RetentionProgress, StoredRetentionRun } from '../declares/run.ts';
import { isStoredTime, type StoredRetentionRule } from '../declares.ts';
import { allOf, counting, cutoffOf } from './counting.ts';
import { createJudge } from './judge.ts';
import { agedPages } from './walk.ts';

/** Records that are removed between two notes of how far it has come. */
const SLICE = 50;
/** Records that are removed with one call, so that other accounts are served after it. */
const AT_ONCE = 5;

export interface RunParts {
  readonly store: Store;
  readonly resources: readonly Resource[];
  readonly now: () => number;
  readonly removed: (resource: string) => unknown;
}

/** Goes on with a run. Yields how many records it has removed since the last piece, or 1. */
export function runOf(
  { store, resources, now, removed }: RunParts,
  of: { rule: StoredRetentionRule; resource: Resource; run: StoredRetentionRun },
): AsyncGenerator<number, void> {
  const { rule, resource } = of;
  let { run } = of;
  const judge = createJudge(store, resources, { rule, resource });
  const until = cutoffOf(rule, run.began_at);
  const walk = { store, resource, rule, until, limit: SLICE };

  async function* work(): AsyncGenerator<number, void> {
    const { status, stopped_because } = run;
    if (status !== 'running') return end(status, stopped_because);
    if (run.progress === null) {
      const counted = yield* counting(store, resources, { rule, resource, at: run.began_at });
      const { held, spared, soon } = counted;
      run = { ...run, goes: allOf(counted), held, spared, soon };
      if (isTwice(run.goes, run)) return end('stopped', 'twice_the_preview');
      if (run.goes === 0) return end('done', null);
      await put({ progress: { place: null, going: [] } });
    }
    // Another process may have removed some of what goes next.
    for (let isResumed = true; run.progress !== null; isResumed = false) {
      yield* remove(run.progress, isResumed);
      yield 1;
      await plan(run.progress);
    }
  }

  /** Finds what goes next: descendants before their record, in slices of their own where there are many. */
  async function plan({ place }: RetentionProgress): Promise<void> {
    if (isTwice(run.removed, run)) return end('stopped', 'twice_the_preview');
    const stored = await store.retention.find(rule.unique_identifier);
    if (stored?.status !== 'enabled' || stored.enabled_at !== run.enabled_at)
      return end('stopped', 'paused');
    const { value: page } = await agedPages(walk, place).next();
    if (page === undefined) return end('done', null);
    const verdicts = await judge.verdicts(page.old.map(({ record }) => record));
    const going: RetentionGoing[] = [];
    let reached = place;
    let { held } = run;
    for (const [at, { record: old, place: own, parent_version }] of page.old.entries()) {
      const { unique_identifier: record, version } = old;
      const isRetained = verdicts[at] === 'goes' && (await judge.isRetained(record));
      if (isRetained) held += 1;
      if (verdicts[at] === 'goes' && !isRetained) {
        const room = SLICE - going.length;
        const below = await judge.below(old, room);
        const isPart = below.length >= room;
        if (isPart && going.length > 0) return put({ held, progress: { place: reached, going } });
        going.push(...below);
        if (isPart) return put({ held, progress: { place: reached, part: own, going } });
        going.push({ resource: resource.name, record, version, parent_version });
      }
      reached = own;
      if (going.length >= SLICE) return put({ held, progress: { place: reached, going } });
    }
    return put({ held, progress: { place: page.place, going } });
  }

  async function* remove(
    { going, place, part }: RetentionProgress,
    isResumed: boolean,
  ): AsyncGenerator<number, void> {
    if (going.length === 0) return;
    const { unique_identifier: by, account, since } = rule;
    const aged = isStoredTime(since) ? 'marked' : 'unmarked';
    const counts = { removed: 0, held: 0, spared: 0 };
    /** Why something stays that belongs to a record of the rule, and this with it. */
    let below: 'held' | 'spared' | undefined;
    for (let at = 0; at < going.length; ) {
      const before = counts.removed;
      const next = going.slice(at, at + AT_ONCE).map((judged) => {
        return { ...judged, account, erasure: by, by, aged } as const;
      });
      const outcomes = await store.erasing.erase(next);
      at += outcomes.length;
      for (const [one, outcome] of outcomes.entries()) {
        const { resource: name = '' } = next[one] ?? {};
        if (outcome === 'erased' || (outcome === 'missing' && isResumed)) {
          counts.removed += 1;
          removed(name);
        } else if (outcome !== 'missing') {
          const why = outcome === 'changed' ? 'spared' : 'held';
          if (name === resource.name) counts[why] += 1;
          else below ??= why;
        }
      }
      yield Math.max(1, counts.removed - before);
    }
    // The sweep of what the log contains of them is as fast as their removal.
    while (await store.erasing.forget()) yield 1;
    // A record stays if something does that belongs to it.
    const stays = part && below;
    if (stays !== undefined) counts[stays] += 1;
    await put({
      removed: run.removed + counts.removed,
      held: run.held + counts.held,
      spared: run.spared + counts.spared,
      progress: { place: stays === undefined ? place : (part ?? place), going: [] },
    });
  }

  async function put(changed: Partial<StoredRetentionRun>): Promise<void> {
    run = { ...run, ...changed };
    await store.retention.putRun(run);
  }

  async function end(
    status: StoredRetentionRun['status'],
    stopped_because: StoredRetentionRun['stopped_because'],
  ): Promise<void> {
    const ended_at = Math.max(now(), run.began_at);
    return put({ status, stopped_because, ended_at, progress: null });
  }

  return work();
}

/**
 * Ends a run in the middle of which a process was killed, where the rule was paused or changed before another one went
 * on; what is gone of what it was about to remove counts.
 */
export async function endAbandoned(
  { store, resources, now }: RunParts,
  run: StoredRetentionRun,
): Promise<void> {
  const scope = wholeAccount(run.account);
  let { removed } = run;
  for (const { name, shape } of resources) {
    const going = run.progress?.going.filter(({ resource }) => resource === name) ?? [];
    const ids = going.map(({ record }) => record);
    if (ids.length > 0) removed += ids.length - (await store.findAll(shape, ids, scope)).length;
  }
  const ended_at = Math.max(now(), run.began_at);
  const ended = { status: 'stopped', stopped_because: 'paused', ended_at, progress: null } as const;
  await store.retention.putRun({ ...run, removed, ...ended });
}

/** Whether that many are twice of what was expected, or more. */
function isTwice(count: number, { expected }: Pick<StoredRetentionRun, 'expected'>): boolean {
  return count > expected && count >= 2 * expected;
}
