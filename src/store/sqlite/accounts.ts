/** Accounts: the operator creates, renames, closes and empties them. */
import { ApiError } from '../../errors.ts';
import { stringify } from '../../schema/json/json.ts';
import { merge } from '../../schema/merge/merge.ts';
import type { JsonObject } from '../../schema/values.ts';
import type { AccountBook, EmptiedPiece, Told } from '../account-book.ts';
import { backwards } from '../change.ts';
import { emptied } from '../emptying.ts';
import { storedKeys } from '../indexed.ts';
import type { LogEntry } from '../log.ts';
import { parseDocument } from '../records.ts';
import type { Account, Becomes } from '../stored.ts';
import type { Context } from './context.ts';
import { Emptying, type EmptyingPlace, START } from './emptying.ts';
import type { Receipts } from './receipts.ts';
import { type AccountRow, accountStatements, BECOMES, POSITION } from './statements/accounts.ts';
import { Turn } from './turn.ts';

export class Accounts implements AccountBook {
  readonly #context: Context;
  readonly #emptying: Emptying;
  /** By account: where its emptying goes on. */
  readonly #emptied = new Map<string, EmptyingPlace>();
  readonly #statements: ReturnType<typeof accountStatements>;

  constructor(context: Context, receipts: Receipts) {
    this.#context = context;
    this.#emptying = new Emptying(context, receipts);
    this.#statements = accountStatements(context.connection.database, context.root);
  }

  async create({ name, livemode }: { name: string; livemode: boolean }): Promise<Account> {
    const { root, connection, identify, setAside, latestIn } = this.#context;
    const document = this.#named(undefined, name);
    return connection.write(() => {
      const number = setAside(1);
      const unique_identifier = identify(root.prefix, latestIn(root.resource));
      const turn = new Turn(this.#context);
      this.#statements.insert.run(
        number,
        unique_identifier,
        stringify(document),
        turn.positionIn(number),
        turn.now,
        livemode ? 1 : 0,
        ...storedKeys(root, document),
      );
      turn.log(number, this.#entry(unique_identifier, { outcome: 'created', version: 1 }));
      turn.end();
      return this.#account(unique_identifier);
    });
  }

  async list(): Promise<readonly Account[]> {
    return this.#context.connection.read(() => this.#statements.list.all().map(toAccount));
  }

  async rename(unique_identifier: string, name: string): Promise<Account | undefined> {
    const { root, keepsContent, table } = this.#context;
    return this.#change(unique_identifier, (row, turn) => {
      const [number, version, text] = row;
      const stored = parseDocument(text);
      const document = this.#named(stored, name);
      if (document === stored) return undefined;
      const after = stringify(document);
      table(root.resource).records.update.run(
        after,
        version + 1,
        turn.positionIn(number),
        turn.now,
        ...storedKeys(root, document),
        number,
      );
      return { content: keepsContent ? backwards(after, text) : null };
    });
  }

  async close(unique_identifier: string): Promise<Account | undefined> {
    return this.#setClosed(unique_identifier, true);
  }

  async reopen(unique_identifier: string): Promise<Account | undefined> {
    return this.#setClosed(unique_identifier, false);
  }

  wipe(unique_identifier: string, told?: Told) {
    return emptied(this, unique_identifier, false, told);
  }

  async beginEmptying(unique_identifier: string, isToGo: boolean): Promise<boolean> {
    const { connection, now } = this.#context;
    return connection.write(() => {
      const row = this.#statements.find.get(unique_identifier);
      if (row === undefined) return false;
      // Where it was begun before, something may have gone already.
      this.#emptied.set(unique_identifier, { ...START, ever: row[BECOMES] !== null });
      this.#statements.beginEmptying.run(row[0], now(), isToGo ? 1 : 0);
      return true;
    });
  }

  async emptySome(unique_identifier: string): Promise<EmptiedPiece> {
    const { connection } = this.#context;
    const { piece, next } = await connection.write(() => {
      const row = this.#statements.find.get(unique_identifier);
      const becomes = row?.[BECOMES] ?? null;
      if (row === undefined || becomes === null) {
        return { piece: { removed: new Map(), more: false }, next: undefined };
      }
      const [number] = row;
      const account = { number, unique_identifier, becomes };
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

  #endEmptying(row: AccountRow, becomes: Becomes, some: boolean): void {
    const [number, version, , unique_identifier] = row;
    if (becomes === 'gone') {
      this.#emptying.forget(number);
      return;
    }
    this.#statements.endEmptying.run(number);
    if (!some) return;
    const turn = new Turn(this.#context);
    const entry = { outcome: 'wiped', version, before: row[POSITION] } as const;
    turn.log(number, this.#entry(unique_identifier, entry));
    turn.end();
  }

  async #setClosed(unique_identifier: string, closed: boolean): Promise<Account | undefined> {
    return this.#change(unique_identifier, (row, turn) => {
      if ((toAccount(row).closed_at !== null) === closed || row[BECOMES] !== null) return undefined;
      const [number] = row;
      const time = turn.now;
      this.#statements.setClosed.run(closed ? time : null, turn.positionIn(number), time, number);
      return { content: null };
    });
  }

  /** The account as `change` leaves it, if there is one; `change` returns what the log is told. */
  #change(
    unique_identifier: string,
    change: (row: AccountRow, turn: Turn) => Pick<LogEntry, 'content'> | undefined,
  ): Promise<Account | undefined> {
    return this.#context.connection.write(() => {
      const row = this.#statements.find.get(unique_identifier);
      if (row === undefined) return undefined;
      const turn = new Turn(this.#context);
      const logged = change(row, turn);
      if (logged !== undefined) {
        const [number, version] = row;
        const before = row[POSITION];
        const updated = { outcome: 'updated', version: version + 1, before, ...logged } as const;
        turn.log(number, this.#entry(unique_identifier, updated));
        turn.end();
      }
      return this.#account(unique_identifier);
    });
  }

  #entry(
    unique_identifier: string,
    of: Pick<LogEntry, 'outcome' | 'version'> & Partial<LogEntry>,
  ): LogEntry {
    const { resource } = this.#context.root;
    return {
      resource,
      record: unique_identifier,
      anchor: null,
      before: 0,
      by: undefined,
      content: null,
      ...of,
    };
  }

  #account(unique_identifier: string): Account {
    const row = this.#statements.find.get(unique_identifier);
    if (row === undefined) throw new TypeError('An account that was just written is not there.');
    return toAccount(row);
  }

  #named(stored: JsonObject | undefined, name: string): JsonObject {
    const { document, faults } = merge(this.#context.root.document, stored, { name });
    if (faults !== undefined) throw new ApiError(faults);
    return document;
  }
}

function toAccount(row: AccountRow): Account {
  const [, , document, unique_identifier, livemode, inserted_at, updated_at, closed_at] = row;
  const becomes = row[BECOMES];
  return {
    unique_identifier,
    name: String(parseDocument(document).name),
    livemode: livemode === 1,
    inserted_at,
    updated_at,
    closed_at,
    ...(becomes === null ? {} : { becomes }),
  };
}
