/** Retention rules, as commits ask for them. */
import type { RecordShape } from '../../../core/schema/shape.ts';
import { timeStatements } from '../../books/books.ts';
import { type AskedRow, retentionStatements, toAsked } from '../../books/erasing/retention.ts';
import type { PastDraft } from '../../promises/erasing/book.ts';
import { heldBy } from '../../promises/erasing/holds.ts';
import type { AskedRule, PastTerms } from '../../promises/erasing/retention.ts';
import { dateKey, isYoung, keeping, refusing } from '../../records/aged.ts';
import { statementOf } from '../book-rows.ts';
import type { Retains, ToGo } from '../context.ts';
import { byAccount } from '../names.ts';
import { agesOf, datesOf } from '../statements/erased.ts';
import { call, type Session } from '../wire/session.ts';
import { textArray } from '../wire/values.ts';
import { activeHolds } from './holding.ts';

const seen = statementOf<readonly [at: number]>(timeStatements.seen);
const asked = statementOf<AskedRow>(retentionStatements.asked);

export async function rulesOf(session: Session, account: string): Promise<readonly AskedRule[]> {
  return (await session.rowsOf(account, call(asked, account))).map(toAsked);
}

export class Retaining implements Retains {
  /** By resource: the dates of what its records belong to. */
  readonly #datesOf: ReadonlyMap<string, ReturnType<typeof datesOf>>;
  /** By resource. */
  readonly #agesOf: ReadonlyMap<string, ReturnType<typeof agesOf>>;

  constructor(shapes: readonly RecordShape[]) {
    this.#agesOf = new Map(
      shapes.flatMap((shape) => {
        const above = shapes.find(({ resource }) => resource === shape.parent?.resource);
        return above === undefined ? [] : [[shape.resource, agesOf(shape, above)] as const];
      }),
    );
    this.#datesOf = new Map(
      shapes.flatMap(({ resource, parent }) => {
        const above = shapes.find((one) => one.resource === parent?.resource);
        const key = above && dateKey(above);
        return key === undefined ? [] : [[resource, datesOf(above as RecordShape, key)] as const];
      }),
    );
  }

  /** Of drafts in accounts with rules that refuse what is made. */
  async among(
    session: Session,
    drafts: readonly PastDraft[],
  ): Promise<ReadonlyMap<PastDraft, PastTerms>> {
    const found = byAccount(drafts, ({ account }) => account).map(async ([account, own]) => {
      const rules = refusing(await rulesOf(session, account));
      if (rules.length === 0) return [];
      const [holds, dates, [[last] = []]] = await Promise.all([
        activeHolds(session, account),
        this.#datesAbove(session, account, own),
        session.rows(call(seen)),
      ]);
      return own.map((draft) => {
        const { anchor = null, parent } = draft;
        const place = { account, unique_identifier: '', anchor, parent };
        const isHeld = () => heldBy(holds, place) !== undefined;
        return [draft, { rules, date: () => dates.get(parent), isHeld, seen: last }] as const;
      });
    });
    return new Map((await Promise.all(found)).flat());
  }

  /** The rule by which one of these, in an account that is locked, is too young to go. */
  async keeps(
    session: Session,
    account: string,
    those: readonly ToGo[],
    now: number,
  ): Promise<string | undefined> {
    for (const rule of keeping(await rulesOf(session, account))) {
      for (const { resource, of, named } of those) {
        const statement = this.#agesOf.get(rule.resource)?.[of];
        if (statement === undefined || (resource ?? rule.resource) !== rule.resource) continue;
        const values = named === undefined ? [] : [textArray(named)];
        const ages = await session.rowsOf(account, call(statement, account, ...values));
        if (isYoung(rule, ages, now)) return rule.unique_identifier;
      }
    }
    return undefined;
  }

  async #datesAbove(
    session: Session,
    account: string,
    drafts: readonly PastDraft[],
  ): Promise<ReadonlyMap<string, string>> {
    const found = [...Map.groupBy(drafts, ({ shape }) => shape.resource)].map(([resource, own]) => {
      const statement = this.#datesOf.get(resource);
      const parents = textArray([...new Set(own.map(({ parent }) => parent))]);
      return statement === undefined
        ? []
        : session.rowsOf(account, call(statement, account, parents));
    });
    return new Map((await Promise.all(found)).flat());
  }
}
