/** Holds, as they are asked for while their account is locked for other writers, and what they keep of the log when it grows old. */
import { holdStatements } from '../../books/erasing/holds.ts';
import { type ActiveHold, type ActiveRow, heldBy, toActive } from '../../promises/erasing/holds.ts';
import { statementOf } from '../book-rows.ts';
import type { Context } from '../context.ts';
import * as statements from '../statements/changes.ts';
import { call, type Session } from '../wire/session.ts';
import { numberArray, textArray } from '../wire/values.ts';

/** Changes that one transaction looks at. */
const AT_ONCE = 500;

export async function activeHolds(
  session: Session,
  account: string,
): Promise<readonly ActiveHold[]> {
  const active = statementOf<ActiveRow>(holdStatements.active);
  return (await session.rowsOf(account, call(active, account))).map(toActive);
}

/** How far the log of an account was emptied of what its holds do not keep. */
interface Emptied {
  /** The holds that were asked. */
  readonly of: string;
  readonly mark: readonly [position: number, place: number];
}

/** Logs of accounts with holds: what is old and not held loses its content, and nothing else. */
export class HeldLogs {
  readonly #parents: ReadonlyMap<string, ReturnType<typeof statements.parentsIn>>;
  readonly #emptied = new Map<string, Emptied>();

  constructor({ tables }: Pick<Context, 'tables'>) {
    this.#parents = new Map(
      [...tables.values()].flatMap(({ shape }) =>
        shape.parent === undefined ? [] : [[shape.resource, statements.parentsIn(shape)] as const],
      ),
    );
  }

  /** Within a transaction. What to note once it is committed; `undefined`: nothing is left to be emptied. */
  async empty(
    session: Session,
    account: string,
    holds: readonly ActiveHold[],
    until: number,
  ): Promise<(() => void) | undefined> {
    const of = holds.map(({ unique_identifier }) => unique_identifier).join();
    const before = this.#emptied.get(account);
    const mark = before?.of === of ? before.mark : [0, 0];
    const rows = await session.rows(call(statements.after, account, ...mark, AT_ONCE));
    const kept = rows.findIndex(({ [OCCURRED_AT]: occurred_at }) => occurred_at >= until);
    const old = kept < 0 ? rows : rows.slice(0, kept);
    const last = old.at(-1);
    if (last === undefined) return undefined;
    const parents = await this.#parentsOf(session, account, old);
    const free = old.filter(([, , , record, anchor]) => {
      const place = { account, unique_identifier: record, anchor, parent: parents.get(record) };
      return heldBy(holds, place) === undefined;
    });
    const positions = numberArray(free.map(([position]) => position));
    const places = numberArray(free.map(([, place]) => place));
    const records = textArray(free.map(([, , , record]) => record));
    await Promise.all([
      session.run(call(statements.forget, account, positions, places)),
      session.run(call(statements.forgetGone, account, positions, records)),
    ]);
    return () => this.#emptied.set(account, { of, mark: [last[0], last[1]] });
  }

  /** By unique identifier, also of removed records. */
  async #parentsOf(
    session: Session,
    account: string,
    rows: readonly statements.OldRow[],
  ): Promise<ReadonlyMap<string, string>> {
    const found = [...Map.groupBy(rows, ([, , resource]) => resource)].map(([resource, own]) => {
      const parents = this.#parents.get(resource);
      const records = textArray([...new Set(own.map(([, , , record]) => record))]);
      return parents === undefined ? [] : session.rows(call(parents, account, records));
    });
    return new Map((await Promise.all(found)).flat());
  }
}

const OCCURRED_AT = 5;
