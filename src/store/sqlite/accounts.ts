/** The accounts: made, named, closed and emptied by the operator. */
import { ApiError } from '../../errors.ts';
import { stringify } from '../../schema/json/json.ts';
import { merge } from '../../schema/merge/merge.ts';
import type { JsonObject } from '../../schema/values.ts';
import { storedKeys } from '../indexed.ts';
import { parseDocument } from '../records.ts';
import type { Account, AccountBook } from '../store.ts';
import type { Context } from './context.ts';
import type { Receipts } from './receipts.ts';
import { type AccountRow, accountStatements } from './statements/accounts.ts';

export class Accounts implements AccountBook {
  readonly #context: Context;
  readonly #receipts: Receipts;
  readonly #statements: ReturnType<typeof accountStatements>;

  constructor(context: Context, receipts: Receipts) {
    this.#context = context;
    this.#receipts = receipts;
    this.#statements = accountStatements(context.connection.database, context.root);
  }

  async create({ name, livemode }: { name: string; livemode: boolean }): Promise<Account> {
    const { root, connection, identify, beginCommit, setAside, latestIn, now } = this.#context;
    const document = this.#named(undefined, name);
    return connection.write(() => {
      const number = setAside(1);
      const unique_identifier = identify(root.prefix, latestIn(root.resource));
      this.#statements.insert.run(
        number,
        unique_identifier,
        stringify(document),
        beginCommit(number),
        now(),
        livemode ? 1 : 0,
        ...storedKeys(root, document),
      );
      return this.#account(unique_identifier);
    });
  }

  async list(): Promise<readonly Account[]> {
    return this.#context.connection.read(() => this.#statements.list.all().map(toAccount));
  }

  async rename(unique_identifier: string, name: string): Promise<Account | undefined> {
    const { root, beginCommit, now, table } = this.#context;
    return this.#change(unique_identifier, (_account, [number, version, text]) => {
      const stored = parseDocument(text);
      const document = this.#named(stored, name);
      if (document === stored) return;
      table(root.resource).records.update.run(
        stringify(document),
        version + 1,
        beginCommit(number),
        now(),
        ...storedKeys(root, document),
        number,
      );
    });
  }

  async close(unique_identifier: string): Promise<Account | undefined> {
    const { beginCommit, now } = this.#context;
    return this.#change(unique_identifier, ({ closed_at }, [number]) => {
      if (closed_at !== null) return;
      const time = now();
      this.#statements.setClosed.run(time, beginCommit(number), time, number);
    });
  }

  async reopen(unique_identifier: string): Promise<Account | undefined> {
    const { beginCommit, now } = this.#context;
    return this.#change(unique_identifier, ({ closed_at }, [number]) => {
      if (closed_at === null) return;
      this.#statements.setClosed.run(null, beginCommit(number), now(), number);
    });
  }

  async wipe(unique_identifier: string) {
    const { connection, beginCommit, tables } = this.#context;
    const wiped = await connection.write(() => {
      const [number] = this.#statements.find.get(unique_identifier) ?? [];
      if (number === undefined) return undefined;
      const removed = new Map<string, number>();
      for (const [resource, { drafts }] of tables) {
        if (drafts === undefined) continue;
        drafts.forgetWiped.run(number);
        removed.set(resource, Number(drafts.wipe.run(number).changes));
      }
      this.#receipts.wipe(number);
      if ([...removed.values()].some((count) => count > 0)) beginCommit(number);
      return { removed };
    });
    connection.noteRemoved();
    return wiped;
  }

  /** The account after `change` has had it, if there is such an account. */
  #change(
    unique_identifier: string,
    change: (account: Account, row: AccountRow) => void,
  ): Promise<Account | undefined> {
    return this.#context.connection.write(() => {
      const row = this.#statements.find.get(unique_identifier);
      if (row === undefined) return undefined;
      change(toAccount(row), row);
      return this.#account(unique_identifier);
    });
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
  return {
    unique_identifier,
    name: String(parseDocument(document).name),
    livemode: livemode === 1,
    inserted_at,
    updated_at,
    closed_at,
  };
}
