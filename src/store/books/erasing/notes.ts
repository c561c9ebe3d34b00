/** The book of notes on erasures, over the tables of a store. */
import type { ObjectOf } from '../../../core/objects/own-object.ts';
import { erasureNote, follower } from '../../../core/objects/records/erased.ts';
import { Book, inOrder } from '../book.ts';
import { inserted, newRow, rowReader, selected } from '../rows/own-rows.ts';
import { type BookWrite, statements } from '../tables.ts';

const select = `SELECT ${selected(erasureNote)} FROM erasure_note`;
const toNote = rowReader(erasureNote);
const toFollowing = rowReader(follower);

export const sql = statements({
  put: `${inserted(erasureNote)}
    ON CONFLICT (erasure, kind, about) DO UPDATE SET state = excluded.state,
      reached = excluded.reached, last_at = excluded.last_at,
      count = excluded.count + CASE WHEN excluded.kind = 'sent_again' THEN erasure_note.count ELSE 0 END,
      first_at = CASE WHEN excluded.kind = 'told' THEN excluded.first_at ELSE erasure_note.first_at END
    WHERE excluded.kind <> 'told' OR excluded.reached <> erasure_note.reached`,
  settle: `UPDATE erasure_note SET state = $5, last_at = $6
    WHERE erasure = $1 AND kind = $2 AND about = $3 AND reached = $4`,
  remove: 'DELETE FROM erasure_note WHERE erasure = $1 AND kind = $2 AND about = $3',
  of: ({ among }) => `${select} WHERE ${among('erasure', '$1')} ORDER BY erasure, kind, about`,
  waiting: ({ as, limit }) => `${select}
    WHERE kind = 'told' AND state IN ('waiting', 'not_told', 'failed') AND first_at >= $1
      AND (erasure, about) > (${as('$2', 'text')}, ${as('$3', 'text')})
    ORDER BY erasure, about LIMIT ${limit('$4')}`,
  sentAgain: `SELECT CAST(coalesce(sum(count), 0) AS bigint) FROM erasure_note WHERE kind = 'sent_again'`,
  follow: `${inserted(follower)}
    ON CONFLICT (of_account, key) DO UPDATE SET reached = excluded.reached, at = excluded.at`,
  following: `SELECT ${selected(follower)} FROM follower
    WHERE of_account = $1 AND at >= $2 ORDER BY key`,
  purgeNotes: 'DELETE FROM erasure_note WHERE first_at < $1',
  purgeFollowers: `DELETE FROM follower WHERE at < $1`,
});

export class ErasureNoteBook extends Book {
  /** Creates or replaces them, and adds counts of refusals to what is there. Only entries of consumers start again. */
  async put(notes: readonly ErasureNote[]): Promise<void> {
    const sorted = inOrder(notes, ({ erasure, kind, about }) => `${erasure} ${kind} ${about}`);
    await this.#write(sorted.map((note) => [sql.put, ...newRow(erasureNote, note)]));
  }

  /** Changes one unless there is more to notify of by now. */
  readonly settle = (
    { erasure, kind, about, reached }: ErasureNote,
    { state, last_at }: Pick<ErasureNote, 'state' | 'last_at'>,
  ) => this.did(sql.settle, erasure, kind, about, reached, state, last_at);

  readonly remove = ({ erasure, kind, about }: ErasureNote) =>
    this.did(sql.remove, erasure, kind, about);

  readonly of = (erasures: readonly string[]) => this.all(toNote, sql.of, erasures);

  /** Some of who waits to be notified, or could not be, of erasures since then, after that note; by erasure and who waits. */
  readonly waiting = (
    since: number,
    { erasure, about }: Pick<ErasureNote, 'erasure' | 'about'>,
    limit: number,
  ) => this.all(toNote, sql.waiting, since, erasure, about, limit);

  /** How often erased records were sent again. */
  readonly sentAgain = () => this.counted(sql.sentAgain);

  async follow(keys: readonly FollowingKey[]): Promise<void> {
    const sorted = inOrder(keys, ({ account, key }) => `${account} ${key}`);
    await this.#write(sorted.map((one) => [sql.follow, ...newRow(follower, one)]));
  }

  async #write(writes: readonly BookWrite[]): Promise<void> {
    if (writes.length > 0) await this.tables.write(writes);
  }

  /** Keys that have followed an account since then. */
  readonly following = (account: string, since: number) =>
    this.all(toFollowing, sql.following, account, since);

  /** Forgets notes and keys from before those times. */
  async purge(notes: number, keys: number): Promise<void> {
    await this.tables.change(sql.purgeNotes, notes);
    await this.tables.change(sql.purgeFollowers, keys);
  }
}

export type ErasureNote = ObjectOf<typeof erasureNote.fields>;
/** An API key that follows the changes of an account. */
export type FollowingKey = ObjectOf<typeof follower.fields>;
