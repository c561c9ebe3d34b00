/** Bounds the entries of what is read: each caller has their own, and so has each record of theirs. */
import type { AuditFacts } from '../../core/objects/requests/audit-entry.ts';
import type { TimedFacts } from './chain.ts';

/** Entries of a caller in a second; further ones are gathered by minute. */
const EACH_SECOND = 200;
/** Entries among these that may tell of the same look at the same record. */
const SAME_EACH_SECOND = 20;
/** Different gathered entries of a caller that name their record. */
const GATHERED_OF_EACH = 1_000;
/** Different gathered entries of all callers. */
const MAX_GATHERED = 10_000;

type GatheredFacts = TimedFacts & { readonly count: number };

/** Counts the entries of the present second. */
export class SecondBounds {
  #callers = new Map<string, { entries: number; readonly same: Map<string, number> }>();

  /** Whether these facts get an entry of their own. */
  has(facts: AuditFacts): boolean {
    const by = facts.by ?? '';
    const caller = this.#callers.get(by) ?? { entries: 0, same: new Map() };
    this.#callers.set(by, caller);
    if (caller.entries >= EACH_SECOND) return false;
    const name = nameOf(facts);
    const same = (caller.same.get(name) ?? 0) + 1;
    if (same > SAME_EACH_SECOND) return false;
    caller.same.set(name, same);
    caller.entries += 1;
    return true;
  }

  /** Begins another second. */
  clear(): void {
    this.#callers = new Map();
  }
}

/** Entries that are written together, with how often each happened. */
export class GatheredEntries {
  #entries = new Map<string, GatheredFacts>();
  #ofEach = new Map<string, number>();
  /** When the first of them was gathered. */
  since = 0;

  get size(): number {
    return this.#entries.size;
  }

  /** How many facts were gathered. */
  get count(): number {
    return this.#entries.values().reduce((sum, { count }) => sum + count, 0);
  }

  add(facts: TimedFacts): void {
    if (this.#entries.size === 0) this.since = facts.time;
    const by = facts.by ?? '';
    const { address: _, request_id: __, ...named } = facts;
    const { record: ___, ...unnamed } = named;
    const isKnown = this.#entries.has(nameOf(named));
    const isNamed = isKnown || (this.#ofEach.get(by) ?? 0) < GATHERED_OF_EACH;
    const fits = isKnown || this.#entries.size < MAX_GATHERED;
    const one = !fits ? { action: facts.action, time: facts.time } : isNamed ? named : unnamed;
    const name = nameOf(one);
    const found = this.#entries.get(name);
    if (found === undefined) this.#ofEach.set(by, (this.#ofEach.get(by) ?? 0) + 1);
    this.#entries.set(name, { ...one, count: (found?.count ?? 0) + (facts.count ?? 1) });
  }

  /** Returns all, and begins again. */
  take(): readonly GatheredFacts[] {
    const all = [...this.#entries.values()];
    this.#entries = new Map();
    this.#ofEach = new Map();
    return all;
  }
}

function nameOf(facts: AuditFacts): string {
  const { action, account = '', by = '', resource = '', record = '', what = '' } = facts;
  return `${action} ${account} ${by} ${resource} ${record} ${what}`;
}
