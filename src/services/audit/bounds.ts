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
export function createSecondBounds() {
  let callers = new Map<string, { entries: number; readonly same: Map<string, number> }>();

  return {
    /** Whether these facts get an entry of their own. */
    has(facts: AuditFacts): boolean {
      const by = facts.by ?? '';
      const caller = callers.getOrInsertComputed(by, () => ({ entries: 0, same: new Map() }));
      if (caller.entries >= EACH_SECOND) return false;
      const name = nameOf(facts);
      const same = (caller.same.get(name) ?? 0) + 1;
      if (same > SAME_EACH_SECOND) return false;
      caller.same.set(name, same);
      caller.entries += 1;
      return true;
    },
    clear(): void {
      callers = new Map();
    },
  };
}

/** Entries that are written together, with how often each happened. */
export function createGatheredEntries() {
  let entries = new Map<string, GatheredFacts>();
  let ofEach = new Map<string, number>();
  let since = 0;

  return {
    get since() {
      return since;
    },
    get size(): number {
      return entries.size;
    },
    get count(): number {
      return entries.values().reduce((sum, { count }) => sum + count, 0);
    },
    add(facts: TimedFacts): void {
      if (entries.size === 0) since = facts.time;
      const by = facts.by ?? '';
      const { address: _, request_id: __, ...named } = facts;
      const { record: ___, ...unnamed } = named;
      const isKnown = entries.has(nameOf(named));
      const isNamed = isKnown || (ofEach.get(by) ?? 0) < GATHERED_OF_EACH;
      const fits = isKnown || entries.size < MAX_GATHERED;
      const one = !fits ? { action: facts.action, time: facts.time } : isNamed ? named : unnamed;
      const name = nameOf(one);
      const found = entries.get(name);
      if (found === undefined) ofEach.set(by, (ofEach.get(by) ?? 0) + 1);
      entries.set(name, { ...one, count: (found?.count ?? 0) + (facts.count ?? 1) });
    },
    take(): readonly GatheredFacts[] {
      const all = [...entries.values()];
      entries = new Map();
      ofEach = new Map();
      return all;
    },
  };
}

function nameOf(facts: AuditFacts): string {
  const { action, account = '', by = '', resource = '', record = '', what = '' } = facts;
  return `${action} ${account} ${by} ${resource} ${record} ${what}`;
}
