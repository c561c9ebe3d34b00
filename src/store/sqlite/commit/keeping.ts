/** Finds what prevents the removal of records, within a transaction. */
import {
  type KeeperRow,
  Keepers,
  keeperStatements,
  selectAges,
} from '../../books/erasing/keepers.ts';
import { keyColumn, tableOf } from '../../names.ts';
import type { Age } from '../../records/aged.ts';
import type { Context } from '../context.ts';
import { elementsOf, prepare, type Statement } from '../statements/prepare.ts';

/** Records of a resource that are to go. */
interface Leaving {
  readonly resource: string;
  readonly numbers: readonly number[];
}

export type Keeping = ReturnType<typeof createKeeping>;

export function createKeeping({ connection, tables, now }: Context) {
  const { database } = connection;
  const active = prepare<KeeperRow>(database, keeperStatements.active.sqlite);
  /** By resource: the ages of some records, and of all of an account. */
  const agesOf = new Map<string, Readonly<Record<'some' | 'all', Statement<Age>>>>();
  for (const { shape } of tables.values()) {
    const above = tables.get(shape.parent?.resource ?? '')?.shape;
    if (above === undefined) continue;
    const select = selectAges([shape, above], {
      from: tableOf(shape),
      join: `JOIN ${tableOf(above)} AS above ON above.number = below.parent`,
      column: keyColumn,
    });
    const ages = (which: string) =>
      prepare<Age>(database, `${select} WHERE ${which} GROUP BY below.anchor`);
    agesOf.set(shape.resource, {
      some: ages(`below.number IN ${elementsOf('?')}`),
      all: ages('below.account = ?'),
    });
  }

  /** The keepers of the account of that unique identifier. */
  const keepersIn = (account: string): Keepers => new Keepers(active.all(account));

  return {
    keepersIn,
    /** The rule by which one of these is too young to go. */
    young(keepers: Keepers, leaving: readonly Leaving[]): string | undefined {
      const found = leaving
        .filter(({ resource }) => keepers.limits(resource))
        .map(({ resource, numbers }) => {
          const ages = agesOf.get(resource)?.some.all(JSON.stringify(numbers)) ?? [];
          return { resource, ages };
        });
      return keepers.young(found, now());
    },
    /** The hold, or the rule, that keeps anything of the account. */
    ofAccount(account: string, number: number): string | undefined {
      const keepers = keepersIn(account);
      const found = [...agesOf]
        .filter(([resource]) => keepers.limits(resource))
        .map(([resource, { all }]) => ({ resource, ages: all.all(number) }));
      return keepers.hold ?? keepers.young(found, now());
    },
  };
}
