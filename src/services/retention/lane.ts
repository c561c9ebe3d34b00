/** Gives accounts turns: a little of the work of each, so that none waits for all that another one has. */
import type { StoredRetentionRule } from '../../core/objects/records/retention-rule.ts';

/** Accounts that have turns at a time; the others follow as these come to their end. */
const AT_ONCE = 8;
/** Turns after which the next account that waits is looked for, while none comes to its end. */
const LOOKED_AFTER = 10;

/** Does a little, and returns whether that was all. */
export type Piece = () => Promise<boolean>;

export class Lane {
  readonly #next: (after: string) => Promise<StoredRetentionRule | undefined>;
  readonly #begin: (rule: StoredRetentionRule) => Promise<Piece>;
  /** By account, in the order of their turns. */
  readonly #doing = new Map<string, Piece>();
  /** The account that was found last. */
  #last = '';
  #turns = 0;

  /** `next` finds a rule of the first account after that one that has work. */
  constructor(
    next: (after: string) => Promise<StoredRetentionRule | undefined>,
    begin: (rule: StoredRetentionRule) => Promise<Piece>,
  ) {
    this.#next = next;
    this.#begin = begin;
  }

  get isIdle(): boolean {
    return this.#doing.size === 0;
  }

  /** Returns whether there may be more. What fails is begun again after the others. */
  async piece(): Promise<boolean> {
    const isTime = this.#doing.size === 0 || this.#turns <= 0;
    if (isTime && this.#doing.size < AT_ONCE) await this.#look();
    this.#turns -= 1;
    const [first] = this.#doing;
    if (first === undefined) return false;
    const [account, piece] = first;
    this.#doing.delete(account);
    if (await piece()) this.#turns = 0;
    else this.#doing.set(account, piece);
    return true;
  }

  /** Forgets what it does: another process goes on. */
  clear(): void {
    this.#doing.clear();
  }

  async #look(): Promise<void> {
    this.#turns = LOOKED_AFTER;
    for (let left = AT_ONCE; left > 0; left -= 1) {
      const before = this.#last;
      const rule = await this.#next(before);
      this.#last = rule?.account ?? '';
      if (rule === undefined && before === '') return;
      if (rule === undefined || this.#doing.has(rule.account)) continue;
      this.#doing.set(rule.account, await this.#begin(rule));
      return;
    }
  }
}
