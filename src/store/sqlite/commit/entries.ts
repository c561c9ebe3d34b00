/**
 * The log entries of a transaction, which takes the next position in each account that it changes. Every change of a
 * record goes through here.
 */
import { createWords } from '../../../core/schema/id.ts';
import type { LogEntry } from '../../promises/log.ts';
import type { Context } from '../context.ts';
import { FillingRow } from './change-rows.ts';

const word = createWords();
/** The token of 48 bits that, with its position, distinguishes a commit from every other. */
const newToken = (): number => (word() >>> 16) * 0x1_0000_0000 + word();

interface AccountEntries {
  readonly position: number;
  /** The number of changes that are in the log. */
  places: number;
  /** Changes that are not there yet. */
  row: FillingRow;
}

export type Entries = ReturnType<typeof createEntries>;

export function createEntries(context: Context) {
  const now = context.machine();
  const accounts = new Map<number, AccountEntries>();
  let token: number | undefined;

  function entriesIn(account: number): AccountEntries {
    return accounts.getOrInsertComputed(account, () => {
      return { position: context.beginCommit(account), places: 0, row: new FillingRow() };
    });
  }

  function append(account: number, within: AccountEntries): void {
    const { position, places, row } = within;
    token ??= newToken();
    context.changes.append.run(
      account,
      ...row.at({ position, place: places, token, occurred_at: now }),
    );
    within.places += row.count;
    within.row = new FillingRow();
  }

  return {
    /** When it is, by the clock of the machine. */
    now,
    /** The position of the commit in the account of that number, which it changes. */
    positionIn: (account: number): number => entriesIn(account).position,
    log(account: number, entry: LogEntry): void {
      const within = entriesIn(account);
      within.row.add(entry);
      if (within.row.full) append(account, within);
    },
    /** Called when everything is logged, before the transaction commits. */
    end(): void {
      for (const [account, within] of accounts) {
        if (within.row.count > 0) append(account, within);
      }
    },
  };
}
