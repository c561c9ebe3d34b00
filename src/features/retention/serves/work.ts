/** The work of retention rules, as jobs: counts previews, and runs each enabled rule once a day. */
import type { Resource } from '../../../core/schema/define.ts';
import { createIdentifiers, LAST_IDENTIFIER } from '../../../core/schema/id.ts';
import { presentTime } from '../../../core/schema/present/present.ts';
import { type JobSubject, Jobs } from '../../../services/jobs.ts';
import { type Store, wholeAccount } from '../../../store/promises/store.ts';
import {
  isStoredTime,
  type RetentionCount,
  type RetentionPreview,
  type RetentionProgress,
  type RetentionRemoval,
  retentionRun,
  type StoredRetentionRule,
  type StoredRetentionRun,
} from '../declares.ts';
import type { RetentionBook } from '../store.ts';
import { type AgeVerdict, createJudge } from './judge.ts';
import { agedPages, resourceOf } from './walk.ts';

const DAY_MS = 86_400_000;

interface WorkParts extends RunParts {
  /** Whether there is a key to know removed records by: without it nothing is removed. */
  readonly isKeyed: boolean;
  /** Whether the clock can be trusted for removing what is old. */
  readonly holds: () => Promise<boolean>;
  /** The pause after a piece, and after each record that it removes. */
  readonly pauseMs: () => number;
}

/** Previews and runs: a rule that fails holds up no preview, and no preview a rule. */
export function createRetention(parts: WorkParts): readonly Jobs<JobSubject>[] {
  const { store, now, isKeyed, holds, pauseMs } = parts;
  const { retention, jobs: book } = store;
  const due = async () => {
    if (!isKeyed || !(await holds())) return [];
    const day = Math.floor(now() / DAY_MS) * DAY_MS;
    return retention.due(day, day + DAY_MS);
  };
  return [
    new Jobs({
      kind: 'retention_preview',
      book,
      pauseMs,
      due: () => retention.counting(),
      work: (rule) => previewing(parts, rule.unique_identifier),
    }),
    new Jobs({
      kind: 'retention_run',
      book,
      pauseMs,
      due: async () => [...(await retention.abandoned()), ...(await due())],
      async *work({ unique_identifier: id }) {
        const [last] = await retention.runs(id, LAST_IDENTIFIER, 1);
        const rule = await retention.find(id);
        const goesOn = rule?.status === 'enabled' && last?.enabled_at === rule.enabled_at;
        if (last?.status === 'running' && !goesOn) await endAbandoned(parts, last);
        // Another process may have run it meanwhile.
        const isDue = (await due()).some((one) => one.unique_identifier === id);
        if (isDue && rule !== undefined) yield* running(parts, rule, last);
      },
    }),
  ];
}

async function* running(
  parts: WorkParts,
  rule: StoredRetentionRule,
  last: StoredRetentionRun | undefined,
): AsyncGenerator<number, void> {
  const goesOn = last?.status === 'running' && last.enabled_at === rule.enabled_at;
  const run = goesOn ? last : begun(parts, rule, last);
  const resource = resourceOf(parts.resources, rule.resource);
  for await (const removed of runOf(parts, { rule, resource, run })) {
    yield removed;
    if (!(await parts.holds())) return;
  }
}

function begun(
  { now }: WorkParts,
  rule: StoredRetentionRule,
  last: StoredRetentionRun | undefined,
): StoredRetentionRun {
  const began_at = now();
  const { expected, at } = expectedOf(rule, last);
  const run: StoredRetentionRun = {
    ...retentionRun.nulls,
    unique_identifier: createIdentifiers(now)('rtr_'),
    account: rule.account,
    rule: rule.unique_identifier,
    status: 'running',
    expected,
    ...{ goes: 0, removed: 0, held: 0, spared: 0, soon: 0 },
    began_at,
    enabled_at: rule.enabled_at ?? 0,
  };
  return Math.abs(began_at - at) <= SOON_MS
    ? run
    : { ...run, status: 'stopped', stopped_because: 'clock' };
}

export async function* previewing(
  { store, resources }: Pick<RunParts, 'store' | 'resources'>,
  id: string,
): AsyncGenerator<number, void> {
  const rule = await store.retention.find(id);
  const since = rule?.counting_since ?? null;
  if (rule === undefined || since === null) return;
  const resource = resourceOf(resources, rule.resource);
  const counted = yield* counting(store, resources, { rule, resource, at: since });
  const preview: RetentionPreview = { status: 'ready', at: presentTime(since), ...counted };
  await changeRule(store.retention, id, (now) =>
    now.counting_since === since ? { ...now, preview, counting_since: null } : now,
  );
}

/** How many records are expected to go at most, as it was counted when. */
function expectedOf(
  { preview, enabled_at }: StoredRetentionRule,
  last: StoredRetentionRun | undefined,
): { readonly expected: number; readonly at: number } {
  const at = preview === null ? 0 : Date.parse(preview.at);
  if (last?.status === 'done' && last.enabled_at === enabled_at && last.began_at >= at)
    return { expected: Math.max(0, last.goes - last.removed) + last.soon, at: last.began_at };
  return { expected: preview?.status === 'ready' ? allOf(preview) + preview.soon : 0, at };
}

/** Two who change it at once both do: the later one changes what the other made of it. */
export async function changeRule(
  book: RetentionBook,
  id: string,
  change: (rule: StoredRetentionRule) => StoredRetentionRule,
): Promise<StoredRetentionRule | undefined> {
  for (;;) {
    const rule = await book.find(id);
    if (rule === undefined) return undefined;
    const changed = change(rule);
    if (changed === rule) return rule;
    if (await book.replace(changed)) return { ...changed, revision: changed.revision + 1 };
  }
}

/** Records that are removed between two notes of how far it has come. */
const SLICE = 50;
/** Records that are removed with one call, so that other accounts are served after it. */
const AT_ONCE = 5;

interface RunParts {
  readonly store: Store;
  readonly resources: readonly Resource[];
  readonly now: () => number;
  readonly removed: (resource: string) => unknown;
}

/** Goes on with a run. Yields how many records it has removed since the last piece, or 1. */
function runOf(
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
    const going: RetentionRemoval[] = [];
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

  async function* remove({ going, place, part }: RetentionProgress, isResumed: boolean) {
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
async function endAbandoned({ store, resources, now }: RunParts, run: StoredRetentionRun) {
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

/** The time ahead for which removals are predicted. */
const SOON_MS = 31 * DAY_MS;
const PAGE = 200;
/** Entries by year and location; more are counted by year alone, and those of more years together. */
const MOST_COUNTS = 1_000;

/** Until when a record must have been there to go at that time. */
function cutoffOf({ after_days }: StoredRetentionRule, at: number): number {
  return at - after_days * DAY_MS;
}

type Counted = Omit<RetentionPreview, 'status' | 'at'>;

async function* counting(
  store: Store,
  resources: readonly Resource[],
  { rule, resource, at }: { rule: StoredRetentionRule; resource: Resource; at: number },
): AsyncGenerator<number, Counted> {
  const judge = createJudge(store, resources, { rule, resource });
  const cutoff = cutoffOf(rule, at);
  const walk = { store, resource, rule, until: cutoff + SOON_MS, limit: PAGE };
  const tallies = new Map<string, Tally>();
  const below: Record<string, number> = {};
  let soon = 0;
  for await (const { old } of agedPages(walk, null)) {
    const verdicts = await judge.verdicts(old.map(({ record }) => record));
    for (const [at, { record, since }] of old.entries()) {
      const verdict = verdicts[at] ?? 'goes';
      const isSoon = since > cutoff;
      if (!isSoon) tallyOf(tallies, since, record.anchor)[verdict] += 1;
      if (verdict === 'spared') continue;
      const isLater = isSoon || verdict === 'held';
      if (isLater) soon += 1;
      for (const [name, count] of await judge.countBelow(record.unique_identifier)) {
        if (isLater) soon += count;
        else below[name] = (below[name] ?? 0) + count;
      }
    }
    yield 1;
  }
  const counts = [...tallies.values()].sort(
    (one, other) =>
      one.year - other.year || ((one.location ?? '~') < (other.location ?? '~') ? -1 : 1),
  );
  const sum = (name: AgeVerdict) => counts.reduce((total, one) => total + one[name], 0);
  return { goes: sum('goes'), held: sum('held'), spared: sum('spared'), below, soon, counts };
}

function tallyOf(tallies: Map<string, Tally>, since: number, location: string | null): Tally {
  const year = new Date(since).getUTCFullYear();
  const named = [
    { year, location },
    { year, location: null },
    { year: 0, location: null },
  ].find((one, at) => {
    return tallies.has(nameOf(one)) || tallies.size < MOST_COUNTS * (at + 1) || at === 2;
  }) as Pick<RetentionCount, 'year' | 'location'>;
  return tallies.getOrInsertComputed(nameOf(named), () => {
    return { ...named, goes: 0, held: 0, spared: 0 };
  });
}

type Tally = { -readonly [Name in keyof RetentionCount]: RetentionCount[Name] };

function nameOf({ year, location }: Pick<RetentionCount, 'year' | 'location'>): string {
  return `${year} ${location ?? ''}`;
}

/** All records that would go, with what belongs to them. */
function allOf({ goes, below }: Pick<Counted, 'goes' | 'below'>): number {
  return Object.values(below).reduce((sum, count) => sum + count, goes);
}
