/** Accounts: the operator creates, renames, closes and empties them. */

import type { DatabaseSync } from 'node:sqlite';
import type { RecordShape } from '../../core/schema/shape.ts';
import {
  ACCOUNT_COLUMNS,
  type AccountRow,
  type AccountTables,
  accountEntry,
  BECOMES,
  changedAccount,
  newAccount,
  POSITION,
  toAccount,
  VERSION,
} from '../books/accounts.ts';
import { DIALECTS } from '../books/dialects.ts';
import { type EmptiedTables, emptyingOver } from '../books/emptying.ts';
import { keyColumn } from '../names.ts';
import { recordHeld } from '../promises/refusals.ts';
import { createBookRows } from './book-rows.ts';
import { WITHOUT_CONTENTS } from './commit/change-rows.ts';
import { createEntries } from './commit/entries.ts';
import type { Keeping } from './commit/keeping.ts';
import type { Receipts } from './commit/receipts.ts';
import type { Context } from './context.ts';
import { preparing } from './statements/prepare.ts';

/** Tables that are emptied: receipts have no index of accounts, so those of others are walked, too. */
const EMPTIED: EmptiedTables = {
  dialect: DIALECTS.sqlite,
  own: 'account = (SELECT number FROM account WHERE unique_identifier = $1)',
  guard: ' AND EXISTS (SELECT 1 FROM account WHERE unique_identifier = $1 AND becomes IS NOT NULL)',
  atOnce: 250,
  forgets: { of: 'contents IS NOT NULL', does: `UPDATE change SET ${WITHOUT_CONTENTS}` },
  receipts: [{ table: 'receipt', order: { number: -1 }, walked: 'TRUE' }],
  forgetsAnswers: (table, rows) =>
    `DELETE FROM answered WHERE record IN (SELECT number FROM ${table} WHERE ${rows})`,
  others: [],
};

export function createAccounts(
  context: Context,
  receipts: Receipts,
  keeping: Keeping,
): AccountTables {
  const { connection, root, now, keepsContent } = context;
  const shapes = [...context.tables.values()].map(({ shape }) => shape);
  const emptying = emptyingOver(createBookRows(context), EMPTIED, shapes, receipts.rooms);
  const statements = accountStatements(connection.database, root);

  function endEmptying(unique_identifier: string, some: boolean): void {
    const row = statements.find.get(unique_identifier);
    if (row === undefined || row[BECOMES] === null) return;
    const number = numberOf(row);
    if (row[BECOMES] === 'gone') {
      for (const each of statements.remove) each.run(number);
      return;
    }
    statements.endEmptying.run(number);
    if (!some) return;
    const entries = createEntries(context);
    const [version, before] = [row[VERSION], row[POSITION]];
    const logged = { outcome: 'wiped', version, before } as const;
    entries.log(number, accountEntry(root, unique_identifier, logged));
    entries.end();
  }

  return {
    async create({ name, livemode }) {
      const { after, keys } = newAccount(root, name);
      return connection.write(() => {
        const number = context.setAside(1);
        const unique_identifier = context.identify(root.prefix, context.latestIn(root.resource));
        const entries = createEntries(context);
        const position = entries.positionIn(number);
        const flag = livemode ? 1 : 0;
        const { insert } = statements;
        insert.run(number, unique_identifier, after, position, entries.now, flag, ...keys);
        entries.log(
          number,
          accountEntry(root, unique_identifier, { outcome: 'created', version: 1 }),
        );
        entries.end();
        return toAccount(statements.find.get(unique_identifier));
      });
    },
    async list() {
      return connection.read(() => statements.list.all().map(toAccount));
    },
    /** The account as the change leaves it, if there is one. */
    async change(unique_identifier, change) {
      return connection.write(() => {
        const { find, update } = statements;
        const row = find.get(unique_identifier);
        if (row === undefined) return undefined;
        const entries = createEntries(context);
        const changed = changedAccount(root, row, change, { now: entries.now, keepsContent });
        if (changed === undefined) return toAccount(row);
        const { after, keys, closed_at, content } = changed;
        const [number, version, before] = [numberOf(row), row[VERSION] + 1, row[POSITION]];
        update.run(number, entries.positionIn(number), after, closed_at, entries.now, ...keys);
        const logged = { outcome: 'updated', version, before, content } as const;
        entries.log(number, accountEntry(root, unique_identifier, logged));
        entries.end();
        return toAccount(find.get(unique_identifier));
      });
    },
    async beginEmptying(unique_identifier, isRemoved) {
      return connection.write(() => {
        const row = statements.find.get(unique_identifier);
        if (row === undefined) return false;
        const by = keeping.ofAccount(unique_identifier, numberOf(row));
        if (by !== undefined) throw recordHeld(by, 'account');
        emptying.begin(unique_identifier, row[BECOMES] !== null);
        statements.beginEmptying.run(numberOf(row), now(), isRemoved ? 1 : 0);
        return true;
      });
    },
    contents: (unique_identifier) => emptying.contents(unique_identifier),
    async emptySome(unique_identifier) {
      const becomes = connection.read(() => statements.find.get(unique_identifier)?.[BECOMES]);
      if (!becomes) return undefined;
      const { ever, removed } = await emptying.some(unique_identifier, becomes);
      if (removed === undefined) await connection.write(() => endEmptying(unique_identifier, ever));
      return removed;
    },
  };
}

function numberOf(row: NumberedAccount): number {
  return row[9];
}

/** With the number of the account. */
type NumberedAccount = Required<AccountRow>;

function accountStatements(database: DatabaseSync, root: RecordShape) {
  const sql = preparing(database);
  const columns = `${ACCOUNT_COLUMNS}, number`;
  const keys = root.keys.map(keyColumn);
  return {
    find: sql<NumberedAccount>`SELECT ${columns} FROM account WHERE unique_identifier = ?1`,
    /** By name, the root's declared key. */
    list: sql<NumberedAccount>`SELECT ${columns} FROM account
      ORDER BY ${[...keys, 'unique_identifier'].join(', ')}`,
    /** Takes the number, unique_identifier, document, position, the time, livemode, then the declared keys. */
    insert: sql`INSERT INTO account
        (number, account, unique_identifier, document, version, position, inserted_at, updated_at, livemode
          ${keys.map((key) => `, ${key}`).join('')})
      VALUES (?1, ?1, ?2, ?3, 1, ?4, ?5, ?5, ?6 ${keys.map((_, index) => `, ?${index + 7}`).join('')})`,
    /** Takes the number, position, document, closed_at, the time, then the declared keys. */
    update: sql`UPDATE account
      SET position = ?2, document = ?3, closed_at = ?4, version = version + 1,
        updated_at = max(?5, inserted_at) ${keys.map((key, index) => `, ${key} = ?${index + 6}`).join('')}
      WHERE number = ?1`,
    /** Takes number ?1, time ?2, and whether it is to go, ?3. */
    beginEmptying: sql`UPDATE account
      SET closed_at = coalesce(closed_at, ?2), becomes = CASE WHEN ?3 THEN 'gone'
        ELSE coalesce(becomes, iif(closed_at IS NULL, 'open', 'closed')) END
      WHERE number = ?1`,
    /** Takes number ?. */
    endEmptying: sql`UPDATE account
      SET closed_at = iif(becomes = 'open', NULL, closed_at), becomes = NULL
      WHERE number = ?`,
    /** Takes number ?, what stands for it last. */
    remove: [sql`DELETE FROM counter WHERE account = ?`, sql`DELETE FROM account WHERE number = ?`],
  };
}
