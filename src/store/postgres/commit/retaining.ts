/** Retention rules that keep records for some time, while the account is locked for other writers. */
import type { RecordShape } from '../../../core/schema/shape.ts';
import { type AskedRow, retentionStatements, toAsked } from '../../books/erasing/retention.ts';
import { isYoung, keeping } from '../../records/aged.ts';
import { statementOf } from '../book-rows.ts';
import type { Retains, ToGo } from '../context.ts';
import { agesOf } from '../statements/erased.ts';
import { call, type Session } from '../wire/session.ts';
import { textArray } from '../wire/values.ts';

const asked = statementOf<AskedRow>(retentionStatements.asked);

export class Retaining implements Retains {
  /** By resource. */
  readonly #agesOf: ReadonlyMap<string, ReturnType<typeof agesOf>>;

  constructor(shapes: readonly RecordShape[]) {
    this.#agesOf = new Map(
      shapes.flatMap((shape) => {
        const above = shapes.find(({ resource }) => resource === shape.parent?.resource);
        return above === undefined ? [] : [[shape.resource, agesOf(shape, above)] as const];
      }),
    );
  }

  /** The rule by which one of these, in an account that is locked, is too young to go. */
  async keeps(
    session: Session,
    account: string,
    those: readonly ToGo[],
    now: number,
  ): Promise<string | undefined> {
    const rules = (await session.rowsOf(account, call(asked, account))).map(toAsked);
    for (const rule of keeping(rules)) {
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
}
