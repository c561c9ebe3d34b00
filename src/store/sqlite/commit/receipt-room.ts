/** The numbers of new receipts and the space of each owner, within one transaction. */
import { SPAN_MS } from '../../receipt-room.ts';
import { firstNumber, type ReceiptStatements } from '../statements/receipts.ts';

interface Taken {
  /** Before this transaction. */
  readonly before: number;
  more: number;
}

type RoomStatements = Pick<ReceiptStatements, 'last' | 'room' | 'take'>;

export class Room {
  readonly #statements: RoomStatements;
  readonly #most: number;
  readonly #owners = new Map<string, Taken>();
  #until = 0;
  #next = 0;

  constructor(statements: RoomStatements, most: number) {
    this.#statements = statements;
    this.#most = most;
  }

  /** The number of a new receipt that is purged at that time. */
  numberUntil(time: number): number {
    if (time !== this.#until) {
      const [last = 0] = this.#statements.last.get(firstNumber(time + SPAN_MS)) ?? [];
      this.#until = time;
      this.#next = Math.max(firstNumber(time), last + 1);
    }
    this.#next += 1;
    return this.#next - 1;
  }

  /** Whether there is none left for an owner. */
  isFull(owner: string): boolean {
    const { before, more } = this.#of(owner);
    return before + more >= this.#most;
  }

  /** Returns what it took; negative for what was given back. */
  take(owner: string, bytes: number): number {
    this.#of(owner).more += bytes;
    return bytes;
  }

  /** Called at the end of the transaction. */
  settle(): void {
    for (const [owner, { more }] of this.#owners) {
      if (more !== 0) this.#statements.take.run(owner, more);
    }
  }

  #of(owner: string): Taken {
    let taken = this.#owners.get(owner);
    if (taken === undefined) {
      const [before = 0] = this.#statements.room.get(owner) ?? [];
      taken = { before, more: 0 };
      this.#owners.set(owner, taken);
    }
    return taken;
  }
}
