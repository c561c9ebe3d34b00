/**
 * A turn: a transaction that takes the next position in each account that it changes, and logs its changes there. Every
 * change of a record goes through here.
 */
import { randomBytes } from 'node:crypto';
import type { LogEntry } from '../../promises/log.ts';
import type { Context } from '../context.ts';
import { FillingRow } from './change-rows.ts';

/** The bytes of the token that, with its position, distinguishes a commit from every other. */
const TOKEN_BYTES = 6;

interface AccountTurn {
  readonly position: number;
  /** The number of changes that are in the log. */
  places: number;
  /** Changes that are not there yet. */
  row: FillingRow;
}

export class Turn {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly #context: Context;
  readonly #accounts = new Map<number, AccountTurn>();
  #drawn: number | undefined;

  constructor(context: Context) {
    this.now = context.now();
    this.#context = context;
  }

  /** The position of the commit in the account of that number, which it changes. */
  positionIn(account: number): number {
    return this.#turnIn(account).position;
  }

  log(account: number, entry: LogEntry): void {
    const within = this.#turnIn(account);
    within.row.add(entry);
    if (within.row.full) this.#append(account, within);
  }

  /** Called when everything is logged, before the transaction commits. */
  end(): void {
    for (const [account, within] of this.#accounts) {
      if (within.row.count > 0) this.#append(account, within);
    }
  }

  #append(account: number, within: AccountTurn): void {
    const { position, places, row } = within;
    const { append } = this.#context.changes;
    const mark = { position, place: places, token: this.#token, occurred_at: this.now };
    append.run(account, ...row.at(mark));
    within.places += row.count;
    within.row = new FillingRow();
  }

  /** The token of the commit. */
  get #token(): number {
    this.#drawn ??= randomBytes(TOKEN_BYTES).readUIntBE(0, TOKEN_BYTES);
    return this.#drawn;
  }

  #turnIn(account: number): AccountTurn {
    let within = this.#accounts.get(account);
    if (within === undefined) {
      within = { position: this.#context.beginCommit(account), places: 0, row: new FillingRow() };
      this.#accounts.set(account, within);
    }
    return within;
  }
}
