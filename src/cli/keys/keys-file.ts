/** The files of `keys create --many`: the one that it reads, and the one which it writes with secrets. */
import type { NewKey, StoredKey } from '../../core/objects/api-key.ts';
import { csvLine } from '../../core/tables/row-texts.ts';
import type { TableFile, TableRow } from '../import/table-file.ts';
import type { SecretFile } from '../service/secret-file.ts';

/** The columns of a file of new keys. */
export const NEW_COLUMNS = [
  'account',
  'account_name',
  'name',
  'location',
  'region',
  'permission',
  'resource',
  'from',
  'requests_a_second',
  'requests_at_once',
  'allow',
  'expires',
] as const;
/** The columns that are added. */
const MADE_COLUMNS = ['key_account', 'key', 'secret'] as const;

export type NewKeyRow = TableRow<(typeof NEW_COLUMNS)[number]>;

interface Made {
  readonly row: TableRow<string>;
  readonly newKey: NewKey;
  readonly secret: string;
}

/**
 * Makes keys, and writes the rows with them and their secrets: into a file that is there before the keys are, so that
 * no secret is lost if it fails in between.
 */
export async function makeWithFile(
  file: SecretFile,
  { header }: TableFile<string>,
  made: readonly Made[],
  make: (keys: readonly NewKey[]) => Promise<readonly StoredKey[]>,
): Promise<void> {
  const isMade = header.map((name) =>
    MADE_COLUMNS.some((one) => one === name.trim().toLowerCase()),
  );
  const own = (cells: readonly string[]) => cells.filter((_, place) => !isMade[place]);
  const textWith = (keys: readonly StoredKey[]) =>
    [
      [...own(header), ...MADE_COLUMNS],
      ...made.map(({ row, newKey, secret }, index) => [
        ...own(row.cells),
        newKey.accounts.join(' '),
        keys[index]?.unique_identifier ?? '',
        secret,
      ]),
    ]
      .map(csvLine)
      .join('');
  file.write(textWith([]));
  const keys = await make(made.map(({ newKey }) => newKey));
  file.keep();
  file.replace(textWith(keys));
}
