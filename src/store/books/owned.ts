/** Finds our own objects in whichever table they are: the account of one, and what people wrote in those of an account. */
import { ownColumns } from '../../core/objects/own-object.ts';
import { ownTables } from '../../core/objects/tables/all.ts';
import { type BookTables, statements, unnamed } from './tables.ts';

interface Written {
  readonly unique_identifier: string;
  readonly texts: readonly (string | null)[];
}

/** By table: statements that read texts of objects of account $1, the newest first, before $2, no more than $3. */
const writings = ownTables.flatMap((table) => {
  const texts = ownColumns(table).flatMap(({ name, field }) => (field.personal ? [name] : []));
  if (texts.length === 0 || table.key.join() !== 'account,unique_identifier') return [];
  const { list } = statements({
    list: ({ limit }) => `SELECT unique_identifier, ${texts} FROM ${table.table}
      WHERE account = $1 AND unique_identifier < $2 ORDER BY unique_identifier DESC LIMIT ${limit('$3')}`,
  });
  return [list];
});

export function ownedOver(tables: BookTables) {
  return {
    /** The account of an object of one account, by its unique identifier. */
    async accountOf(id: string): Promise<string | undefined> {
      const its = ownTables.find(({ fields: { unique_identifier: own, account } }) => {
        return account !== undefined && own !== undefined && id.startsWith(own.kind.prefix ?? ' ');
      });
      if (its === undefined) return undefined;
      const column = its.fields.account?.column ?? 'account';
      const find = `SELECT ${column} FROM ${its.table} WHERE unique_identifier = $1`;
      return (await tables.rows<readonly [string]>(unnamed(find), id))[0]?.[0];
    },
    /** Lists what people wrote in objects of an account, such as reasons: one function for each table. */
    written: writings.map(
      (list) =>
        async (account: string, before: string, limit: number): Promise<readonly Written[]> => {
          const rows = await tables.rows<readonly [string, ...Written['texts']]>(
            ...([list, account, before, limit] as const),
          );
          return rows.map(([unique_identifier, ...texts]) => ({ unique_identifier, texts }));
        },
    ),
  };
}
