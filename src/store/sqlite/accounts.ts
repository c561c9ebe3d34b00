/** Accounts: the operator creates, renames, closes and empties them. */
import {
  type AccountRow,
  type AccountTables,
  accountEntry,
  accountStatements,
  accountTablesOver,
  BECOMES,
  newAccount,
  toAccount,
} from '../books/accounts.ts';
import { DIALECTS } from '../books/dialects.ts';
import { type EmptiedTables, emptyingOver } from '../books/emptying.ts';
import type { BookCall } from '../books/tables.ts';
import { recordHeld } from '../promises/refusals.ts';
import { bound, createBookRows } from './book-rows.ts';
import { WITHOUT_CONTENTS } from './commit/change-rows.ts';
import { createEntries } from './commit/entries.ts';
import type { Keeping } from './commit/keeping.ts';
import type { Receipts } from './commit/receipts.ts';
import type { Context } from './context.ts';
import { prepare } from './statements/prepare.ts';

/** Tables that are emptied: receipts have no index of accounts, so those of others are walked, too. */
const EMPTIED: EmptiedTables = {
  dialect: DIALECTS.sqlite,
  own: 'account = (SELECT number FROM account WHERE unique_identifier = $1)',
  guard: ' AND EXISTS (SELECT 1 FROM account WHERE unique_identifier = $1 AND becomes IS NOT NULL)',
  atOnce: 250,
  forgets: { of: 'contents IS NOT NULL', does: `UPDATE change SET ${WITHOUT_CONTENTS}` },
  receipts: [{ table: 'receipt', order: { number: -1 }, walked: 'TRUE' }],
  others: [],
};

export function createAccounts(
  context: Context,
  receipts: Receipts,
  keeping: Keeping,
): AccountTables {
  const { connection, root, now, keepsContent } = context;
  const { database } = connection;
  const shapes = [...context.tables.values()].map(({ shape }) => shape);
  const tables = createBookRows(context);
  const emptying = emptyingOver(tables, EMPTIED, shapes, receipts.rooms);
  const sql = accountStatements(root);
  const find = prepare<AccountRow>(database, sql.find.sqlite);
  const number = prepare<readonly [number: number]>(
    database,
    'SELECT number FROM account WHERE unique_identifier = ?',
  );
  const numberOf = (account: string): number => number.get(account)?.[0] ?? 0;
  const run = ([{ sqlite }, ...values]: BookCall) =>
    prepare<AccountRow>(database, sqlite).all(...values.map(bound));

  return accountTablesOver({
    ...{ root, keepsContent, tables, sql, emptying },
    async commit(account, judge) {
      return connection.write(() => {
        const entries = createEntries(context);
        const number = numberOf(account);
        const position = () => entries.positionIn(number);
        const { result, write, logged } = judge(find.get(account), { now: entries.now, position });
        if (write !== undefined) run(write);
        if (logged !== undefined) entries.log(number, accountEntry(root, account, logged));
        entries.end();
        return result;
      });
    },
    async create({ name, livemode }) {
      const { after, keys } = newAccount(root, name);
      return connection.write(() => {
        const number = context.setAside(1);
        const account = context.identify(root.prefix, context.latestIn(root.resource));
        const entries = createEntries(context);
        entries.log(number, accountEntry(root, account, { outcome: 'created', version: 1 }));
        entries.end();
        const [row] = run([sql.insert, number, account, after, entries.now, livemode, ...keys]);
        return toAccount(row);
      });
    },
    async beginEmptying(account, isRemoved) {
      return connection.write(() => {
        const row = find.get(account);
        if (row === undefined) return false;
        const by = keeping.ofAccount(account, numberOf(account));
        if (by !== undefined) throw recordHeld(by, 'account');
        emptying.begin(account, row[BECOMES] !== null);
        run([sql.beginEmptying, account, now(), isRemoved]);
        return true;
      });
    },
    async forget(account) {
      await connection.write(() => {
        prepare(database, 'DELETE FROM counter WHERE account = ?').run(numberOf(account));
        run([sql.remove, account]);
      });
    },
  });
}
