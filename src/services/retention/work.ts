/** The work of retention rules, in one process at a time: counts previews, and runs each enabled rule once a day. */
import { randomUUID } from 'node:crypto';
import type {
  RetentionPreview,
  StoredRetentionRule,
} from '../../core/objects/records/retention-rule.ts';
import type { StoredRetentionRun } from '../../core/objects/records/retention-run.ts';
import type { Resource } from '../../core/schema/define.ts';
import { createIdentifiers } from '../../core/schema/id.ts';
import { presentTime } from '../../core/schema/present/present.ts';
import type { RetentionBook } from '../../store/promises/erasing/retention.ts';
import { allOf, Counting, SOON_MS } from './counting.ts';
import { endAbandoned, Run, type RunParts } from './run.ts';

const DAY_MS = 86_400_000;
/** How often the lease is renewed. */
const RENEWED_MS = 10_000;
/** After every identifier. */
const LAST = '\u{10ffff}';

export interface WorkParts extends RunParts {
  /** Whether there is a key to know removed records by: without it nothing is removed. */
  readonly isKeyed: boolean;
  /** Whether the clock can be trusted for removing what is old. */
  readonly holds: () => Promise<boolean>;
  /** Whether this process does it: of several on a machine one does. */
  readonly works: boolean;
}

/** Does a little, and returns whether that was all. */
type Piece = () => Promise<boolean>;

export class RetentionWork {
  readonly #parts: WorkParts;
  readonly #holder = randomUUID();
  readonly #identify: (prefix: string) => string;
  #doing: Piece | undefined;
  #leasedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: WorkParts) {
    this.#parts = parts;
    this.#identify = createIdentifiers(parts.now);
  }

  /** Returns whether there may be more. */
  async piece(): Promise<boolean> {
    if (!this.#parts.works || !(await this.#isMine())) {
      this.#doing = undefined;
      return false;
    }
    try {
      if (this.#doing === undefined && (await endAbandoned(this.#parts))) return true;
      this.#doing ??= (await this.#nextCount()) ?? (await this.#nextRun());
      if (this.#doing === undefined) return false;
      if (await this.#doing()) this.#doing = undefined;
      return true;
    } catch (error) {
      this.#doing = undefined;
      throw error;
    }
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

  async #nextCount(): Promise<Piece | undefined> {
    const rule = await this.#parts.store.retention.counting();
    return rule && previewing(this.#parts, rule);
  }

  async #nextRun(): Promise<Piece | undefined> {
    const { store, resources, now, isKeyed, holds } = this.#parts;
    if (!isKeyed || !(await holds())) return undefined;
    const day = Math.floor(now() / DAY_MS) * DAY_MS;
    const rule = await store.retention.due(day, day + DAY_MS);
    // What is to be expected is being counted again.
    if (rule?.preview?.status !== 'ready') return undefined;
    const [last] = await store.retention.runs(rule.unique_identifier, LAST, 1);
    const resource = resourceOf(resources, rule);
    const run = last?.status === 'running' ? last : this.#begun(rule, last);
    // The rule was enabled again a moment ago: the run before ends first.
    if (run.enabled_at !== rule.enabled_at) return undefined;
    const isClear = run.status === 'running' && resource !== undefined;
    const running = isClear && new Run(this.#parts, { rule, resource, run });
    return async () => {
      if (running) return (await running.piece()) !== undefined;
      await store.retention.putRun(run);
      return true;
    };
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
      : { ...run, status: 'stopped', stopped_because: 'clock', ended_at: began_at };
  }
}

/** Counts the preview that was asked for; `undefined`: none was. */
export function previewing(
  { store, resources }: Pick<RunParts, 'store' | 'resources'>,
  rule: StoredRetentionRule,
): Piece | undefined {
  const since = rule.counting_since;
  if (since === null) return undefined;
  const resource = resourceOf(resources, rule);
  const counting = resource && new Counting(store, resources, { rule, resource, at: since });
  return async () => {
    const counted = counting === undefined ? NOTHING : await counting.piece();
    if (counted === undefined) return false;
    const preview: RetentionPreview = { status: 'ready', at: presentTime(since), ...counted };
    await changeRule(store.retention, rule.unique_identifier, (now) =>
      now.counting_since === since ? { ...now, preview, counting_since: null } : now,
    );
    return true;
  };
}

const NOTHING = { goes: 0, held: 0, spared: 0, below: {}, soon: 0, counts: [] };

function resourceOf(
  resources: readonly Resource[],
  { resource }: StoredRetentionRule,
): Resource | undefined {
  return resources.find(({ name }) => name === resource);
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
