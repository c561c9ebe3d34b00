/** Retention rules that keep records for some time, within a transaction. */
import { type AskedRow, retentionStatements, toAsked } from '../../books/erasing/retention.ts';
import { quoteName, tableName } from '../../names.ts';
import { type Age, dateKey, isYoung, keeping } from '../../records/aged.ts';
import type { Context } from '../context.ts';
import { keyColumn } from '../schema/tables.ts';
import { prepare, type Statement } from '../statements/prepare.ts';

/** Records that are to go: one of a resource, what is below the removed parents of a removal, or all of an account. */
interface Those {
  readonly of: 'number' | 'removal' | 'account';
  readonly number: number;
  readonly resource?: string;
}

export class Retaining {
  readonly #now: () => number;
  readonly #asked: Statement<AskedRow>;
  /** By resource: the ages of records. */
  readonly #ages = new Map<string, Readonly<Record<Those['of'], Statement<Age>>>>();

  constructor({ connection, tables, now }: Context) {
    const { database } = connection;
    this.#now = now;
    this.#asked = prepare(database, retentionStatements.asked.sqlite);
    for (const { shape } of tables.values()) {
      const above = tables.get(shape.parent?.resource ?? '')?.shape;
      if (above === undefined) continue;
      const [own, key] = [dateKey(shape), dateKey(above)];
      const parents = quoteName(tableName(above));
      const joined = own === undefined && key !== undefined;
      const dated = joined ? key : own;
      const date = dated && `${joined ? 'above' : 'below'}.${quoteName(keyColumn(dated))}`;
      const ages = (from: string, which: string) =>
        prepare<Age>(
          database,
          `SELECT below.anchor, max(below.inserted_at), max(below.updated_at), max(${date ?? 'NULL'})
           FROM ${from} ${joined ? `JOIN ${parents} AS above ON above.number = below.parent` : ''}
           WHERE ${which} GROUP BY below.anchor`,
        );
      const all = `${quoteName(tableName(shape))} AS below`;
      this.#ages.set(shape.resource, {
        number: ages(all, 'below.number = ?'),
        removal: ages(
          `removed_parent CROSS JOIN ${all} ON below.account = removed_parent.account
             AND below.parent = removed_parent.number`,
          'removed_parent.removal = ?',
        ),
        account: ages(all, 'below.account = ?'),
      });
    }
  }

  /** The rule by which a record is too young to go, unless it was removed before. */
  keepsOne(
    account: string,
    resource: string,
    { number, isRemoved }: { readonly number: number; readonly isRemoved: boolean },
  ): string | undefined {
    if (isRemoved) return undefined;
    return this.keeps(account, { of: 'number', number, resource }, this.#now());
  }

  /** The rule by which one of these, in the account of that unique identifier, is too young to go. */
  keeps(account: string, { number, of, resource }: Those, now: number): string | undefined {
    return keeping(this.#asked.all(account).map(toAsked)).find((rule) => {
      if (resource !== undefined && resource !== rule.resource) return false;
      const ages = this.#ages.get(rule.resource)?.[of].all(number) ?? [];
      return isYoung(rule, ages, now);
    })?.unique_identifier;
  }
}
