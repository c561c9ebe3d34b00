/** The book of syncs, over the tables of a store. */
import { ownColumns } from '../../../core/objects/own-object.ts';
import {
  firstSync,
  type StoredSync,
  SYNC_OPEN_MS,
  sync,
} from '../../../core/objects/transfer/sync.ts';
import { quoteName } from '../../names.ts';
import {
  MAX_SEEN,
  type SeenFingerprint,
  type SyncName,
  type SyncsQuery,
} from '../../promises/account-book.ts';
import { StoreUnavailable } from '../../promises/records.ts';
import { Book } from '../book.ts';
import type { Dialect } from '../dialects.ts';
import { inserted, newRow, rowReader, selected } from '../rows/own-rows.ts';
import { among, is } from '../sql/lists.ts';
import { type BookWrite, statements } from '../tables.ts';

/** Syncs are listed for as long; those that removed nothing go when they have expired. */
const KEPT_MS = 90 * 86_400_000;
const PURGED_AT_ONCE = 5_000;
/** Others may begin one at the same time. */
const MAX_TRIES = 10;

const FOUND = `SELECT ${selected(sync)} FROM sync`;
const ONE = 'account = $1 AND unique_identifier = $2';
/** The members that change while a sync is open and after; `seen` and `repeated` by themselves. */
const CHANGING = [
  ...['at_most', 'stored_status', 'removed', 'records', 'left', 'left_count', 'restored'],
  ...['progress', 'finished_at', 'finished_by', 'undone_by'],
];
const changing = ownColumns(sync).map(({ member, name }) => ({
  name,
  is: CHANGING.includes(member),
}));
const CHANGED = changing.flatMap(({ name, is }) => (is ? [quoteName(name)] : []));
const SEEN = 'account = $1 AND sync = $2';
/** Notes the members of a JSON object. Read from the row of the sync, Citus counts those that were there already. */
const noted = (value: string, members: string) => `
  INSERT INTO sync_seen (account, sync, mark, content) SELECT account, unique_identifier, seen.key, ${value} FROM sync, ${members} AS seen
  WHERE ${ONE} ON CONFLICT DO NOTHING`;
/** Lists those of accounts $1 and resources $4, before $2, no more than $3. */
const listed = ({ among, limit, as }: Dialect, at = '') => `${FOUND}
    WHERE ${among('account', '$1')} AND ${among('resource', '$4')}${at}
    AND unique_identifier < ${as('$2', 'text')}
    ORDER BY unique_identifier DESC LIMIT ${limit('$3')}`;
const ENDED = `(status NOT IN ('open', 'finishing') OR (status = 'open' AND inserted_at < $1))`;

export const sql = statements({
  replaceSync: `UPDATE sync SET status = 'replaced', step = step + 1
    WHERE account = $1 AND location = $2 AND resource = $3 AND source = $4 AND status = 'open'`,
  beginSync: `${inserted(sync)} ON CONFLICT DO NOTHING`,
  markSync: `UPDATE sync SET marked = 1 WHERE ${ONE}`,
  sync: ({ among }) => `${FOUND} WHERE unique_identifier = $1 AND ${among('account', '$2')}`,
  syncsAt: (dialect) =>
    listed(dialect, ` AND location = $5 AND unique_identifier > ${dialect.as('$6', 'text')}`),
  goingSyncs: `${FOUND} WHERE status IN ('finishing', 'undoing') ORDER BY unique_identifier`,
  /** Sync $2 of account $1, if it has step $3; takes what changes after that. */
  putSync: `UPDATE sync SET step = step + 1, ${CHANGED.map((name, at) => `${name} = $${at + 4}`).join(', ')}
    WHERE ${ONE} AND step = $3`,
  noteFirst: `${inserted(firstSync)} ON CONFLICT DO NOTHING`,
  /** Syncs of sources $4 and resource $3 for place $2 or the account that were under way at $5, unless one of them was finished before. */
  firstAt: ({ among, by }) => {
    const own = (of: string) =>
      `${of}.account = $1 AND ${of}.resource = $3 AND ${among(`CAST(${of}.source AS text)`, '$4')}`;
    const along = by('sync_location');
    const before = (table: string) => `NOT EXISTS (SELECT 1 FROM ${table}
      WHERE ${own('done')} AND done.location = sync.location AND done.finished_at < $5)`;
    return `SELECT 1 FROM sync${along} WHERE ${own('sync')} AND sync.location IN ('', $2)
      AND sync.inserted_at <= $5 AND coalesce(sync.finished_at, sync.expires_at) >= $5
      AND ${before('first_sync AS done')} AND ${before(`sync AS done${along}`)} LIMIT 1`;
  },
  markedSync: `SELECT marked FROM sync WHERE ${ONE}`,
  /** $3 rows more, up to $4; nothing where the sync takes no more: its row is locked meanwhile. */
  countSeen: `UPDATE sync SET seen = seen + $3
    WHERE ${ONE} AND status = 'open' AND marked = 1 AND seen + $3 <= $4`,
  countRepeated: `UPDATE sync SET repeated = repeated + $3 WHERE ${ONE}`,
  seeInSync: {
    sqlite: noted('seen.value', 'json_each($3)'),
    postgres: noted('seen.value::bigint', 'json_each_text($3::json)'),
  },
  seenInSync: ({ among }) =>
    `SELECT mark, content FROM sync_seen WHERE ${SEEN} AND ${among('mark', '$3')}`,
  claimSeen: `UPDATE sync_seen SET content = $4 WHERE ${SEEN} AND mark = $3 AND content IS NULL`,
  releaseSeen: `UPDATE sync_seen SET content = NULL WHERE ${SEEN} AND mark = $3 AND content = $4`,
  /** One that ended, or that began before $1, and still has marks. */
  endedSync: `SELECT account, unique_identifier FROM sync WHERE marked = 1 AND ${ENDED} LIMIT 1`,
  /** Syncs of the first $3 + 1 marks: found first, so that the rows between are removed along the key. */
  purgeSeen: ({ limit }) => `DELETE FROM sync_seen WHERE ${SEEN} AND mark <= coalesce((
    SELECT mark FROM sync_seen WHERE ${SEEN} ORDER BY mark LIMIT 1 OFFSET ${limit('$3')}), '~')`,
  unmarkSync: `UPDATE sync SET marked = 0 WHERE ${ONE}`,
  purgeDoubts: 'DELETE FROM sync_doubt WHERE at < $1',
  purgeSyncs: `DELETE FROM sync WHERE inserted_at < $1 AND status NOT IN ('finishing', 'undoing')`,
  purgeIdle: "DELETE FROM sync WHERE inserted_at < $1 AND status IN ('open', 'replaced')",
});

/** A row of a resource that a source sent at a location, and when. */
interface SentThere extends Pick<StoredSync, 'account' | 'resource'> {
  readonly location: string;
  readonly sources: readonly number[];
  readonly at: number;
}

const toSync = rowReader(sync) as (row: readonly unknown[]) => StoredSync;

export class SyncBook extends Book {
  /** Replaces, in the same commit, open ones of these sources for the same resource and place: there is never more than one. */
  async begin(begun: StoredSync, sources: readonly number[]): Promise<void> {
    const { account, location, resource } = begun;
    const writes: readonly BookWrite[] = [
      ...sources.map(
        (source) => [sql.replaceSync, account, location ?? '', resource, source] as const,
      ),
      [sql.beginSync, ...newRow(sync, begun)],
      [sql.markSync, account, begun.unique_identifier],
    ];
    for (let tried = 0; tried < MAX_TRIES; tried += 1) {
      if ((await this.tables.write(writes)).at(-1) === 1) return;
      // Its commit was done, and the answer lost.
      if ((await this.find(begun.unique_identifier, [account])) !== undefined) return;
    }
    throw new StoreUnavailable('A sync could not be begun.');
  }

  readonly find = (unique_identifier: string, accounts: readonly string[]) =>
    this.first(toSync, sql.sync, unique_identifier, accounts);

  /** The newest first. */
  async list({ accounts, locations, resources, before = 'syn_~', limit }: SyncsQuery) {
    const values = [accounts, before, limit, resources] as const;
    if (locations === undefined)
      return this.along(
        toSync,
        FOUND,
        accounts.map((account) => ({
          ...{ table: 'sync', order: ['unique_identifier'], descending: true, limit },
          lead: [is('account', account), is('unique_identifier', before, '<')],
          rest: [among('resource', resources)],
        })),
      );
    let newest: readonly StoredSync[] = [];
    for (const location of locations) {
      // Of each place no more are read than are newer than those that are found.
      const after = newest[limit - 1]?.unique_identifier ?? '';
      const found = (await this.tables.rows(sql.syncsAt, ...values, location, after)).map(toSync);
      newest = [...newest, ...found]
        .sort((one, other) => (one.unique_identifier < other.unique_identifier ? 1 : -1))
        .slice(0, limit);
    }
    return newest;
  }

  /** Lists syncs whose removals are under way, or are undone, or were when a process ended. */
  readonly going = () => this.all(toSync, sql.goingSyncs);

  /**
   * Whether a source was sending all that it has for the first time when it sent something there: its first sync that was
   * finished, and those before it that broke off. `sources` are the numbers that are one source.
   */
  async isFirst({ account, location, resource, sources, at }: SentThere): Promise<boolean> {
    const values = [account, location, resource, sources.map(String), at] as const;
    return (await this.tables.rows(sql.firstAt, ...values)).length > 0;
  }

  /** Stores a sync, without `seen` and `repeated`, unless it was changed since it was read. Returns it as it is then. */
  async put(one: StoredSync): Promise<StoredSync | undefined> {
    const { account, unique_identifier, step } = one;
    const values = newRow(sync, one).filter((_, at) => changing[at]?.is);
    const put: BookWrite = [sql.putSync, account, unique_identifier, step, ...values];
    const first: BookWrite = [sql.noteFirst, ...newRow(firstSync, one)];
    const isStored = await this.wrote(one.finished_at === null ? [put] : [put, first]);
    return isStored ? { ...one, step: step + 1 } : undefined;
  }

  /**
   * Notes what rows name: on disk when it resolves. Gives the contents that their records are compared with, which are those of
   * the first rows that have any; `undefined`: the sync is not open any more, was restored, or has `MAX_SEEN`.
   */
  async see({ account, unique_identifier }: SyncName, fingerprints: readonly SeenFingerprint[]) {
    const name = [account, unique_identifier] as const;
    const first = new Map<string, number | null>();
    for (const [mark, content] of fingerprints) first.set(mark, first.get(mark) ?? content);
    const writes: readonly BookWrite[] = [
      [sql.countSeen, ...name, fingerprints.length, MAX_SEEN],
      [sql.seeInSync, ...name, JSON.stringify(Object.fromEntries(first))],
    ];
    const [count, added = 0] = await this.tables.write(writes, 1);
    if (count === 0) return undefined;
    if (added === fingerprints.length) return first;
    const before = await this.seen({ account, unique_identifier }, [...first.keys()]);
    const claims = [...first].filter(
      ([mark, content]) => content !== null && before.get(mark) === null,
    );
    await this.tables.write([
      [sql.countRepeated, ...name, fingerprints.length - added],
      ...claims.map((claim): BookWrite => [sql.claimSeen, ...name, ...claim]),
    ]);
    if (claims.length === 0) return before;
    return this.seen({ account, unique_identifier }, [...first.keys()]);
  }

  /** Takes back contents, where records are compared with these. */
  async release(
    { account, unique_identifier }: SyncName,
    fingerprints: readonly SeenFingerprint[],
  ) {
    const name = [account, unique_identifier] as const;
    // The row of the sync is locked first, as when rows are noted.
    await this.tables.write([
      [sql.countRepeated, ...name, 0],
      ...fingerprints.map((mark): BookWrite => [sql.releaseSeen, ...name, ...mark]),
    ]);
  }

  /** The marks among these of records that it saw, with their contents. */
  readonly seen = async (
    { account, unique_identifier }: SyncName,
    fingerprints: readonly string[],
  ) =>
    new Map(
      await this.tables.rows<SeenFingerprint>(
        sql.seenInSync,
        account,
        unique_identifier,
        fingerprints,
      ),
    );

  /** Whether there are marks of all that it saw: they are in no backup. */
  readonly isComparable = async ({ account, unique_identifier }: SyncName) =>
    (await this.counted(sql.markedSync, account, unique_identifier)) === 1;

  /** Removes some marks of syncs that take no more, and syncs of long ago. Returns whether there may be more. */
  async purge(): Promise<boolean> {
    const now = this.now();
    const expired = now - 2 * SYNC_OPEN_MS;
    const [ended] = await this.tables.rows<readonly [string, string]>(sql.endedSync, expired);
    if (ended !== undefined) {
      const { count } = await this.tables.change(sql.purgeSeen, ...ended, PURGED_AT_ONCE);
      if (count <= PURGED_AT_ONCE) await this.tables.change(sql.unmarkSync, ...ended);
      return true;
    }
    await this.tables.change(sql.purgeDoubts, now - KEPT_MS);
    await this.tables.change(sql.purgeIdle, expired);
    await this.tables.change(sql.purgeSyncs, now - KEPT_MS);
    return false;
  }
}
