/** Finds API keys by the hash of their secret, and which of their accounts are open: two prepared statements for each request. */
import { DIALECTS } from '../books/dialects.ts';
import type { KeyFinder } from '../books/keys.ts';
import { judgeKey, type KeyRow, toKey } from '../books/rows/key-rows.ts';
import { keyColumns, keyStatements } from '../books/sql/key-sql.ts';
import type { KeyLookup } from '../promises/keys.ts';
import { statementOf } from './book-rows.ts';
import type { Context } from './context.ts';
import { maybeOpen } from './schema/distribution.ts';
import { prepared } from './statements/prepare.ts';
import { isOutOfReach } from './wire/failure.ts';
import { type Call, call, type Session } from './wire/session.ts';
import { bytes, textArray } from './wire/values.ts';

export const keyFinding = {
  /** Of hash $1. */
  withHash: prepared<KeyRow>(
    `SELECT ${keyColumns(DIALECTS.postgres)} FROM api_key WHERE hash = $1`,
  ),
  one: statementOf<KeyRow>(keyStatements.one),
  /** Account $1, if it is open. */
  open: prepared<readonly [account: string]>(
    'SELECT account FROM account WHERE account = $1 AND closed_at IS NULL',
  ),
  /** Those of accounts $1 that are open. */
  openAmong: prepared<readonly [account: string]>(
    'SELECT account FROM account WHERE account = ANY ($1::text[]) AND closed_at IS NULL',
  ),
};

/** Queried for an unknown key, so that it takes as long as a known one. */
const NONE = ['no account'];

export class KeyFinding implements KeyFinder {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  authenticate(hash: Uint8Array): Promise<KeyLookup> {
    return this.#judge(call(keyFinding.withHash, bytes(hash)));
  }

  find(unique_identifier: string): Promise<KeyLookup> {
    return this.#judge(call(keyFinding.one, unique_identifier));
  }

  #judge(wanted: Call<KeyRow>): Promise<KeyLookup> {
    const { placements, now } = this.#context;
    return placements.anywhere(async (session) => {
      const [row] = await session.rows(wanted);
      const key = row === undefined ? undefined : toKey(row);
      const accounts = key?.accounts ?? NONE;
      const open = await openOf(session, accounts).catch((error: unknown) => {
        if (placements.together || !isOutOfReach(error)) throw error;
        return maybeOpen(session, accounts);
      });
      return judgeKey(key, (account) => open.has(account), now());
    });
  }
}

async function openOf(session: Session, accounts: readonly string[]): Promise<ReadonlySet<string>> {
  const [only] = accounts;
  const rows = await session.rows(
    accounts.length === 1
      ? call(keyFinding.open, only)
      : call(keyFinding.openAmong, textArray(accounts)),
  );
  return new Set(rows.map(([account]) => account));
}
