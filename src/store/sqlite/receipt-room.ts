/** How much room the receipts of each owner take, within one transaction. */
import type { ReceiptStatements } from './statements/receipts.ts';

interface Taken {
  /** Before this transaction. */
  readonly before: number;
  more: number;
}

export class Room {
  readonly #statements: Pick<ReceiptStatements, 'room' | 'take'>;
  readonly #most: number;
  readonly #owners = new Map<string, Taken>();

  constructor(statements: Pick<ReceiptStatements, 'room' | 'take'>, most: number) {
    this.#statements = statements;
    this.#most = most;
  }

  /** Whether there is none left for an owner. */
  isFull(owner: string): boolean {
    const { before, more } = this.#of(owner);
    return before + more >= this.#most;
  }

  take(owner: string, bytes: number): void {
    this.#of(owner).more += bytes;
  }

  /** To be called at the end of the transaction. */
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
