/**
 * A turn: a transaction that numbers what it commits in each account that it
 * changes, and logs it there. Whatever changes a record goes through here.
 */
import { randomBytes } from 'node:crypto';
import type { LogEntry } from '../log.ts';
import type { Context } from './context.ts';

/** Of the token that tells a commit from every other with its position. */
const TOKEN_BYTES = 6;

interface InAccount {
  readonly position: number;
  /** How many changes are logged. */
  places: number;
}

/** What every statement that logs takes, by the names of its parameters. */
export interface Logging {
  readonly [name: string]: number | string | null;
  readonly position: number;
  /** Of the first change that is logged. */
  readonly place: number;
  readonly token: number;
  /** Who changes it. */
  readonly by: string | null;
  readonly now: number;
  /** 1 where the log keeps content, else 0. */
  readonly keeps: number;
}

export class Turn {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly #context: Context;
  readonly #accounts = new Map<number, InAccount>();
  #token: number | undefined;

  constructor(context: Context) {
    this.now = context.now();
    this.#context = context;
  }

  /** The position of the commit in the account of that number, which it changes. */
  positionIn(account: number): number {
    return this.#in(account).position;
  }

  log(account: number, entry: LogEntry): void {
    const within = this.#in(account);
    this.#context.changes.append.run(
      account,
      within.position,
      within.places++,
      this.token,
      entry.resource,
      entry.record,
      entry.anchor,
      entry.outcome,
      entry.version,
      entry.before,
      entry.by ?? null,
      this.now,
      entry.content,
    );
  }

  /** For a statement that logs up to `count` changes by itself. */
  logging(account: number, by: string | null, count: number): Logging {
    const within = this.#in(account);
    const place = within.places;
    within.places += count;
    return {
      position: within.position,
      place,
      token: this.token,
      by,
      now: this.now,
      keeps: this.#context.keepsContent ? 1 : 0,
    };
  }

  get token(): number {
    this.#token ??= randomBytes(TOKEN_BYTES).readUIntBE(0, TOKEN_BYTES);
    return this.#token;
  }

  #in(account: number): InAccount {
    let within = this.#accounts.get(account);
    if (within === undefined) {
      within = { position: this.#context.beginCommit(account), places: 0 };
      this.#accounts.set(account, within);
    }
    return within;
  }
}
