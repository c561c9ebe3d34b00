/**
 * How much room the receipts of each API key take. What this process stores and purges is counted here and added to
 * what all processes have counted with every purge: no commit waits for that, and the bound holds but for what is
 * stored between two of them. What a killed process had not added stays uncounted.
 */

import type { Receipt, StoredRecord, Written } from '../../promises/store.ts';
import { purgedAt, sizeOfReceipt } from '../../receipt-room.ts';
import { takeRoom } from '../statements/receipts.ts';
import { call, type Session } from '../wire/session.ts';
import { numberArray, textArray } from '../wire/values.ts';

/** How many versions that were answered unchanged are remembered. */
const MAX_UNCHANGED = 1_000;

interface Taken {
  /** By all processes, when last looked up. */
  total: number;
  /** By this process since then. */
  more: number;
}

/** How much of its owner's room a receipt takes. */
export interface Taking {
  readonly owner: string;
  readonly bytes: number;
}

export class ReceiptRooms {
  readonly #most: number;
  readonly #owners = new Map<string, Taken>();
  /** Versions whose answer is counted already. */
  readonly #unchanged = new Set<string>();

  /** `most` is how many bytes the receipts of an owner may take. */
  constructor(most: number) {
    this.#most = most;
  }

  isFull(owner: string): boolean {
    const taken = this.#owners.get(owner);
    return taken !== undefined && taken.total + taken.more >= this.#most;
  }

  /** Call it when the receipt is committed. Freed room is negative. */
  take({ owner, bytes }: Taking): void {
    const taken = this.#owners.get(owner);
    if (taken === undefined) this.#owners.set(owner, { total: 0, more: bytes });
    else taken.more += bytes;
  }

  /** Whether anything was counted here that other processes do not know yet. */
  get unsettled(): boolean {
    return this.#owners.values().some(({ more }) => more !== 0);
  }

  /** The size of a record's receipt: its answer is stored once for all that found the same version unchanged. */
  sizeOf({ expires_at }: Receipt, outcome: Written['outcome'], record: StoredRecord): number {
    const { unique_identifier, version, document } = record;
    if (outcome !== 'unchanged') return sizeOfReceipt(document);
    const name = `${unique_identifier} ${version} ${purgedAt(expires_at)}`;
    if (this.#unchanged.has(name)) return sizeOfReceipt();
    if (this.#unchanged.size >= MAX_UNCHANGED) this.#unchanged.clear();
    this.#unchanged.add(name);
    return sizeOfReceipt(document);
  }

  /** Adds this process's count to the shared one, and learns the sum. */
  async settle(session: Session): Promise<void> {
    const counted = [...this.#owners]
      .filter(([owner, { more }]) => more !== 0 || this.isFull(owner))
      .map(([owner, { more }]) => ({ owner, more }))
      .sort((one, other) => (one.owner < other.owner ? -1 : 1));
    if (counted.length === 0) return;
    const owners = textArray(counted.map(({ owner }) => owner));
    const totals = await session.rows(
      call(takeRoom, owners, numberArray(counted.map(({ more }) => more))),
    );
    for (const { owner, more } of counted) {
      const taken = this.#owners.get(owner);
      if (taken === undefined) continue;
      taken.more -= more;
      taken.total = totals.find(([name]) => name === owner)?.[1] ?? 0;
    }
  }
}
