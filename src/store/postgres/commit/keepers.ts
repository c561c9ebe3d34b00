/** Finds what prevents the removal of records, while their account is locked for other writers. */
import { type KeeperRow, Keepers, keeperStatements } from '../../books/erasing/keepers.ts';
import type { EraseRequest } from '../../promises/erasing/book.ts';
import type { Age } from '../../records/aged.ts';
import { statementOf } from '../book-rows.ts';
import type { Context } from '../context.ts';
import { call, type Session, type Statement } from '../wire/session.ts';
import { textArray } from '../wire/values.ts';

const active = statementOf<KeeperRow>(keeperStatements.active);

export async function keepersIn(session: Session, account: string): Promise<Keepers> {
  return new Keepers(await session.rowsOf(account, call(active, account)));
}

/** Records of a resource that are to go, and what reads their ages. */
interface RemovalRow {
  readonly resource: string;
  readonly ages: Statement<Age>;
  /** Parameters of the statement; left out: all of the account. */
  readonly named?: readonly string[];
}

/** The rule by which one of these is too young to go. */
export async function youngAmong(
  session: Session,
  account: string,
  keepers: Keepers,
  leaving: readonly RemovalRow[],
  now: number,
): Promise<string | undefined> {
  const limited = leaving.filter(({ resource }) => keepers.limits(resource));
  const found = limited.map(async ({ resource, ages, named }) => {
    const values = named === undefined ? [account] : [account, textArray(named)];
    return { resource, ages: await session.rowsOf(account, call(ages, ...values)) };
  });
  return keepers.young(await Promise.all(found), now);
}

/** The keepers of the account, and the rule by which this record is too young to go. */
export async function keepersOf(
  session: Session,
  context: Context,
  { resource, account, record }: Pick<EraseRequest, 'resource' | 'account' | 'record'>,
) {
  const keepers = await keepersIn(session, account);
  const { ages } = context.drafts(resource).removal.themselves;
  const leaving = [{ resource, ages, named: [record] }];
  return { keepers, young: await youngAmong(session, account, keepers, leaving, context.now()) };
}
