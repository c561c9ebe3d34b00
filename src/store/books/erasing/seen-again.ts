/**
 * The book of erased people who are seen again, over the tables of a store. A hash is a note whose `about` it is, and
 * `reached` the line of the journal that tells of it; of a record that was seen, `reached` is its resource, and `state`
 * by what it was known.
 */
import type { ErasedMarks } from '../../erased-marks.ts';
import type {
  ContactKind,
  FollowedAccount,
  KeptContact,
  SeenAgainBook,
  SeenMatch,
  SeenSome,
} from '../../promises/erasing/seen-again.ts';
import { type BookTables, type BookWrite, statements } from '../tables.ts';

/** Hashes of one commit: no writer waits for more. */
const TOGETHER = 100;
const DISMISSED = 'dismissed';
const COLUMNS = 'of_account, erasure, kind, about, state, reached, count, first_at, last_at';
/** What follows, among the keys that do. */
const US = `'erasures'`;
const SEEN = `kind = 'seen_again' AND state <> '${DISMISSED}'`;

export const seenAgainStatements = statements({
  /** Of account $1 and erasure $2: hash $3, at $4. */
  keep: `INSERT INTO erasure_note (${COLUMNS}) VALUES ($1, $2, 'contact', $3, '', '', 0, $4, 0)
    ON CONFLICT (erasure, kind, about) DO NOTHING`,
  follow: `INSERT INTO follower (of_account, key, reached, at) VALUES ($1, ${US}, $2, $3)
    ON CONFLICT (of_account, key) DO NOTHING`,
  /** The same, of which line $5 of the journal tells. */
  keepTold: `INSERT INTO erasure_note (${COLUMNS}) VALUES ($1, $2, 'contact', $3, '', $5, 0, $4, 0)
    ON CONFLICT (erasure, kind, about) DO UPDATE SET reached = excluded.reached`,
  /** Looks at all records of account $1. */
  seek: `INSERT INTO follower (of_account, key, reached, at) VALUES ($1, ${US}, '', $2)
    ON CONFLICT (of_account, key) DO UPDATE SET reached = ''`,
  known: ({ among }) => `SELECT erasure, about FROM erasure_note
    WHERE of_account = $1 AND kind = 'contact' AND ${among('about', '$2')} ORDER BY erasure, about`,
  followed: `SELECT of_account, reached FROM follower WHERE key = ${US} ORDER BY of_account`,
  move: `UPDATE follower SET reached = $3, at = $4
    WHERE of_account = $1 AND key = ${US} AND reached = $2`,
  /** Of account $1 and erasure $2: record $3 of resource $5, by $4, at $6. */
  see: `INSERT INTO erasure_note (${COLUMNS}) VALUES ($1, $2, 'seen_again', $3, $4, $5, 1, $6, $6)
    ON CONFLICT (erasure, kind, about) DO NOTHING`,
  /** The first $2 of each of erasures $1. */
  seen: ({ among }) => `SELECT erasure, about, reached, state, first_at, known FROM (
      SELECT erasure, about, reached, state, first_at, count(*) OVER (PARTITION BY erasure) AS known,
        row_number() OVER (PARTITION BY erasure ORDER BY first_at, about) AS place
      FROM erasure_note WHERE ${among('erasure', '$1')} AND ${SEEN}) AS ranked
    WHERE place <= $2 ORDER BY erasure, place`,
  noted: `SELECT count(*) FROM erasure_note WHERE erasure = $1 AND kind = 'seen_again'`,
  count: `SELECT count(*) FROM erasure_note WHERE ${SEEN}`,
  dismiss: ({ among }) => `UPDATE erasure_note SET state = '${DISMISSED}'
    WHERE erasure = $1 AND kind = 'seen_again' AND ${among('about', '$2')}`,
  forget: ({ among }) => `DELETE FROM erasure_note
    WHERE of_account = $1 AND kind = 'seen_again' AND ${among('about', '$2')}`,
  drop: `DELETE FROM erasure_note WHERE erasure = $1 AND kind = 'contact'`,
  /**
   * In account $1: of those that have erased nothing that was not lifted. Citus takes the inner query where it stands by
   * itself, and is of more than one account.
   */
  dropLifted: `DELETE FROM erasure_note WHERE of_account = $1 AND kind = 'contact' AND erasure NOT IN (
      SELECT erased.erasure FROM erased WHERE erased.account IN ($1, '') AND erased.erasure IN (
        SELECT own.erasure FROM erasure_note AS own WHERE own.of_account = $1 AND own.kind = 'contact'))
    AND NOT EXISTS (SELECT 1 FROM erasure WHERE erasure.unique_identifier = erasure_note.erasure
      AND erasure.status IN ('running', 'waiting'))`,
  purge: `DELETE FROM erasure_note WHERE kind = 'contact' AND first_at < $1`,
  /** The erasures of which are not stored any more. */
  purgeSeen: `DELETE FROM erasure_note WHERE kind = 'seen_again' AND erasure NOT IN (
    SELECT unique_identifier FROM erasure)`,
  unfollow: `DELETE FROM follower WHERE key = ${US} AND of_account NOT IN (
    SELECT of_account FROM erasure_note WHERE kind = 'contact')`,
  /** Since when is not known, as after a restore: from all records on. */
  refollow: ({ as }) => `INSERT INTO follower (of_account, key, reached, at)
    SELECT DISTINCT of_account, ${US}, '', ${as('$1', 'bigint')} FROM erasure_note
    WHERE kind = 'contact' ON CONFLICT (of_account, key) DO NOTHING`,
});
const sql = seenAgainStatements;

type SeenRow = readonly [
  ...[erasure: string, record: string, resource: string, reasons: string, seen_at: number],
  count: number,
];

export class SeenAgainNotes implements SeenAgainBook {
  readonly #tables: BookTables;
  readonly #marks: ErasedMarks;

  constructor(tables: BookTables, marks: ErasedMarks) {
    this.#tables = tables;
    this.#marks = marks;
  }

  hashesOf(kind: ContactKind, text: string): readonly string[] {
    const { keys, probe } = this.#marks;
    return keys.map((key) => `${key}.${probe(key, [kind, text])}`);
  }

  async keep(
    account: string,
    kept: readonly KeptContact[],
    { reached, at }: { readonly reached: string; readonly at: number },
  ): Promise<void> {
    const sorted = kept.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
    for (let from = 0; from < sorted.length; from += TOGETHER) {
      await this.#tables.write([
        ...sorted
          .slice(from, from + TOGETHER)
          .map(({ erasure, hash }): BookWrite => [sql.keep, account, erasure, hash, at]),
        [sql.follow, account, reached, at],
      ]);
    }
  }

  async known(account: string, hashes: readonly string[]): Promise<readonly KeptContact[]> {
    if (hashes.length === 0) return [];
    const rows = await this.#tables.rows<readonly [string, string]>(sql.known, account, hashes);
    return rows.map(([erasure, hash]) => ({ erasure, hash }));
  }

  async followed(): Promise<readonly FollowedAccount[]> {
    const rows = await this.#tables.rows<readonly [string, string]>(sql.followed);
    return rows.map(([account, reached]) => ({ account, reached }));
  }

  async move(
    { account, reached }: FollowedAccount,
    to: { readonly reached: string; readonly at: number },
    seen: readonly SeenMatch[],
  ): Promise<boolean> {
    const sorted = seen.toSorted((one, other) =>
      `${one.erasure} ${one.record}` < `${other.erasure} ${other.record}` ? -1 : 1,
    );
    const [moved] = await this.#tables.write(
      [
        [sql.move, account, reached, to.reached, to.at],
        ...sorted.map(({ erasure, record, resource, reasons, seen_at }): BookWrite => {
          return [sql.see, account, erasure, record, reasons.join(), resource, seen_at];
        }),
      ],
      1,
    );
    return moved === 1;
  }

  async seen(erasures: readonly string[], limit: number): Promise<ReadonlyMap<string, SeenSome>> {
    const rows = await this.#tables.rows<SeenRow>(sql.seen, erasures, limit);
    const byErasure = Map.groupBy(rows, ([erasure]) => erasure);
    return new Map(
      [...byErasure].map(([erasure, some]) => {
        const first = some.map(([, record, resource, reasons, seen_at]) => ({
          ...{ erasure, record, resource, seen_at },
          reasons: reasons.split(',') as ContactKind[],
        }));
        return [erasure, { first, count: Number(some[0]?.[5] ?? 0) }];
      }),
    );
  }

  async noted(erasure: string): Promise<number> {
    const [row] = await this.#tables.rows<readonly [number]>(sql.noted, erasure);
    return row?.[0] ?? 0;
  }

  async count(): Promise<number> {
    const [row] = await this.#tables.rows<readonly [number]>(sql.count);
    return row?.[0] ?? 0;
  }

  async dismiss(erasure: string, records: readonly string[]): Promise<void> {
    await this.#tables.change(sql.dismiss, erasure, records);
  }

  async forget(account: string, records: readonly string[]): Promise<void> {
    await this.#tables.change(sql.forget, account, records);
  }

  async drop(erasure: string): Promise<void> {
    await this.#tables.change(sql.drop, erasure);
  }

  async purge(before: number): Promise<void> {
    await this.#tables.change(sql.purge, before);
    await this.#tables.change(sql.purgeSeen);
    await this.#tables.change(sql.unfollow);
  }

  async refollow(at: number): Promise<void> {
    await this.#tables.change(sql.refollow, at);
  }
}

function nameOf({ erasure, hash }: KeptContact): string {
  return `${erasure} ${hash}`;
}
