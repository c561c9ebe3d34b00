/** Looks up the holds of an account, while it is locked for other writers. */
import { holdStatements } from '../../books/erasing/holds.ts';
import { type ActiveHold, type ActiveRow, toActive } from '../../promises/erasing/holds.ts';
import { statementOf } from '../book-rows.ts';
import { call, type Session } from '../wire/session.ts';

const active = statementOf<ActiveRow>(holdStatements.active);

export async function activeHolds(
  session: Session,
  account: string,
): Promise<readonly ActiveHold[]> {
  return (await session.rowsOf(account, call(active, account))).map(toActive);
}
