/**
 * All declared objects, and the list of all declared tables, found in the files of `src/core/objects/`: what is added
 * is one file.
 */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { OwnObject, OwnTable } from '../src/core/objects/own-object.ts';
import { featureObjects } from '../src/features/declares.ts';

const FOLDER = join(import.meta.dirname, '../src/core/objects');
const LIST = 'tables/all.ts';

/** What each file exports, in the order of their names. */
const files = await Promise.all(
  globSync('**/*.ts', { cwd: FOLDER })
    .filter((file) => file !== LIST)
    .sort()
    .map(async (file) => [file, Object.entries(await import(join(FOLDER, file)))] as const),
);

type Shown = Pick<
  OwnObject,
  'name' | 'typeName' | 'says' | 'views' | 'path' | 'listed' | 'positioned' | 'removable'
>;

/** The program's own objects, in the order of their names. */
export const ownObjects: readonly Shown[] = [
  ...files.flatMap(([, all]) => all.map(([, value]) => value)).filter(isObject),
  ...featureObjects,
].sort((one, other) => (one.name < other.name ? -1 : 1));

function isObject(value: unknown): value is Shown {
  return typeof value === 'object' && value !== null && 'views' in value;
}

function isTable(value: unknown): value is OwnTable {
  return typeof value === 'object' && value !== null && 'holds' in value && value.holds !== '';
}

export function tablesText(): string {
  const found = files
    .map(([file, all]) => [file, all.filter(([, value]) => isTable(value))] as const)
    .filter(([, tables]) => tables.length > 0);
  const imports = found.map(([file, tables]): [from: string, line: string] => [
    file,
    `import { ${tables.map(([name]) => name).join(', ')} } from '../${file}';`,
  ]);
  imports.push(['', "import { featureTables } from '../../../features/declares.ts';"]);
  imports.push(['own-object.ts', "import type { OwnTable } from '../own-object.ts';"]);
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
