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
