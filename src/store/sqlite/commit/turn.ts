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

export type Turn = ReturnType<typeof createTurn>;

export function createTurn(context: Context) {
  const now = context.now();
  const accounts = new Map<number, AccountTurn>();
  let token: number | undefined;

  function turnIn(account: number): AccountTurn {
    return accounts.getOrInsertComputed(account, () => {
      return { position: context.beginCommit(account), places: 0, row: new FillingRow() };
    });
  }

  function append(account: number, within: AccountTurn): void {
    const { position, places, row } = within;
    token ??= randomBytes(TOKEN_BYTES).readUIntBE(0, TOKEN_BYTES);
    context.changes.append.run(
      account,
      ...row.at({ position, place: places, token, occurred_at: now }),
    );
    within.places += row.count;
    within.row = new FillingRow();
  }

  return {
    /** Milliseconds since 1970. */
    now,
    /** The position of the commit in the account of that number, which it changes. */
    positionIn: (account: number): number => turnIn(account).position,
    log(account: number, entry: LogEntry): void {
      const within = turnIn(account);
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
