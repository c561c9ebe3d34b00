/** Finds what prevents the removal of records, within a transaction. */
import { type KeeperRow, Keepers, keeperStatements } from '../../books/erasing/keepers.ts';
import type { Context } from '../context.ts';
import { prepare } from '../statements/prepare.ts';

/** Records of a resource that are to go. */
interface RemovalRow {
  readonly resource: string;
  readonly numbers: readonly number[];
}

export type Keeping = ReturnType<typeof createKeeping>;

export function createKeeping({ connection, tables, drafts, now }: Context) {
  const active = prepare<KeeperRow>(connection.database, keeperStatements.active.sqlite);

  /** The keepers of the account of that unique identifier. */
  const keepersIn = (account: string): Keepers => new Keepers(active.all(account));

  return {
    keepersIn,
    /** The rule by which one of these is too young to go. */
    young(keepers: Keepers, leaving: readonly RemovalRow[]): string | undefined {
      const limited = leaving.filter(({ resource }) => keepers.limits(resource));
      const found = limited.map(({ resource, numbers }) => {
        const { ages } = drafts(resource).removal;
        return { resource, ages: ages.all(JSON.stringify(numbers)) };
      });
      return keepers.young(found, now());
    },
    /** The hold, or the rule, that keeps anything of the account. */
    ofAccount(account: string, number: number): string | undefined {
      const keepers = keepersIn(account);
      const found = [...tables].flatMap(([resource, { drafts }]) =>
        drafts && keepers.limits(resource)
          ? { resource, ages: drafts.removal.allAges.all(number) }
          : [],
      );
      return keepers.hold ?? keepers.young(found, now());
    },
  };
}
