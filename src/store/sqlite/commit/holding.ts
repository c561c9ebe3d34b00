/** Holds, as they are asked for within a transaction, and what they keep of the log when it grows old. */
import { holdStatements } from '../../books/erasing/holds.ts';
import { quoteName, tableName } from '../../names.ts';
import {
  type ActiveHold,
  type ActiveRow,
  type HeldPlace,
  heldBy,
  toActive,
} from '../../promises/erasing/holds.ts';
import type { LoggedChange } from '../../promises/log.ts';
import type { Context } from '../context.ts';
import { prepare, type Statement } from '../statements/prepare.ts';

/** What the holds of an account keep, and how far the rest of its log was emptied. */
export interface HeldLog {
  /** The holds that this is made of. */
  readonly of: string;
  readonly keeps: (change: Pick<LoggedChange, 'record' | 'resource' | 'anchor'>) => boolean;
  readonly mark: readonly [position: number, place: number];
}

type ParentOf = Statement<readonly [parent: number]>;

export class Holding {
  readonly #active: Statement<ActiveRow>;
  readonly #account: Statement<readonly [unique_identifier: string]>;
  readonly #gone: Statement<readonly [number: number, parent: number]>;
  readonly #records = new Map<string, { readonly parent: ParentOf; readonly number: ParentOf }>();
  /** By the number of the account. */
  readonly #logs = new Map<number, HeldLog>();

  constructor(context: Context) {
    const { database } = context.connection;
    this.#active = prepare(database, holdStatements.active.sqlite);
    this.#account = prepare(database, 'SELECT unique_identifier FROM account WHERE number = ?');
    this.#gone = prepare(
      database,
      'SELECT number, parent FROM gone WHERE account = ? AND record = ?',
    );
    for (const { shape, parents } of context.tables.values()) {
      if (parents === undefined) continue;
      const of = (column: string): ParentOf =>
        prepare(
          database,
          `SELECT ${column} FROM ${quoteName(tableName(shape))}
           WHERE account = ? AND unique_identifier = ?`,
        );
      this.#records.set(shape.resource, { parent: of('parent'), number: of('number') });
    }
  }

  /** Those of the account of that unique identifier. */
  active(account: string): readonly ActiveHold[] {
    return this.#active.all(account).map(toActive);
  }

  /** The hold that covers a record; with `below`, also one of something that belongs to it. */
  over(record: HeldPlace, below = false): string | undefined {
    return heldBy(this.active(record.account), record, below);
  }

  /** What is kept in the account of that number, also of removed records; `undefined` where nothing is held. */
  log(number: number): HeldLog | undefined {
    const [account] = this.#account.get(number) ?? [];
    const holds = account === undefined ? [] : this.active(account);
    if (account === undefined || holds.length === 0) {
      this.#logs.delete(number);
      return undefined;
    }
    const of = holds.map(({ unique_identifier }) => unique_identifier).join();
    const known = this.#logs.get(number);
    if (known?.of === of) return known;
    const keeps = this.#keeps(number, account, holds);
    const made: HeldLog = { of, keeps, mark: [0, 0] };
    this.#logs.set(number, made);
    return made;
  }

  /** The log of the account is emptied up to there. */
  emptied(number: number, log: HeldLog): void {
    this.#logs.set(number, log);
  }

  #keeps(number: number, account: string, holds: readonly ActiveHold[]): HeldLog['keeps'] {
    const held = new Set(holds.map(({ record }) => record));
    const numbers = new Set(holds.flatMap(({ record }) => this.#numberOf(number, record) ?? []));
    return ({ record, resource, anchor }) => {
      if (held.has(account) || held.has(record) || held.has(anchor ?? '')) return true;
      const parent =
        this.#records.get(resource)?.parent.get(number, record)?.[0] ??
        this.#gone.get(number, record)?.[1];
      return parent !== undefined && numbers.has(parent);
    };
  }

  /** Also of a removed record. */
  #numberOf(account: number, record: string): number | undefined {
    for (const { number } of this.#records.values()) {
      const found = number.get(account, record);
      if (found !== undefined) return found[0];
    }
    return this.#gone.get(account, record)?.[0];
  }
}
