/**
 * A run of a rule: it counts what would go, stops where that is twice of what was expected, and removes it. What is
 * removed next is stored before it is begun, and counted after it is done, so that a killed process loses no count.
 */

import type { Resource } from '../../../core/schema/define.ts';
import type { Store } from '../../../store/promises/store.ts';
import type { RetentionGoing, RetentionProgress, StoredRetentionRun } from '../declares/run.ts';
import { isStoredTime, type StoredRetentionRule } from '../declares.ts';
import { allOf, counting, cutoffOf } from './counting.ts';
import { Judge } from './judge.ts';
import { type AgedWalk, agedPages } from './walk.ts';

/** Records that are removed between two notes of how far it has come. */
const SLICE = 50;
/** That are removed with one call, at most: other accounts have their turns after it. */
const AT_ONCE = 5;

export interface RunParts {
  readonly store: Store;
  readonly resources: readonly Resource[];
  readonly now: () => number;
  /** Called with each record that is removed. */
  readonly removed: (resource: string) => unknown;
}

export class Run {
  readonly #parts: RunParts;
  readonly #rule: StoredRetentionRule;
  readonly #judge: Judge;
  readonly #walk: AgedWalk;
  #run: StoredRetentionRun;

  constructor(
    parts: RunParts,
    {
      rule,
      resource,
      run,
    }: { rule: StoredRetentionRule; resource: Resource; run: StoredRetentionRun },
  ) {
    const { store, resources } = parts;
    this.#parts = parts;
    this.#rule = rule;
    this.#run = run;
    this.#judge = new Judge(store, resources, { rule, resource });
    const until = cutoffOf(rule, run.began_at);
    this.#walk = { store, resource, rule, until, limit: SLICE };
  }

  /** Yields how many records it has removed since the last piece, or 1. */
  async *work(): AsyncGenerator<number, void> {
    const { status, stopped_because } = this.#run;
    if (status !== 'running') return this.#end(status, stopped_because);
    if (this.#run.progress === null) {
      const { store, resources } = this.#parts;
      const { resource } = this.#walk;
      const of = { rule: this.#rule, resource, at: this.#run.began_at };
      const counted = yield* counting(store, resources, of);
      const { held, spared, soon } = counted;
      this.#run = { ...this.#run, goes: allOf(counted), held, spared, soon };
      if (isTwice(this.#run.goes, this.#run)) return this.#end('stopped', 'twice_the_preview');
      if (this.#run.goes === 0) return this.#end('done', null);
      await this.#put({ progress: { place: null, going: [] } });
    }
    // Another process may have removed some of what goes next.
    for (let isResumed = true; this.#run.progress !== null; isResumed = false) {
      yield* this.#remove(this.#run.progress, isResumed);
      yield 1;
      await this.#plan(this.#run.progress);
    }
  }

  /** Finds what goes next: descendants before their record, in slices of their own where there are many. */
  async #plan({ place }: RetentionProgress): Promise<void> {
    if (isTwice(this.#run.removed, this.#run)) return this.#end('stopped', 'twice_the_preview');
    const rule = await this.#parts.store.retention.find(this.#rule.unique_identifier);
    if (rule?.status !== 'enabled' || rule.enabled_at !== this.#run.enabled_at)
      return this.#end('stopped', 'paused');
    const { value: page } = await agedPages(this.#walk, place).next();
    if (page === undefined) return this.#end('done', null);
    const { name: resource } = this.#walk.resource;
    const verdicts = await this.#judge.verdicts(page.old.map(({ record }) => record));
    const going: RetentionGoing[] = [];
    let reached = place;
    let { held } = this.#run;
    for (const [at, { record: stored, place: own, parent_version }] of page.old.entries()) {
      const { unique_identifier: record, version } = stored;
      const isKept = verdicts[at] === 'goes' && (await this.#judge.isKept(record));
      if (isKept) held += 1;
      if (verdicts[at] === 'goes' && !isKept) {
        const room = SLICE - going.length;
        const below = await this.#judge.below(stored, room);
        const isPart = below.length >= room;
        if (isPart && going.length > 0)
          return this.#put({ held, progress: { place: reached, going } });
        going.push(...below);
        if (isPart) return this.#put({ held, progress: { place: reached, part: own, going } });
        going.push({ resource, record, version, parent_version });
      }
      reached = own;
      if (going.length >= SLICE) return this.#put({ held, progress: { place: reached, going } });
    }
    return this.#put({ held, progress: { place: page.place, going } });
  }

  async *#remove(
    { going, place, part }: RetentionProgress,
    isResumed: boolean,
  ): AsyncGenerator<number, void> {
    if (going.length === 0) return;
    const { store, removed } = this.#parts;
    const { name } = this.#walk.resource;
    const { unique_identifier: by, account, since } = this.#rule;
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
        const { resource = '' } = next[one] ?? {};
        if (outcome === 'erased' || (outcome === 'missing' && isResumed)) {
          counts.removed += 1;
          removed(resource);
        } else if (outcome !== 'missing') {
          const why = outcome === 'changed' ? 'spared' : 'held';
          if (resource === name) counts[why] += 1;
          else below ??= why;
        }
      }
      yield Math.max(1, counts.removed - before);
    }
    // The sweep of what the log held of them keeps up with their removal.
    while (await store.erasing.forget()) yield 1;
    // A record stays if something does that belongs to it.
    const stays = part && below;
    if (stays !== undefined) counts[stays] += 1;
    await this.#put({
      removed: this.#run.removed + counts.removed,
      held: this.#run.held + counts.held,
      spared: this.#run.spared + counts.spared,
      progress: { place: stays === undefined ? place : (part ?? place), going: [] },
    });
  }

  async #put(changed: Partial<StoredRetentionRun>): Promise<void> {
    this.#run = { ...this.#run, ...changed };
    await this.#parts.store.retention.putRun(this.#run);
  }

  async #end(
    status: StoredRetentionRun['status'],
    stopped_because: StoredRetentionRun['stopped_because'],
  ): Promise<void> {
    const ended_at = Math.max(this.#parts.now(), this.#run.began_at);
    return this.#put({ status, stopped_because, ended_at, progress: null });
  }
}

/**
 * Ends a run in the middle of which a process was killed, where the rule was paused or changed before another one went
 * on; what is gone of what it was about to remove counts.
 */
export async function endAbandoned(
  { store, resources, now }: RunParts,
  run: StoredRetentionRun,
): Promise<void> {
  const scope = { accounts: new Set([run.account]), anchors: undefined };
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
