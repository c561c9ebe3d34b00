/** Verifies the log of changes against its seals: whether anything of it was changed, removed, added or moved. */
import type { AccountBook } from '../../store/promises/account-book.ts';
import type { AuditEntry } from '../../store/promises/audit/book.ts';
import { type ChangeLog, type ChangeReference, EXPIRED, keptMs } from '../../store/promises/log.ts';
import { faultIn, isAfter, type LogFault, type LogSeal, MAX_SEALED, readSeal } from './log-seal.ts';

/** How often a seal is checked again that does not match: old changes may be removed meanwhile. */
const TRIES = 3;
/** The command by which an account goes, with its log. */
const REMOVE = 'accounts remove';

export interface LogVerifying {
  readonly accounts: Pick<AccountBook, 'list'>;
  readonly log: Pick<ChangeLog, 'references'>;
  /** How long changes are stored; older ones may have been removed. */
  readonly historyDays: number;
  readonly now: number;
}

export interface AccountLogFault extends LogFault {
  readonly account: string;
}

export class LogVerifier {
  readonly #parts: LogVerifying;
  readonly #faults = new Map<string, AccountLogFault>();
  /** Accounts that are not there, each with the first change that was sealed. */
  readonly #gone = new Map<string, LogSeal>();
  readonly #removed = new Set<string>();
  #accounts: Promise<ReadonlyMap<string, boolean>> | undefined;
  #changes = 0;

  constructor(parts: LogVerifying) {
    this.#parts = parts;
  }

  /** How many sealed changes were compared. */
  get changes(): number {
    return this.#changes;
  }

  /** Takes an entry of the audit, in any order. */
  async check(entry: AuditEntry): Promise<void> {
    const { action, what, account, record } = entry;
    if (action === 'command' && what === REMOVE && account !== null) this.#removed.add(account);
    const seal = action === 'seal' ? readSeal(entry.seal) : undefined;
    if (seal === undefined || record === null) return;
    const isThere = (await this.#standing()).get(record);
    if (isThere === undefined) this.#gone.set(record, this.#gone.get(record) ?? seal);
    if (isThere !== true) return;
    const fault = await this.#faultIn(record, seal);
    const known = this.#faults.get(record);
    if (fault !== undefined && (known === undefined || isAfter(known, fault)))
      this.#faults.set(record, { account: record, ...fault });
  }

  /** The first fault of each account. */
  faults(): readonly AccountLogFault[] {
    const gone = [...this.#gone].filter(([account]) => !this.#removed.has(account));
    return [
      ...this.#faults.values(),
      ...gone.map(
        ([
          account,
          {
            first: { position, place },
          },
        ]) => ({
          ...{ account, position, place },
          says: 'is missing with its account, and the audit has no command that removed that',
        }),
      ),
    ];
  }

  /** Whether each account stays. */
  #standing(): Promise<ReadonlyMap<string, boolean>> {
    this.#accounts ??= this.#parts.accounts
      .list()
      .then((all) => new Map(all.map((one) => [one.unique_identifier, one.becomes !== 'gone'])));
    return this.#accounts;
  }

  async #faultIn(account: string, seal: LogSeal): Promise<LogFault | undefined> {
    let fault: LogFault | undefined;
    for (let tried = 0; tried < TRIES; tried += 1) {
      const stored = await this.#storedOf(account, seal);
      this.#changes += tried === 0 ? stored.length : 0;
      fault = faultIn(seal, stored, false);
      if (fault === undefined) return undefined;
      const begins = await this.#beginning(account);
      if (begins === undefined || !isAfter(begins, seal.first)) continue;
      // Those before the first that is stored: old enough, the sweep has removed them.
      fault = this.#isGone(seal, begins, stored) ?? faultIn(seal, stored, true);
      if (fault === undefined) return undefined;
    }
    return fault;
  }

  #isGone(
    { first, last }: LogSeal,
    begins: ChangeReference,
    stored: readonly ChangeReference[],
  ): LogFault | undefined {
    const youngest = stored.length > 0 ? first : last;
    const { historyDays, now } = this.#parts;
    if (youngest.occurred_at < now - keptMs(historyDays)) return undefined;
    const { position, place } = first;
    return {
      ...{ position, place },
      says: `is missing, as is all before position ${begins.position}: HISTORY_DAYS does not remove it yet`,
    };
  }

  /** What the log has of what was sealed, and what was added there. */
  async #storedOf(account: string, { first, last }: LogSeal): Promise<readonly ChangeReference[]> {
    const after = { position: first.position, place: first.place - 1 };
    // One more shows that something was added.
    const found = await this.#parts.log.references({ account, after, limit: MAX_SEALED + 1 });
    return found.filter((one) => !isAfter(one, last) && one.outcome !== EXPIRED.outcome);
  }

  /** The first change that is stored; of an account without any but an expired one, what would follow that. */
  async #beginning(account: string): Promise<ChangeReference | undefined> {
    const found = await this.#parts.log.references({ account, limit: 2 });
    const [first, next] = found;
    if (first === undefined || first.outcome !== EXPIRED.outcome) return first;
    return next ?? { ...first, place: first.place + 1 };
  }
}
