/** The books of a store, over its tables. */
import { type Loading, RESTORED } from '../loading.ts';
import type { Store } from '../promises/store.ts';
import { Backups } from './backups.ts';
import { Holds } from './erasing/holds.ts';
import { ErasureJournalRows } from './erasing/journal.ts';
import { ErasureNotes } from './erasing/notes.ts';
import { RetentionRows } from './erasing/retention.ts';
import { Erasures } from './erasures.ts';
import { Expectations } from './feeds/expectations.ts';
import { Sources } from './feeds/sources.ts';
import { Syncs } from './feeds/syncs.ts';
import { Imports } from './imports.ts';
import { type KeyFinder, Keys } from './keys.ts';
import { LocationSettingsRows } from './location-settings.ts';
import { Audit } from './log/audit.ts';
import { Requests } from './log/requests.ts';
import { SelfTests } from './self-tests.ts';
import { keyStatements } from './sql/key-sql.ts';
import { staffStatements } from './sql/staff-sql.ts';
import { webhookStatements } from './sql/webhook-sql.ts';
import { Staff } from './staff.ts';
import { type BookParts, type BookStatement, type BookTables, statements } from './tables.ts';
import { Webhooks } from './webhooks.ts';

export type Books = Pick<
  Store,
  | 'audit'
  | 'backups'
  | 'expectations'
  | 'erasures'
  | 'holds'
  | 'erasureNotes'
  | 'journal'
  | 'retention'
  | 'imports'
  | 'keys'
  | 'locationSettings'
  | 'noteTime'
  | 'requests'
  | 'rewrittenTime'
  | 'seenTime'
  | 'selfTests'
  | 'sources'
  | 'staff'
  | 'syncs'
  | 'webhooks'
>;

export const timeStatements = statements({
  seen: 'SELECT at FROM seen_time',
  rewritten: 'SELECT rewritten_at FROM seen_time',
  note: `INSERT INTO seen_time (single, at) VALUES (true, $1)
    ON CONFLICT (single) DO UPDATE SET at = excluded.at WHERE excluded.at > seen_time.at`,
});

export function booksOver(tables: BookTables, keys: KeyFinder, parts: BookParts): Books {
  const sources = new Sources(tables, keys, parts);
  return {
    audit: new Audit(tables, parts),
    backups: new Backups(tables, parts),
    expectations: new Expectations(tables, parts),
    erasures: new Erasures(tables, parts),
    holds: new Holds(tables, parts),
    erasureNotes: new ErasureNotes(tables, parts),
    journal: new ErasureJournalRows(tables, parts),
    retention: new RetentionRows(tables, parts),
    imports: new Imports(tables, parts),
    keys: new Keys(tables, keys, sources, parts),
    locationSettings: new LocationSettingsRows(tables, parts),
    requests: new Requests(tables, parts),
    selfTests: new SelfTests(tables, parts),
    sources,
    staff: new Staff(tables, parts),
    syncs: new Syncs(tables, parts),
    webhooks: new Webhooks(tables, parts),
    async seenTime() {
      const [row] = await tables.rows<readonly [at: number]>(timeStatements.seen);
      return row?.[0];
    },
    async rewrittenTime() {
      const [row] = await tables.rows<readonly [at: number | null]>(timeStatements.rewritten);
      return row?.[0] ?? undefined;
    },
    async noteTime(at) {
      await tables.change(timeStatements.note, at);
    },
  };
}

/** The statements of `Loading.settle`, with their values. */
export function settling({
  now,
  suspendKeys,
}: Parameters<Loading['settle']>[0]): readonly (readonly [
  BookStatement,
  ...(string | number)[],
])[] {
  const people = [
    [keyStatements.suspendAll, now],
    [staffStatements.disableAll, now],
  ] as const;
  return [[webhookStatements.pauseAll, RESTORED, now], ...(suspendKeys ? people : [])];
}
