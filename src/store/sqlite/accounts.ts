/** Accounts: the operator creates, renames, closes and empties them. */

import {
  type AccountChange,
  type AccountTables,
  accountEntry,
  BECOMES,
  changedAccount,
  newAccount,
  POSITION,
  toAccount,
  VERSION,
} from '../books/accounts.ts';
import type { EmptyingStep } from '../promises/account-book.ts';
import { recordHeld } from '../promises/refusals.ts';
import type { Account, Becomes } from '../promises/stored.ts';
import type { Keeping } from './commit/keeping.ts';
import type { Receipts } from './commit/receipts.ts';
import { Turn } from './commit/turn.ts';
import type { Context } from './context.ts';
import { accountStatements, type NumberedAccount } from './statements/accounts.ts';
import { Emptying, type EmptyingPlace, START } from './whole/emptying.ts';

export class Accounts implements AccountTables {
  readonly #context: Context;
  readonly #emptying: Emptying;
  readonly #keeping: Keeping;
  /** By account: where its emptying goes on. */
  readonly #emptied = new Map<string, EmptyingPlace>();
  readonly #statements: ReturnType<typeof accountStatements>;

  constructor(context: Context, receipts: Receipts, keeping: Keeping) {
    this.#context = context;
    this.#keeping = keeping;
    this.#emptying = new Emptying(context, receipts);
    this.#statements = accountStatements(context.connection.database, context.root);
  }

  async create({ name, livemode }: { name: string; livemode: boolean }): Promise<Account> {
    const { root, connection, identify, setAside, latestIn } = this.#context;
    const { after, keys } = newAccount(root, name);
    return connection.write(() => {
      const number = setAside(1);
      const unique_identifier = identify(root.prefix, latestIn(root.resource));
      const turn = new Turn(this.#context);
      const position = turn.positionIn(number);
      const flag = livemode ? 1 : 0;
      const { insert } = this.#statements;
      insert.run(number, unique_identifier, after, position, turn.now, flag, ...keys);
      turn.log(number, accountEntry(root, unique_identifier, { outcome: 'created', version: 1 }));
      turn.end();
      return toAccount(this.#statements.find.get(unique_identifier));
    });
  }

  async list(): Promise<readonly Account[]> {
    return this.#context.connection.read(() => this.#statements.list.all().map(toAccount));
  }

  /** The account as the change leaves it, if there is one. */
  async change(unique_identifier: string, change: AccountChange): Promise<Account | undefined> {
    const { connection, root, keepsContent } = this.#context;
    return connection.write(() => {
      const { find, update } = this.#statements;
      const row = find.get(unique_identifier);
      if (row === undefined) return undefined;
      const turn = new Turn(this.#context);
      const changed = changedAccount(root, row, change, { now: turn.now, keepsContent });
      if (changed === undefined) return toAccount(row);
      const { after, keys, closed_at, content } = changed;
      const [number, version, before] = [numberOf(row), row[VERSION] + 1, row[POSITION]];
      update.run(number, turn.positionIn(number), after, closed_at, turn.now, ...keys);
      const logged = { outcome: 'updated', version, before, content } as const;
      turn.log(number, accountEntry(root, unique_identifier, logged));
      turn.end();
      return toAccount(find.get(unique_identifier));
    });
  }

  async beginEmptying(unique_identifier: string, isToGo: boolean): Promise<boolean> {
    const { connection, now } = this.#context;
    return connection.write(() => {
      const row = this.#statements.find.get(unique_identifier);
      if (row === undefined) return false;
      const by = this.#keeping.ofAccount(unique_identifier, numberOf(row));
      if (by !== undefined) throw recordHeld(by, 'account');
      // Where it was begun before, something may have gone already.
      this.#emptied.set(unique_identifier, { ...START, ever: row[BECOMES] !== null });
      this.#statements.beginEmptying.run(numberOf(row), now(), isToGo ? 1 : 0);
      return true;
    });
  }

  async emptySome(unique_identifier: string): Promise<EmptyingStep> {
    const { connection } = this.#context;
    const { piece, next } = await connection.write(() => {
      const row = this.#statements.find.get(unique_identifier);
      const becomes = row?.[BECOMES] ?? null;
      if (row === undefined || becomes === null) {
        return { piece: { removed: new Map(), more: false }, next: undefined };
      }
      const account = { number: numberOf(row), unique_identifier, becomes };
      const done = this.#emptying.some(account, this.#emptied.get(unique_identifier));
      if (!done.piece.more) this.#endEmptying(row, becomes, done.next.ever);
      return done;
    });
    // Where it is to go on is what was committed, and no more.
    if (piece.more && next !== undefined) this.#emptied.set(unique_identifier, next);
    else this.#emptied.delete(unique_identifier);
    connection.noteRemoved();
    return piece;
  }

  #endEmptying(row: NumberedAccount, becomes: Becomes, some: boolean): void {
    const number = numberOf(row);
    if (becomes === 'gone') {
      this.#emptying.forget(number);
      return;
    }
    this.#statements.endEmptying.run(number);
    if (!some) return;
    const turn = new Turn(this.#context);
    const [unique_identifier, version, before] = [row[0], row[VERSION], row[POSITION]];
    const logged = { outcome: 'wiped', version, before } as const;
    turn.log(number, accountEntry(this.#context.root, unique_identifier, logged));
    turn.end();
  }
}

function numberOf(row: NumberedAccount): number {
  return row[9];
}
