/** Retention rules that keep records for some time, within a transaction. */
import { type AskedRow, retentionStatements, toAsked } from '../../books/erasing/retention.ts';
import { quoteName, tableName } from '../../names.ts';
import type { AskedRule } from '../../promises/erasing/retention.ts';
import { type Age, dateKey, isYoung, keeping } from '../../records/aged.ts';
import type { Context } from '../context.ts';
import { keyColumn } from '../schema/tables.ts';
import { elementsOf, prepare, type Statement } from '../statements/prepare.ts';

/** Records of a resource that are to go. */
interface Those {
  readonly resource: string;
  readonly numbers: readonly number[];
}

export class Retaining {
  readonly #now: () => number;
  readonly #asked: Statement<AskedRow>;
  /** By resource: the ages of some records, and of all of an account. */
  readonly #ages = new Map<string, { readonly of: Statement<Age>; readonly all: Statement<Age> }>();

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
      const ages = (which: string) =>
        prepare<Age>(
          database,
          `SELECT below.anchor, max(below.inserted_at), max(below.updated_at), max(${date ?? 'NULL'})
           FROM ${quoteName(tableName(shape))} AS below
           ${joined ? `JOIN ${parents} AS above ON above.number = below.parent` : ''}
           WHERE ${which} GROUP BY below.anchor`,
        );
      this.#ages.set(shape.resource, {
        of: ages(`below.number IN ${elementsOf('?')}`),
        all: ages('below.account = ?'),
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
    return this.keeps(account, [{ resource, numbers: [number] }], this.#now());
  }

  /** The rule by which one of these, in the account of that unique identifier, is too young to go. */
  keeps(account: string, those: readonly Those[], now: number): string | undefined {
    return this.#keeping(account).find((rule) =>
      those.some(({ resource, numbers }) => {
        if (resource !== rule.resource) return false;
        return isYoung(rule, this.#ages.get(resource)?.of.all(JSON.stringify(numbers)) ?? [], now);
      }),
    )?.unique_identifier;
  }

  /** The same of all in that account. */
  keepsAll(account: string, number: number): string | undefined {
    return this.#keeping(account).find((rule) =>
      isYoung(rule, this.#ages.get(rule.resource)?.all.all(number) ?? [], this.#now()),
    )?.unique_identifier;
  }

  #keeping(account: string): readonly AskedRule[] {
    return keeping(this.#asked.all(account).map(toAsked));
  }
}
