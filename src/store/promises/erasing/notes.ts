/** The store's contract for what is noted on erasures: who was told, who acknowledged, and who sends records again. */

import type { ObjectOf } from '../../../core/objects/own-object.ts';
import type { erasureNote, follower } from '../../../core/objects/records/erased.ts';

export type ErasureNote = ObjectOf<typeof erasureNote.fields>;
/** An API key that follows the changes of an account. */
export type FollowingKey = ObjectOf<typeof follower.fields>;

/** Deliveries to an endpoint, by status: how many, and when the last one changed. */
export type DeliveredErasures = ReadonlyMap<
  string,
  { readonly count: number; readonly at: number }
>;

export interface ErasureNoteBook {
  /** Creates or replaces them, and adds counts of refusals to what is there. Only entries of consumers start again. */
  put(notes: readonly ErasureNote[]): Promise<void>;
  /** Changes one unless there is more to be told of by now. */
  settle(note: ErasureNote, standing: Pick<ErasureNote, 'state' | 'last_at'>): Promise<void>;
  remove(note: ErasureNote): Promise<void>;
  /** Of these erasures. */
  of(erasures: readonly string[]): Promise<readonly ErasureNote[]>;
  /** Some that wait to be told, or failed to be, of erasures since then, after that note; by erasure and who waits. */
  waiting(
    since: number,
    after: Pick<ErasureNote, 'erasure' | 'about'>,
    limit: number,
  ): Promise<readonly ErasureNote[]>;
  /** How often erased records were sent again. */
  sentAgain(): Promise<number>;
  /** What was delivered to an endpoint of the erasure of these records. */
  delivered(endpoint: string, records: readonly string[]): Promise<DeliveredErasures>;
  /** Notes how far keys have read. */
  follow(keys: readonly FollowingKey[]): Promise<void>;
  /** Keys that have followed an account since then. */
  following(account: string, since: number): Promise<readonly FollowingKey[]>;
  /** Forgets notes and keys from before those times. */
  purge(notes: number, keys: number): Promise<void>;
}
