/** What upserts that belong to a sync name, so that it counts as seen whatever becomes of it. */
import type { ApiError } from '../../core/errors.ts';
import type { Draft } from '../../store/promises/store.ts';

/** A record that a row names: without a parent where the row could not be read. */
export type SeenRecord = Pick<Draft, 'external_identifier'> & Partial<Pick<Draft, 'parent'>>;

/** The sync that upserts belong to. */
export interface Sighted {
  /** The refusal of a draft for a record at another place, if it is. */
  refusal(draft: Draft): ApiError | undefined;
  /** Notes what rows name: it is on disk when this resolves. Throws `sync_ended`. */
  see(records: readonly SeenRecord[]): Promise<void>;
  /** The caller's identifier in a body or a row that could not be read. */
  identifierIn(body: Uint8Array): string | undefined;
}
