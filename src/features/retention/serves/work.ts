/** The work of retention rules, as jobs: counts previews, and runs each enabled rule once a day. */

import { createIdentifiers, LAST_IDENTIFIER } from '../../../core/schema/id.ts';
import { presentTime } from '../../../core/schema/present/present.ts';
import { type JobSubject, Jobs } from '../../../services/jobs.ts';
import { retentionRun, type StoredRetentionRun } from '../declares/run.ts';
import type { RetentionPreview, StoredRetentionRule } from '../declares.ts';
import type { RetentionBook } from '../store.ts';
import { allOf, counting, SOON_MS } from './counting.ts';
import { endAbandoned, type RunParts, runOf } from './run.ts';
import { resourceOf } from './walk.ts';

const DAY_MS = 86_400_000;

export interface WorkParts extends RunParts {
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
