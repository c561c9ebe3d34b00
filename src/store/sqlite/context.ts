/** The context that the parts of an open store share. */
import { createIdentifiers } from '../../core/schema/id.ts';
import type { RecordShape } from '../../core/schema/shape.ts';
import { createDamageReporter, type DamageReporter } from '../damage.ts';
import { tablesOf } from '../tables.ts';
import type { Connection } from './file/connection.ts';
import { changeStatements } from './statements/changes.ts';
import { preparing } from './statements/prepare.ts';
import { draftStatements, recordStatements } from './statements/records.ts';

interface ContextParts {
  /** The time that is believed. */
  readonly now: () => number;
  /** The clock of the machine, for what is only written down. */
  readonly machine: () => number;
  /** 0: the log of changes stores no content of records. */
  readonly historyDays: number;
  readonly reportDamage?: DamageReporter;
}

export type Context = ReturnType<typeof createContext>;

export function createContext(
  connection: Connection,
  shapes: readonly RecordShape[],
  { now, machine, historyDays, reportDamage = createDamageReporter() }: ContextParts,
) {
  const { database } = connection;
  const tables = tablesOf(shapes, {
    records: (shape, parent) => recordStatements(database, shape, parent),
    drafts: (shape, parent) => draftStatements(database, shape, parent),
  });
  const sql = preparing(database);
  const begin = sql<readonly [position: number]>`INSERT INTO counter (account, value) VALUES (?, 1)
    ON CONFLICT (account) DO UPDATE SET value = value + 1 RETURNING value`;
  const setAside = sql<readonly [lastNumber: number]>`UPDATE counter SET value = value + ?
    WHERE account = 0 RETURNING value`;
  const findOpen = sql<readonly [number: number]>`SELECT number FROM account
    WHERE unique_identifier = ? AND closed_at IS NULL`;
  const checkWrite = sql`UPDATE write_check SET checked_at = ?, content = zeroblob(?)`;
  return {
    ...tables,
    ...{ connection, now, machine, reportDamage },
    /** A new unique identifier with a prefix, greater than `latest` where that is given. */
    identify: createIdentifiers(machine),
    /** Whether the log of changes stores the content of records. */
    keepsContent: historyDays > 0,
    changes: changeStatements(database),
    /** The number of an account, if it is open. */
    openAccount: (unique_identifier: string) => findOpen.get(unique_identifier)?.[0],
    /** The greatest unique identifier of a resource, with which the next one is made; `''` where there is none. */
    latestIn: (resource: string) => tables.table(resource).records.latest.get()?.[0] ?? '',
    /** The position of this commit in the account of that number. Called once for each account that it changes. */
    beginCommit: (account: number) => begin.get(account)?.[0] ?? 0,
    /** Reserves this many record numbers, which are never given again; returns the first. */
    setAside: (count: number) => (setAside.get(count)?.[0] ?? 0) - count + 1,
    /** Writes a row without meaning, and this many bytes. */
    checkWrite: (bytes: number) => checkWrite.run(now(), bytes),
  };
}
