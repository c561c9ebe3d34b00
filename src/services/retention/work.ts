/** The work of retention rules, in one process at a time: counts previews, and runs each enabled rule once a day. */

import { randomUUID } from 'node:crypto';
import type {
  RetentionPreview,
  StoredRetentionRule,
} from '../../core/objects/records/retention-rule.ts';
import type { StoredRetentionRun } from '../../core/objects/records/retention-run.ts';
import type { Resource } from '../../core/schema/define.ts';
import { createIdentifiers, LAST_IDENTIFIER } from '../../core/schema/id.ts';
import { presentTime } from '../../core/schema/present/present.ts';
import type { RetentionBook } from '../../store/books/erasing/retention.ts';
import { allOf, Counting, SOON_MS } from './counting.ts';
import { Lane, type Piece } from './lane.ts';
import { endAbandoned, Run, type RunParts } from './run.ts';

const DAY_MS = 86_400_000;
/** How often the lease is renewed. */
const RENEWED_MS = 10_000;

export interface WorkParts extends RunParts {
  /** Whether there is a key to know removed records by: without it nothing is removed. */
  readonly isKeyed: boolean;
  /** Whether the clock can be trusted for removing what is old. */
  readonly holds: () => Promise<boolean>;
  /** Whether this process does it: of several on a machine one does. */
  readonly works: boolean;
}

export class RetentionWork {
  readonly #parts: WorkParts;
  readonly #holder = randomUUID();
  readonly #identify: (prefix: string) => string;
  readonly #counts: Lane;
  readonly #runs: Lane;
  #leasedAt = Number.NEGATIVE_INFINITY;
  /** In this piece. */
  #removed = 0;

  constructor(parts: WorkParts) {
    const { store, now } = parts;
    const removed: WorkParts['removed'] = (resource) => {
      this.#removed += 1;
      parts.removed(resource);
    };
    this.#parts = { ...parts, removed };
    this.#identify = createIdentifiers(now);
    this.#counts = new Lane(
      (after) => store.retention.counting(after),
      async (rule) => previewing(parts, rule),
    );
    this.#runs = new Lane(
      (after) => {
        const day = Math.floor(now() / DAY_MS) * DAY_MS;
        return store.retention.due(day, day + DAY_MS, after);
      },
      (rule) => this.#running(rule),
    );
  }

  /** Returns how many records it removed, at least 1 while there may be more to do; 0: there is not. */
  async piece(): Promise<number> {
    const { works, isKeyed, holds } = this.#parts;
    if (!works || !(await this.#isMine())) {
      this.#counts.clear();
      this.#runs.clear();
      return 0;
    }
    if (this.#runs.isIdle && (await endAbandoned(this.#parts))) return 1;
    const isRunning = isKeyed && (await holds());
    this.#removed = 0;
    // A rule that fails holds up no preview, and no preview a rule.
    const done = await Promise.allSettled([this.#counts.piece(), isRunning && this.#runs.piece()]);
    for (const one of done) if (one.status === 'rejected') throw one.reason;
    const isMore = done.some((one) => one.status === 'fulfilled' && one.value);
    return isMore ? Math.max(1, this.#removed) : 0;
  }

  async #isMine(): Promise<boolean> {
    const { store, now } = this.#parts;
    if (store.processes === 'one') return true;
    const at = performance.now();
    if (at - this.#leasedAt < RENEWED_MS) return true;
    const isMine = await store.retention.lease(this.#holder, now());
    this.#leasedAt = isMine ? at : Number.NEGATIVE_INFINITY;
    return isMine;
  }

  async #running(rule: StoredRetentionRule): Promise<Piece> {
    const { store, resources } = this.#parts;
    const [last] = await store.retention.runs(rule.unique_identifier, LAST_IDENTIFIER, 1);
    const resource = resourceOf(resources, rule);
    const goesOn = last?.status === 'running' && last.enabled_at === rule.enabled_at;
    const run = goesOn ? last : this.#begun(rule, last);
    const running = new Run(this.#parts, { rule, resource, run });
    return async () => (await running.piece()) !== undefined;
  }

  #begun(rule: StoredRetentionRule, last: StoredRetentionRun | undefined): StoredRetentionRun {
    const began_at = this.#parts.now();
    const { expected, at } = expectedOf(rule, last);
    const run: StoredRetentionRun = {
      ...{ unique_identifier: this.#identify('rtr_'), account: rule.account },
      ...{ rule: rule.unique_identifier, status: 'running', stopped_because: null, expected },
      ...{ goes: 0, removed: 0, held: 0, spared: 0, soon: 0, began_at, ended_at: null },
      ...{ enabled_at: rule.enabled_at ?? 0, progress: null },
    };
    return Math.abs(began_at - at) <= SOON_MS
      ? run
      : { ...run, status: 'stopped', stopped_because: 'clock' };
  }
}

/** Counts the preview that was asked for. */
export function previewing(
  { store, resources }: Pick<RunParts, 'store' | 'resources'>,
  rule: StoredRetentionRule,
): Piece {
  const since = rule.counting_since ?? 0;
  const resource = resourceOf(resources, rule);
  const counting = new Counting(store, resources, { rule, resource, at: since });
  return async () => {
    const counted = await counting.piece();
    if (counted === undefined) return false;
    const preview: RetentionPreview = { status: 'ready', at: presentTime(since), ...counted };
    await changeRule(store.retention, rule.unique_identifier, (now) =>
      now.counting_since === since ? { ...now, preview, counting_since: null } : now,
    );
    return true;
  };
}

function resourceOf(
  resources: readonly Resource[],
  { resource }: Pick<StoredRetentionRule, 'resource'>,
): Resource {
  const found = resources.find(({ name }) => name === resource);
  if (found === undefined) throw new TypeError(`There is no resource ${resource}.`);
  return found;
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
