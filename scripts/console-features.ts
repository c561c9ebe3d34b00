/**
 * Writes the lists of what features bring to the console, one for each script, from the folders of
 * `console/src/features/`. It imports nothing of them, so that it works where a folder has just been deleted.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const project = join(import.meta.dirname, '..');
const FOLDER = 'console/src/features';
const BIOME = 'node_modules/@biomejs/biome/bin/biome';
/** Relative to the lists. */
const SCREEN = ['..', 'screen.ts'].join('/');
const ENTRY = ['..', 'entry.ts'].join('/');
const SPOTS = './spots.ts';

/** The types that a script has beside its screens. */
const TYPES = {
  seldom: `import type { InSpots } from '${SPOTS}';`,
  importing: '',
  integrating: '',
  officers: `import type { Keeper } from '${SPOTS}';`,
} as const;

/** What the files of a feature show on screens of others, in a spot of its own each. */
const IN_SPOTS = {
  'record.tsx': ['RecordPanel'],
  'today.tsx': ['TodayNote', 'TodayPanel'],
  'feeds.tsx': ['FeedsPanel', 'FeedsFoot'],
  'list.tsx': ['ListTakeAway'],
} as const;

/** A file of a feature that exports a member, and what the list calls that. */
interface Part {
  readonly from: string;
  readonly member: string;
  readonly name: string;
  /** The text of `entry.ts` beside it. */
  readonly entry: string;
}

/** The features whose file exports that member. */
function partsOf(file: string, member: string): readonly Part[] {
  const exported = new RegExp(`^export (?:const|(?:async )?function) ${member}\\b`, 'm');
  return readdirSync(join(project, FOLDER), { withFileTypes: true })
    .filter((one) => one.isDirectory())
    .map(({ name }) => name)
    .sort()
    .filter((folder) => exported.test(read(`${folder}/${file}`)))
    .map((folder) => ({
      from: `./${folder}/${file}`,
      member,
      name: `${folder.replace(/-(.)/g, (_, one) => one.toUpperCase())}${member[0]?.toUpperCase()}${member.slice(1)}`,
      entry: read(`${folder}/entry.ts`),
    }));
}

function read(file: string): string {
  const path = join(project, FOLDER, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

const imports = (parts: readonly Part[]): string =>
  parts
    .map(({ from, member, name }) => `import { ${member} as ${name} } from '${from}';\n`)
    .join('');
const names = (parts: readonly Part[]): string => parts.map(({ name }) => name).join();

function entriesText(): string {
  const all = partsOf('entry.ts', 'entry');
  return formatted(
    'entries.ts',
    `import type { FeatureEntry } from '${ENTRY}';\n${imports(all)}
    export const featureEntries: readonly FeatureEntry[] = [${names(all)}];`,
  );
}

/** A member of an entry, which is a text. */
function saidIn({ entry }: Part, member: string): string {
  return new RegExp(`^ {2}${member}: '([^']*)'`, 'm').exec(entry)?.[1] ?? '';
}

/** The screens of a script by their paths, and what else it has. */
function scriptText(script: keyof typeof TYPES): string {
  const screens = partsOf('screen.tsx', 'Screen').filter((one) => saidIn(one, 'script') === script);
  const keepers = script === 'officers' ? partsOf('keeper.ts', 'keeper') : [];
  const spots =
    script === 'seldom'
      ? Object.entries(IN_SPOTS).flatMap(([file, members]) =>
          members.map((member) => ({ member, parts: partsOf(file, member) })),
        )
      : [];
  const paths = screens.map((one) => `${JSON.stringify(saidIn(one, 'path'))}: ${one.name}, `);
  return formatted(
    `${script}.ts`,
    `import type { Screens } from '${SCREEN}';
    ${TYPES[script]}
    ${imports([...screens, ...keepers, ...spots.flatMap(({ parts }) => parts)])}
    export const featureScreens: Screens = {${paths.join('')}};
    ${script === 'seldom' ? `export const featureSpots: InSpots = {${spots.map(({ member, parts }) => `${member}: [${names(parts)}], `).join('')}};` : ''}
    ${script === 'officers' ? `export const featureKeepers: readonly Keeper[] = [${names(keepers)}];` : ''}`,
  );
}

function styleText(): string {
  const all = readdirSync(join(project, FOLDER)).sort();
  const own = all.filter((folder) => existsSync(join(project, FOLDER, folder, 'style.css')));
  return formatted('features.css', own.map((one) => `@import "./${one}/style.css";\n`).join(''));
}

function formatted(file: string, text: string): string {
  const note = `Generated from ${FOLDER}/ by "npm run generate"; do not edit.`;
  const said = file.endsWith('.css') ? `/* ${note} */` : `// ${note}`;
  return execFileSync(
    process.execPath,
    [BIOME, 'check', '--write', `--stdin-file-path=${FOLDER}/${file}`],
    { cwd: project, input: `${said}\n\n${text}`, encoding: 'utf8' },
  );
}

/** The lists, by their files. */
export const consoleLists = [
  { path: `${FOLDER}/entries.ts`, text: entriesText },
  { path: `${FOLDER}/seldom.ts`, text: () => scriptText('seldom') },
  { path: `${FOLDER}/importing.ts`, text: () => scriptText('importing') },
  { path: `${FOLDER}/integrating.ts`, text: () => scriptText('integrating') },
  { path: `${FOLDER}/officers.ts`, text: () => scriptText('officers') },
  { path: `${FOLDER}/features.css`, text: styleText },
];
