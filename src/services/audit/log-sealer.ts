/** Seals the log of changes, account by account: each seal is an entry of the audit. */

import type { AccountBook } from '../../store/promises/account-book.ts';
import type { AuditBook, AuditEntry } from '../../store/promises/audit/book.ts';
import { type ChangeLog, type ChangeReference, EXPIRED } from '../../store/promises/log.ts';
import { type ChainParts, nextOf } from './chain.ts';
import { isAfter, MAX_SEALED, readSeal, sealOf } from './log-seal.ts';

/** The chain that the processes of a day share for seals. */
const SEALS = 'seals';
const MINUTE_MS = 60_000;
/** Seals of a minute at the most: with more accounts that change, each is sealed less often. */
const EACH_MINUTE = 100;
/** Accounts that are looked at in one piece. */
const LOOKED_AT_ONCE = 100;

export interface LogSealerParts extends Omit<ChainParts, 'book'> {
  readonly book: ChainParts['book'] & Pick<AuditBook, 'lastSeal'>;
  readonly accounts: Pick<AccountBook, 'list'>;
  readonly log: Pick<ChangeLog, 'positions' | 'references'>;
}

type Place = Pick<ChangeReference, 'position' | 'place'>;

export class LogSealer {
  readonly #parts: LogSealerParts;
  /** By account, the last change that this process has sealed, and the position at which nothing was left to seal. */
  readonly #known = new Map<string, { readonly last: Place | undefined; readonly at?: number }>();
  /** Accounts to look at in this minute. */
  #looking: string[] = [];
  /** Accounts with changes to seal. */
  #changed: string[] = [];
  #minute = Number.NEGATIVE_INFINITY;
  #left = 0;

  constructor(parts: LogSealerParts) {
    this.#parts = parts;
  }

  /** A piece of the work; returns whether there may be more to do in this minute. */
  async seal(): Promise<boolean> {
    const at = this.#parts.now();
    if (Math.abs(at - this.#minute) >= MINUTE_MS) {
      this.#minute = at;
      this.#left = EACH_MINUTE;
      if (this.#looking.length === 0 && this.#changed.length === 0) await this.#begin();
    }
    if (this.#looking.length > 0) await this.#look();
    const account = this.#left > 0 ? this.#changed.shift() : undefined;
    if (account !== undefined) {
      this.#left -= 1;
      // Another account is next, so that none waits for a busy one.
      if (await this.#sealSome(account)) this.#changed.push(account);
    }
    return this.#looking.length > 0 || (this.#left > 0 && this.#changed.length > 0);
  }

  async #begin(): Promise<void> {
    const accounts = (await this.#parts.accounts.list()).filter(
      ({ becomes }) => becomes !== 'gone',
    );
    this.#looking = accounts.map(({ unique_identifier }) => unique_identifier);
    const known = new Set(this.#looking);
    for (const one of this.#known.keys()) if (!known.has(one)) this.#known.delete(one);
  }

  async #look(): Promise<void> {
    const some = this.#looking.splice(0, LOOKED_AT_ONCE);
    for (const [account, position] of await this.#parts.log.positions(some))
      if (this.#known.get(account)?.at !== position) this.#changed.push(account);
  }

  /** Returns whether there may be more. */
  async #sealSome(account: string): Promise<boolean> {
    const { book, log, now } = this.#parts;
    const position = (await log.positions([account])).get(account) ?? 0;
    // Taken first: another process that seals meanwhile has taken the place in the chain.
    const add = await nextOf(this.#parts, SEALS);
    const after = this.#after(account, position, await book.lastSeal(account));
    const changes = await log.references({ account, after, limit: MAX_SEALED });
    const fresh = changes.filter(({ outcome }) => outcome !== EXPIRED.outcome);
    const last = fresh.at(-1);
    if (last === undefined) {
      this.#known.set(account, { last: after, at: position });
      return false;
    }
    const facts = { record: account, count: fresh.length, seal: sealOf(fresh) };
    if (!(await add([{ ...facts, action: 'seal', time: now() }]))) return true;
    const more = changes.length === MAX_SEALED;
    this.#known.set(account, { last, ...(more ? {} : { at: position }) });
    return more;
  }

  /** The later of what this process and all have sealed: after a clock was put back, the last seal is not the newest. */
  #after(account: string, position: number, before: AuditEntry | undefined): Place | undefined {
    const sealed = readSeal(before?.seal ?? null)?.last;
    const known = this.#known.get(account)?.last;
    // A store that was set back beneath this process has less than it knows.
    if (known === undefined || known.position > position) return sealed;
    return sealed === undefined || isAfter(known, sealed) ? known : sealed;
  }
}
