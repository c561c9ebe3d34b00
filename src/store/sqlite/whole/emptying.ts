/** Removes the content of an account, for some milliseconds at a time. Each time it looks for what is left. */
import { tablesOfAccount } from '../../of-account.ts';
import type { EmptyingStep } from '../../promises/account-book.ts';
import type { Becomes } from '../../promises/stored.ts';
import type { Receipts } from '../commit/receipts.ts';
import type { Context } from '../context.ts';
import { prepare, type Statement } from '../statements/prepare.ts';

/** How long one transaction may take: little more than a commit of drafts. */
const PIECE_MS = 10;
/** Rows between two looks at the clock. */
const AT_ONCE = 25;
/** Receipts are passed by account after account, and most belong to others. */
const RECEIPTS_AT_ONCE = 500;

interface EmptiedAccount {
  readonly number: number;
  readonly unique_identifier: string;
  readonly becomes: Becomes;
}

/** The position at which to continue: a step, and the last number in it. */
export interface EmptyingPlace {
  readonly step: number;
  readonly after: number;
  /** Whether this round, or any round, has removed something. */
  readonly some: boolean;
  readonly ever: boolean;
}

export const START: EmptyingPlace = { step: 0, after: -1, some: false, ever: false };

/** The result of one step: how many rows went, and after which number to go on; `undefined` at its end. */
interface Done {
  readonly rows: number;
  readonly resource?: string;
  readonly after: number | undefined;
}

type Step = (account: EmptiedAccount, after: number) => Done;

export class Emptying {
  readonly #context: Context;
  readonly #receipts: Receipts;
  readonly #kept: readonly Step[];
  readonly #gone: readonly Step[];

  constructor(context: Context, receipts: Receipts) {
    this.#context = context;
    this.#receipts = receipts;
    const { connection, tables } = context;
    const rows = (table: string, key: string, where: string) => {
      const some = `SELECT ${key} FROM ${table} WHERE ${where} LIMIT ${AT_ONCE}`;
      const sql = `DELETE FROM ${table} WHERE (${key}) IN (${some})`;
      let statement: Statement | undefined;
      return (value: string | number): Done => {
        statement ??= prepare(connection.database, sql);
        const count = Number(statement.run(value).changes);
        return { rows: count, after: count < AT_ONCE ? undefined : 0 };
      };
    };
    const changes = rows('change', 'account, position, place', 'account = ?');
    const gone = rows('gone', 'account, record', 'account = ?');
    const own = (becomes: Becomes): readonly Step[] =>
      tablesOfAccount(becomes).map(({ table, key, where }) => {
        const some = rows(table, key.join(', '), where.replaceAll('$1', '?1'));
        return ({ unique_identifier }) => some(unique_identifier);
      });
    const shared: readonly Step[] = [
      ({ number }) => gone(number),
      ({ number }, after) => {
        const last = this.#receipts.wipe(number, after, RECEIPTS_AT_ONCE);
        return { rows: 0, after: last };
      },
      ...[...tables].reverse().flatMap(([resource, { drafts }]): readonly Step[] =>
        drafts === undefined
          ? []
          : [
              ({ number }) => {
                const found = drafts.some.all(number, AT_ONCE).map(([one]) => one);
                const these = JSON.stringify(found);
                drafts.forgetSome.run(these);
                drafts.removeSome.run(these);
                const after = found.length < AT_ONCE ? undefined : 0;
                return { rows: found.length, resource, after };
              },
            ],
      ),
    ];
    this.#kept = [
      ({ number }, after) => this.#forgetContent(number, after),
      ...shared,
      ...own('open'),
      (account) => this.#forgetRejected(account),
    ];
    this.#gone = [
      ({ number }) => changes(number),
      ...shared,
      (account) => this.#forgetRejected(account),
      ...own('gone'),
    ];
  }

  /**
   * Called within a transaction. Ends after a round that found nothing, because commits in flight may have written
   * while the account was being closed.
   */
  some(
    account: EmptiedAccount,
    place: EmptyingPlace = START,
  ): { readonly piece: EmptyingStep; readonly next: EmptyingPlace } {
    const steps = account.becomes === 'gone' ? this.#gone : this.#kept;
    const removed = new Map<string, number>();
    for (const [resource, { drafts }] of this.#context.tables) {
      if (drafts !== undefined) removed.set(resource, 0);
    }
    const until = performance.now() + PIECE_MS;
    let next = place;
    do {
      const step = steps[next.step];
      if (step === undefined) {
        if (!next.some) return { piece: { removed, more: false }, next };
        next = { ...START, ever: next.ever };
        continue;
      }
      const { rows, resource, after } = step(account, next.after);
      if (resource !== undefined) removed.set(resource, (removed.get(resource) ?? 0) + rows);
      next = {
        step: after === undefined ? next.step + 1 : next.step,
        after: after ?? START.after,
        some: next.some || rows > 0,
        ever: next.ever || (rows > 0 && resource !== undefined),
      };
    } while (performance.now() < until);
    return { piece: { removed, more: true }, next };
  }

  /** Removes the account itself, last. Called within a transaction. */
  forget(number: number): void {
    const { database } = this.#context.connection;
    prepare(database, 'DELETE FROM counter WHERE account = ?').run(number);
    prepare(database, 'DELETE FROM account WHERE number = ?').run(number);
  }

  /** Reduces the log to marks, commit by commit. */
  #forgetContent(number: number, after: number): Done {
    const { database } = this.#context.connection;
    const find = 'SELECT position FROM change WHERE account = ? AND position > ? ORDER BY position';
    const [last] = prepare<readonly [number]>(database, `${find} LIMIT 1 OFFSET ${AT_ONCE}`).get(
      number,
      after,
    ) ?? [undefined];
    const upto = last ?? Number.MAX_SAFE_INTEGER;
    this.#context.changes.forgetContent.run(number, after, upto);
    return { rows: 0, after: last };
  }

  /** Rejected rows of imports into the account; if it becomes `gone`, also the imports into it alone. */
  #forgetRejected({ unique_identifier, becomes }: EmptiedAccount): Done {
    const { database } = this.#context.connection;
    const into = `EXISTS (SELECT 1 FROM json_each(accounts) WHERE value = ?)`;
    const rejected = `SELECT unique_identifier FROM import_run WHERE rejected IS NOT NULL AND ${into} LIMIT 1`;
    const forget = `UPDATE import_run SET rejected = NULL WHERE unique_identifier IN (${rejected})`;
    let rows = Number(prepare(database, forget).run(unique_identifier).changes);
    if (rows === 0 && becomes === 'gone') {
      const own = `SELECT unique_identifier FROM import_run WHERE json_array_length(accounts) = 1 AND ${into} LIMIT ${AT_ONCE}`;
      const remove = `DELETE FROM import_run WHERE unique_identifier IN (${own})`;
      rows = Number(prepare(database, remove).run(unique_identifier).changes);
    }
    return { rows, after: rows === 0 ? undefined : 0 };
  }
}
