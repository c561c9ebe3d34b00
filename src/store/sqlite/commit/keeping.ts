/** Finds what prevents the removal of records, within a transaction. */
import {
  type KeeperRow,
  Keepers,
  keeperStatements,
  selectAges,
} from '../../books/erasing/keepers.ts';
import { quoteName, tableName } from '../../names.ts';
import type { Age } from '../../records/aged.ts';
import type { Context } from '../context.ts';
import { keyColumn } from '../schema/tables.ts';
import { elementsOf, prepare, type Statement } from '../statements/prepare.ts';

/** Records of a resource that are to go. */
interface Leaving {
  readonly resource: string;
  readonly numbers: readonly number[];
}

export class Keeping {
  readonly #now: () => number;
  readonly #active: Statement<KeeperRow>;
  /** By resource: the ages of some records, and of all of an account. */
  readonly #ages = new Map<string, { readonly of: Statement<Age>; readonly all: Statement<Age> }>();

  constructor({ connection, tables, now }: Context) {
    const { database } = connection;
    this.#now = now;
    this.#active = prepare(database, keeperStatements.active.sqlite);
    for (const { shape } of tables.values()) {
      const above = tables.get(shape.parent?.resource ?? '')?.shape;
      if (above === undefined) continue;
      const select = selectAges([shape, above], {
        from: quoteName(tableName(shape)),
        join: `JOIN ${quoteName(tableName(above))} AS above ON above.number = below.parent`,
        column: (key) => quoteName(keyColumn(key)),
      });
      const ages = (which: string) =>
        prepare<Age>(database, `${select} WHERE ${which} GROUP BY below.anchor`);
      this.#ages.set(shape.resource, {
        of: ages(`below.number IN ${elementsOf('?')}`),
        all: ages('below.account = ?'),
      });
    }
  }

  /** The keepers of the account of that unique identifier. */
  in(account: string): Keepers {
    return new Keepers(this.#active.all(account));
  }

  /** The rule by which one of these is too young to go. */
  young(keepers: Keepers, leaving: readonly Leaving[]): string | undefined {
    const found = leaving
      .filter(({ resource }) => keepers.limits(resource))
      .map(({ resource, numbers }) => {
        const ages = this.#ages.get(resource)?.of.all(JSON.stringify(numbers)) ?? [];
        return { resource, ages };
      });
    return keepers.young(found, this.#now());
  }

  /** The hold, or the rule, that keeps anything of the account. */
  ofAccount(account: string, number: number): string | undefined {
    const keepers = this.in(account);
    const found = [...this.#ages]
      .filter(([resource]) => keepers.limits(resource))
      .map(([resource, { all }]) => ({ resource, ages: all.all(number) }));
    return keepers.hold ?? keepers.young(found, this.#now());
  }
}
