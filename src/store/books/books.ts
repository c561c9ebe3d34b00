/** The books of a store, over its tables. */
import { type OwnObject, ownColumns } from '../../core/objects/own-object.ts';
import { ownTables } from '../../core/objects/tables/all.ts';
import {
  featureActors,
  featureBooks,
  featureSaid,
  featureSettling,
  featureSucceeding,
} from '../../features/store.ts';
import type { KeyFinder } from '../promises/keys.ts';
import type { Loading } from '../promises/snapshot.ts';
import { BackupBook } from './backups.ts';
import { aboutRecords } from './erasing/about.ts';
import { JournalBook } from './erasing/journal.ts';
import { Keepers, keeperStatements } from './erasing/keepers.ts';
import { ErasureNoteBook } from './erasing/notes.ts';
import { ErasureBook } from './erasures.ts';
import { SourceBook } from './feeds/sources.ts';
import { SyncDoubtBook } from './feeds/sync-doubts.ts';
import { SyncBook } from './feeds/syncs.ts';
import { KeyRing } from './keys.ts';
import { LocationSettingsBook } from './location-settings.ts';
import { AuditBook } from './log/audit.ts';
import { JobBook } from './log/jobs.ts';
import { RequestBook } from './log/requests.ts';
import { rowReader, selected } from './rows/own-rows.ts';
import { keyStatements } from './sql/key-sql.ts';
import { StaffBook, sql as staffStatements } from './staff.ts';
import { type BookParts, type BookTables, statements, unnamed } from './tables.ts';

interface Written {
  readonly unique_identifier: string;
  readonly texts: readonly (string | null)[];
}

/** By table: statements that read texts of objects of account $1, the newest first, before $2, no more than $3. */
const writings = ownTables.flatMap((table) => {
  const texts = ownColumns(table).flatMap(({ name, field }) => (field.personal ? [name] : []));
  const { account } = table.fields;
  if (texts.length === 0 || !account || table.key.at(-1) !== 'unique_identifier') return [];
  const { list } = statements({
    list: ({ limit }) => `SELECT unique_identifier, ${texts} FROM ${table.table}
      WHERE ${account.column ?? 'account'} = $1 AND unique_identifier < $2 ORDER BY unique_identifier DESC LIMIT ${limit('$3')}`,
  });
  return [list];
});

function ownedOver(tables: BookTables) {
  return {
    /** The account of an object of one account, by its unique identifier. */
    async accountOf(id: string): Promise<string | undefined> {
      const its = ownTables.find(({ fields: { unique_identifier: own, account } }) => {
        return account !== undefined && own !== undefined && id.startsWith(own.kind.prefix ?? ' ');
      });
      if (its === undefined) return undefined;
      const column = its.fields.account?.column ?? 'account';
      const find = `SELECT ${column} FROM ${its.table} WHERE unique_identifier = $1`;
      return (await tables.rows<readonly [string]>(unnamed(find), id))[0]?.[0];
    },
    /** An object by its unique identifier. */
    async owned(object: OwnObject, id: string) {
      const find = `SELECT ${selected(object)} FROM ${object.table} WHERE unique_identifier = $1`;
      const [row] = await tables.rows(unnamed(find), id);
      return row && (rowReader(object)(row) as Readonly<Record<string, unknown>>);
    },
    /** Lists what people wrote in objects of an account, such as reasons: one function for each table. */
    written: writings.map(
      (list) =>
        async (account: string, before: string, limit: number): Promise<readonly Written[]> => {
          const rows = await tables.rows<readonly [string, ...Written['texts']]>(
            ...([list, account, before, limit] as const),
          );
          return rows.map(([unique_identifier, ...texts]) => ({ unique_identifier, texts }));
        },
    ),
  };
}

export const timeStatements = statements({
  seen: 'SELECT at FROM seen_time',
  rewritten: 'SELECT rewritten_at FROM seen_time',
  note: `INSERT INTO seen_time (single, at) VALUES (true, $1)
    ON CONFLICT (single) DO UPDATE SET at = excluded.at WHERE excluded.at > seen_time.at`,
});

/** The books of a store: its own tables, beside records. */
export type Books = ReturnType<typeof booksOver>;

export function booksOver(tables: BookTables, keys: KeyFinder, parts: BookParts) {
  const sources = new SourceBook(tables, keys, parts);
  const features = featureBooks(tables, parts);
  return {
    audit: new AuditBook(tables, parts),
    backups: new BackupBook(tables, parts),
    erasures: new ErasureBook(tables, parts),
    ...features,
    actors: featureActors(features),
    /** Finds of which records what features say is true, by its name. */
    said: featureSaid(features),
    erasureNotes: new ErasureNoteBook(tables, parts),
    journal: new JournalBook(tables, parts),
    jobs: new JobBook(tables, parts),
    keys: new KeyRing(tables, keys, { sources, succeeding: featureSucceeding }, parts),
    locationSettings: new LocationSettingsBook(tables, parts),
    requests: new RequestBook(tables, parts),
    sources,
    // Whom the clock of the machine lets in no more stays out until it is right, whatever is believed.
    staff: new StaffBook(tables, { ...parts, now: parts.machine }),
    syncDoubts: new SyncDoubtBook(tables, parts),
    syncs: new SyncBook(tables, parts),
    ...ownedOver(tables),
    ...aboutRecords(tables, parts.now),
    /** Finds what prevents removals in an account, as of now. */
    async keepers(account: string): Promise<Keepers> {
      return new Keepers(await tables.rows(keeperStatements.active, account));
    },
    /** The latest time that was noted, in milliseconds since 1970. */
    async seenTime(): Promise<number | undefined> {
      return (await tables.rows<readonly [at: number]>(timeStatements.seen))[0]?.[0];
    },
    /** When `compact` last rewrote the file of a store on SQLite, in milliseconds since 1970. */
    async rewrittenTime(): Promise<number | undefined> {
      const [row] = await tables.rows<readonly [at: number | null]>(timeStatements.rewritten);
      return row?.[0] ?? undefined;
    },
    async noteTime(at: number): Promise<void> {
      await tables.change(timeStatements.note, at);
    },
  };
}

/** The statements of `Loading.settle`, with their values. */
export function settling({ now, suspendKeys }: Parameters<Loading['settle']>[0]) {
  const suspending = [keyStatements.suspendAll, staffStatements.disableAll];
  return [
    ...featureSettling.map((settle) => settle(now)),
    ...(suspendKeys ? suspending.map((statement) => [statement, now] as const) : []),
  ];
}
