/** Writes the list of all declared tables, found in the files of `src/core/objects/`: a table that is added is one file. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { OwnTable } from '../src/core/objects/tables/own-table.ts';

const FOLDER = join(import.meta.dirname, '../src/core/objects');
const LIST = 'tables/all.ts';

const tablesIn = async (file: string): Promise<[name: string, table: OwnTable][]> =>
  Object.entries(await import(join(FOLDER, file))).filter((one): one is [string, OwnTable] =>
    isTable(one[1]),
  );

/** By file, in their order. */
const files = await Promise.all(
  globSync('**/*.ts', { cwd: FOLDER })
    .filter((file) => file !== LIST)
    .sort()
    .map(async (file) => [file, await tablesIn(file)] as const),
);

function isTable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'holds' in value && value.holds !== '';
}

export function tablesText(): string {
  const found = files.filter(([, tables]) => tables.length > 0);
  const imports = found.map(([file, tables]): [from: string, line: string] => [
    file,
    `import { ${tables.map(([name]) => name).join(', ')} } from '../${file}';`,
  ]);
  imports.push(['', "import { featureTables } from '../../../features/declares.ts';"]);
  imports.push(['~', "import type { OwnTable } from './own-table.ts';"]);
  const names = found.flatMap(([, tables]) => tables.map(([name]) => `  ${name},`));
  return `${imports
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, line]) => line)
    .join('\n')}

/** All tables that are declared, by the paths of their files. */
export const ownTables: readonly OwnTable[] = [
${names.join('\n')}
  ...featureTables,
];
`;
}
