/** Looks up the holds of an account within a transaction. */
import { holdStatements } from '../../books/erasing/holds.ts';
import {
  type ActiveHold,
  type ActiveRow,
  type HeldPlace,
  heldBy,
  toActive,
} from '../../promises/erasing/holds.ts';
import type { Context } from '../context.ts';
import { prepare, type Statement } from '../statements/prepare.ts';

export class Holding {
  readonly #active: Statement<ActiveRow>;

  constructor({ connection }: Context) {
    this.#active = prepare(connection.database, holdStatements.active.sqlite);
  }

  /** The holds that last in the account of that unique identifier. */
  active(account: string): readonly ActiveHold[] {
    return this.#active.all(account).map(toActive);
  }

  /** The hold that covers a record; with `below`, also one of something that belongs to it. */
  over(record: HeldPlace, below = false): string | undefined {
    return heldBy(this.active(record.account), record, below);
  }
}
