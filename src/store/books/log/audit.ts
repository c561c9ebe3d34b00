/** The book of the audit, over the tables of a store. */
import {
  type AuditEntry,
  type AuditHead,
  auditEntry,
} from '../../../core/objects/requests/audit-entry.ts';
import { named } from '../../images.ts';
import type { DoneQuery } from '../../promises/requests.ts';
import { Book } from '../book.ts';
import { columnTypes, inserted, newRow, rowReader, selected } from '../rows/own-rows.ts';
import {
  beyond,
  byCallersWithin,
  is,
  list,
  namesOf,
  ofRows,
  type Predicate,
  when,
} from '../sql/lists.ts';
import { statements } from '../tables.ts';

/** Small enough that no writer waits for it long. */
const PURGED_AT_ONCE = 500;

const toEntry = rowReader(auditEntry);
const select = `SELECT ${selected(auditEntry)} FROM audit_entry`;
const HEAD = 'SELECT chain, number, mac, time FROM audit_entry';

const COLUMNS = namesOf(columnTypes(auditEntry));
const TAKEN = 'ON CONFLICT (chain, number) DO NOTHING';

const toHead = named<AuditHead>('chain', 'number', 'mac', 'time');
const toCopier = named<Copier>('by', 'how', 'at', 'what');

/** Entries of an action that are looked at for who has copies, the latest. */
const LATEST = 10_000;
const latest = (account: string, action: string): string =>
  `(SELECT key, time, resource, record, what FROM audit_entry
      WHERE of_account = ${account} AND action = '${action}' ORDER BY time DESC LIMIT ${LATEST}) AS latest`;

export const sql = statements({
  /** Takes account $1: records $2, since $3, of resources $4 at places $5. */
  copiers: ({ among, as }) => `SELECT key, how, max(time), what FROM (
      SELECT key, 'opened' AS how, time, NULL AS what FROM audit_entry
        WHERE ${among('record', '$2')} AND of_account IN ('', $1) AND action IN ('read', 'history', 'image')
      UNION ALL SELECT key, 'exported', time, what FROM ${latest('$1', 'export')}
        WHERE ${among("coalesce(resource, '')", '$4')}
      UNION ALL SELECT key, 'exported', time, what FROM ${latest('$1', 'print')}
        WHERE ${among("coalesce(resource, '')", '$4')}
      UNION ALL SELECT key, 'exported', time, NULL FROM ${latest('$1', 'reads')}
        WHERE ${among("coalesce(resource, '')", '$4')} AND ${among('record', '$5')}
      UNION ALL SELECT key, 'exported', time, NULL FROM ${latest("''", 'command')}
        WHERE what = 'export'
      UNION ALL SELECT key, 'exported', time, NULL FROM ${latest('$1', 'command')}
        WHERE what = 'export'
    ) AS copies WHERE key <> '' AND (time >= ${as('$3', 'bigint')} OR how = 'opened')
    GROUP BY key, how, what ORDER BY max(time) DESC, key`,
  append: ofRows(
    columnTypes(auditEntry),
    `${inserted(auditEntry)} ${TAKEN}`,
    `INSERT INTO audit_entry (${COLUMNS}) SELECT ${COLUMNS} FROM NOTED ${TAKEN}`,
  ),
  find: `${select} WHERE unique_identifier = $1`,
  walk: ({ limit, as }) => `${select} WHERE (chain, number) > ($1, ${as('$2', 'bigint')})
    ORDER BY chain, number LIMIT ${limit('$3')}`,
  head: `${HEAD} WHERE chain = $1 ORDER BY number DESC LIMIT 1`,
  heads: `WITH RECURSIVE each (name) AS (
      SELECT min(chain) FROM audit_entry WHERE chain >= $1
      UNION ALL SELECT (SELECT min(chain) FROM audit_entry WHERE chain > name) FROM each
      WHERE name IS NOT NULL)
    ${HEAD} JOIN each ON chain = name
    WHERE number = (SELECT max(number) FROM audit_entry AS last WHERE last.chain = name)
    ORDER BY chain`,
  lastReads: "SELECT max(time) FROM audit_entry WHERE action = 'reads' AND time <= $1",
  purge: ({ limit }) => `DELETE FROM audit_entry WHERE unique_identifier IN (
    SELECT unique_identifier FROM audit_entry WHERE chain = (
      SELECT chain FROM audit_entry WHERE number = 1 AND written_at < $1 ORDER BY written_at LIMIT 1)
    ORDER BY number DESC LIMIT ${limit('$2')})`,
});

export class AuditBook extends Book {
  /** Adds entries of a chain in one commit, none where the number of the first is taken. Returns how many were added. */
  async append(entries: readonly AuditEntry[]): Promise<number> {
    const rows = entries.map((one) => newRow(auditEntry, one));
    // Whose number is taken is not the next one: nothing after it is, either.
    const writes = [rows.slice(0, 1), rows.slice(1)]
      .filter(({ length }) => length > 0)
      .map((some) => ({ statement: sql.append, rows: some }));
    if (writes.length === 0) return 0;
    const counts = await this.tables.write(writes, 1);
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** The newest first. */
  async list(query: AuditQuery): Promise<readonly AuditEntry[]> {
    const { seenBy: accounts, account, limit } = query;
    const among = accounts && [...accounts].filter((one) => one === (account ?? one));
    const only = among === undefined ? account : among.length === 1 ? among[0] : undefined;
    if (only !== undefined) return this.#list(query, [is('of_account', only)]);
    if (among === undefined) return this.#list(query, []);
    if (among.length === 0) return [];
    // Each is read in the order of an index: together, all entries of all accounts would be sorted.
    const found = await Promise.all([
      ...among.map((one) => this.#list(query, [is('of_account', one)])),
      this.#list(query, [is('of_account', ''), byCallersWithin(among)]),
    ]);
    return found
      .flat()
      .sort((one, other) => (isBefore(one, other) ? 1 : -1))
      .slice(0, limit);
  }

  async #list(query: AuditQuery, where: readonly Predicate[]): Promise<readonly AuditEntry[]> {
    const { by, record, action, after, limit } = query;
    const { statement, values } = list(
      select,
      [
        ...where,
        ...when(by, (one) => is('key', one)),
        ...when(record, (one) => is('record', one)),
        ...when(action, (one) => is('action', one)),
        ...when(query.from, (from) => is('time', from, '>=')),
        ...when(query.to, (to) => is('time', to, '<')),
        ...when(after, (last) =>
          beyond('time, unique_identifier', '<', [last.time, last.unique_identifier]),
        ),
      ],
      { order: 'time DESC, unique_identifier DESC', limit },
    );
    return this.all(toEntry, statement, ...values);
  }

  /** The latest first, as far as it is known: of exports and of what keys read, the latest 10,000 entries are looked at. */
  async copiers(copied: CopiedRecords): Promise<readonly Copier[]> {
    const { account, records, since, resources, places } = copied;
    const values = [account, records, since, ['', ...resources], ['', ...places]];
    return this.all(toCopier, sql.copiers, ...values);
  }

  readonly find = (unique_identifier: string) => this.first(toEntry, sql.find, unique_identifier);

  /** By chain and number, after that one. */
  readonly walk = ({ chain, number }: Pick<AuditEntry, 'chain' | 'number'>, limit: number) =>
    this.all(toEntry, sql.walk, chain, number, limit);

  readonly head = (chain: string) => this.first(toHead, sql.head, chain);

  /** The last entry of each chain, by chain; of those that began on the day of that time or later. */
  readonly heads = (since?: number) =>
    this.all(toHead, sql.heads, since === undefined ? '' : dayOf(since));

  /** The last hour until that time of which there are entries of what keys read. */
  readonly lastReads = async (until: number) =>
    (await this.column<number | null>(sql.lastReads, until))[0] ?? undefined;

  /**
   * Removes some entries of a chain that began before that time, the last ones first, so that what is left of it is
   * whole. Returns whether there may be more.
   */
  readonly purge = (time: number) => this.did(sql.purge, time, PURGED_AT_ONCE);
}

function isBefore(one: AuditEntry, other: AuditEntry): boolean {
  return one.time === other.time
    ? one.unique_identifier < other.unique_identifier
    : one.time < other.time;
}

/** The filters of a list; `seenBy` shows entries of no account where all accounts of the caller are among these. */
export interface AuditQuery extends Omit<DoneQuery, 'key'> {
  readonly by?: string | undefined;
  readonly record?: string | undefined;
  readonly action?: string | undefined;
  /** Only entries after this one in the list, which is the newest first. */
  readonly after?: Pick<AuditEntry, 'time' | 'unique_identifier'> | undefined;
}

/** Records of an account, of which somebody may have a copy. */
interface CopiedRecords {
  readonly account: string;
  readonly records: readonly string[];
  readonly resources: readonly string[];
  /** The locations that they belong to. */
  readonly places: readonly string[];
  /** Since when there have been some of them: milliseconds since 1970. */
  readonly since: number;
}

/** A person or an API key that opened one of the records, or exported, printed or read records like them. */
export interface Copier {
  readonly by: string;
  readonly how: 'opened' | 'exported';
  readonly at: number;
  /** The subject of the export or print, if it is not the resource. */
  readonly what: string | null;
}

/** The day of a time in UTC: the names of chains begin with it. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
