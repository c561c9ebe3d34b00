/** The book of notes on erasures, over the tables of a store. */
import type {
  DeliveredErasures,
  ErasureNote,
  ErasureNoteBook,
  FollowingKey,
} from '../../promises/erasing/notes.ts';
import { type BookTables, type BookWrite, statements } from '../tables.ts';

const COLUMNS = 'of_account, erasure, kind, about, state, reached, count, first_at, last_at';
const select = `SELECT ${COLUMNS} FROM erasure_note`;

export const erasureNoteStatements = statements({
  put: `INSERT INTO erasure_note AS known (${COLUMNS})
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
    ON CONFLICT (erasure, kind, about) DO UPDATE SET state = excluded.state,
      reached = excluded.reached, last_at = excluded.last_at,
      count = excluded.count + CASE WHEN excluded.kind = 'sent_again' THEN known.count ELSE 0 END,
      first_at = CASE WHEN excluded.kind = 'told' THEN excluded.first_at ELSE known.first_at END
    WHERE excluded.kind <> 'told' OR excluded.reached <> known.reached`,
  settle: `UPDATE erasure_note SET state = $5, last_at = $6
    WHERE erasure = $1 AND kind = $2 AND about = $3 AND reached = $4`,
  remove: 'DELETE FROM erasure_note WHERE erasure = $1 AND kind = $2 AND about = $3',
  of: ({ among }) => `${select} WHERE ${among('erasure', '$1')} ORDER BY erasure, kind, about`,
  /** Those of $1 and later, after erasure $2 and who $3; no more than $4. */
  waiting: ({ as, limit }) => `${select}
    WHERE kind = 'told' AND state IN ('waiting', 'not_told', 'failed') AND first_at >= $1
      AND (erasure, about) > (${as('$2', 'text')}, ${as('$3', 'text')})
    ORDER BY erasure, about LIMIT ${limit('$4')}`,
  sentAgain: `SELECT CAST(coalesce(sum(count), 0) AS bigint) FROM erasure_note WHERE kind = 'sent_again'`,
  delivered: ({ among }) => `SELECT status, count(*), max(updated_at) FROM webhook_delivery
    WHERE endpoint = $1 AND ${among('record', '$2')} AND type LIKE '%.erased' GROUP BY status`,
  follow: `INSERT INTO follower (of_account, key, reached, at) VALUES ($1, $2, $3, $4)
    ON CONFLICT (of_account, key) DO UPDATE SET reached = excluded.reached, at = excluded.at`,
  following: `SELECT of_account, key, reached, at FROM follower
    WHERE of_account = $1 AND at >= $2 ORDER BY key`,
  purgeNotes: 'DELETE FROM erasure_note WHERE first_at < $1',
  purgeFollowers: `DELETE FROM follower WHERE at < $1`,
});
const sql = erasureNoteStatements;

type NoteRow = readonly [
  ...[account: string, erasure: string, kind: ErasureNote['kind'], about: string, state: string],
  ...[reached: string, count: number, first_at: number, last_at: number],
];

export class ErasureNotes implements ErasureNoteBook {
  readonly #tables: BookTables;

  constructor(tables: BookTables) {
    this.#tables = tables;
  }

  async put(notes: readonly ErasureNote[]): Promise<void> {
    const writes = inOrder(notes, ({ erasure, kind, about }) => `${erasure} ${kind} ${about}`).map(
      ({ account, erasure, kind, about, ...one }): BookWrite => {
        const { state, reached, count, first_at, last_at } = one;
        return [sql.put, account, erasure, kind, about, state, reached, count, first_at, last_at];
      },
    );
    if (writes.length > 0) await this.#tables.write(writes);
  }

  async settle(
    { erasure, kind, about, reached }: ErasureNote,
    { state, last_at }: Pick<ErasureNote, 'state' | 'last_at'>,
  ): Promise<void> {
    await this.#tables.change(sql.settle, erasure, kind, about, reached, state, last_at);
  }

  async remove({ erasure, kind, about }: ErasureNote): Promise<void> {
    await this.#tables.change(sql.remove, erasure, kind, about);
  }

  async of(erasures: readonly string[]): Promise<readonly ErasureNote[]> {
    return (await this.#tables.rows<NoteRow>(sql.of, erasures)).map(toNote);
  }

  async waiting(
    since: number,
    { erasure, about }: Pick<ErasureNote, 'erasure' | 'about'>,
    limit: number,
  ): Promise<readonly ErasureNote[]> {
    const rows = await this.#tables.rows<NoteRow>(sql.waiting, since, erasure, about, limit);
    return rows.map(toNote);
  }

  async sentAgain(): Promise<number> {
    const [row] = await this.#tables.rows<readonly [number]>(sql.sentAgain);
    return Number(row?.[0] ?? 0);
  }

  async delivered(endpoint: string, records: readonly string[]): Promise<DeliveredErasures> {
    const rows = await this.#tables.rows<readonly [status: string, count: number, at: number]>(
      sql.delivered,
      endpoint,
      records,
    );
    return new Map(rows.map(([status, count, at]) => [status, { count, at }]));
  }

  async follow(keys: readonly FollowingKey[]): Promise<void> {
    const writes = inOrder(keys, ({ account, key }) => `${account} ${key}`).map(
      ({ account, key, reached, at }): BookWrite => [sql.follow, account, key, reached, at],
    );
    if (writes.length > 0) await this.#tables.write(writes);
  }

  async following(account: string, since: number): Promise<readonly FollowingKey[]> {
    const rows = await this.#tables.rows<readonly [string, string, string, number]>(
      sql.following,
      account,
      since,
    );
    return rows.map(([account, key, reached, at]) => ({ account, key, reached, at }));
  }

  async purge(notes: number, keys: number): Promise<void> {
    await this.#tables.change(sql.purgeNotes, notes);
    await this.#tables.change(sql.purgeFollowers, keys);
  }
}

/** Two processes lock rows in the same order. */
function inOrder<One>(all: readonly One[], nameOf: (one: One) => string): readonly One[] {
  return all.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
}

function toNote([account, erasure, kind, about, state, ...rest]: NoteRow): ErasureNote {
  const [reached, count, first_at, last_at] = rest;
  return { account, erasure, kind, about, state, reached, count, first_at, last_at };
}
