/** Finds API keys by the hash of their secret, and which of their accounts are open: two prepared statements for each request. */
import { DIALECTS } from '../books/dialects.ts';
import { judgeKey, type KeyRow, keyColumns, keyStatements, toKey } from '../books/sql/key-sql.ts';
import type { KeyFinder, KeyLookup } from '../promises/keys.ts';
import { statementOf } from './book-rows.ts';
import type { Context } from './context.ts';
import { maybeOpen } from './schema/distribution.ts';
import { prepared } from './statements/prepare.ts';
import { isOut, isOutOfReach } from './wire/failure.ts';
import { type Call, call } from './wire/session.ts';
import { bytes, textArray } from './wire/values.ts';

export const keyFinding = {
  withHash: prepared<KeyRow>`SELECT ${keyColumns(DIALECTS.postgres)} FROM api_key WHERE hash = $1`,
  one: statementOf<KeyRow>(keyStatements.one),
  open: prepared<readonly [account: string]>`SELECT account FROM "account" WHERE account = $1
    AND closed_at IS NULL`,
  openAmong: prepared<readonly [account: string]>`SELECT account FROM account
    WHERE account = ANY ($1::text[]) AND closed_at IS NULL`,
};

/** Queried for an unknown key, so that it takes as long as a known one. */
const NONE = ['no account'];

export function createKeyFinder(context: Context): KeyFinder {
  async function judge(wanted: Call<KeyRow>): Promise<KeyLookup> {
    const { placements, now } = context;
    const [row] = await placements.anywhere((session) => session.rows(wanted));
    const key = row === undefined ? undefined : toKey(row);
    const open = await openAmong(key?.accounts ?? NONE);
    return judgeKey(key, (account) => open.has(account), now());
  }

  /** While servers of a cluster are out of reach, their accounts count as open: requests are refused there. */
  async function openAmong(accounts: readonly string[]): Promise<ReadonlySet<string>> {
    const { placements } = context;
    const [only = '', ...others] = accounts;
    if (others.length === 0) {
      const there = placements.at([only], 'read');
      const rows = await there.rows(call(keyFinding.open, only)).catch((error: unknown) => {
        if (placements.together || !isOut(error)) throw error;
        return [accounts];
      });
      return new Set(rows.flat());
    }
    return placements.anywhere(async (session) => {
      try {
        const rows = await session.rows(call(keyFinding.openAmong, textArray(accounts)));
        return new Set(rows.flat());
      } catch (error) {
        if (placements.together || !isOutOfReach(error)) throw error;
        return maybeOpen(session, accounts);
      }
    });
  }

  return {
    authenticate: (hash) => judge(call(keyFinding.withHash, bytes(hash))),
    find: (unique_identifier) => judge(call(keyFinding.one, unique_identifier)),
  };
}
