/**
 * Writes the lists of features, one for each door, from the folders of `src/features/`. It imports nothing of `src/`, so
 * that it works where a folder has just been deleted.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOORS } from './import-law.ts';

const project = join(import.meta.dirname, '..');
const FOLDER = 'src/features';
const BIOME = 'node_modules/@biomejs/biome/bin/biome';

/** A feature with a door: its folder, its name in the list, and what the door exports. */
interface Feature {
  readonly folder: string;
  readonly name: string;
  readonly exports: (member: string) => boolean;
}

type List = (features: readonly Feature[]) => string;

/** What all features export of that name, as one. */
const all = (features: readonly Feature[], member: string): string =>
  features
    .filter(({ exports }) => exports(member))
    .map(({ name }) => `...${name}.${member}, `)
    .join('');
/** What each feature exports of that name. */
const list = (features: readonly Feature[], member: string): string =>
  features.flatMap(({ name, exports }) => (exports(member) ? [`${name}.${member}`] : [])).join();
/** One member for each feature. */
const each = (features: readonly Feature[], value: (one: Feature) => string): string =>
  `{${features.map((one) => `${one.name}: ${value(one)}, `).join('')}}`;
/** The features that say something of records. */
const saying = (features: readonly Feature[]) => features.filter(({ exports }) => exports('said'));
/** The feature that announces states of objects of others. */
const announcing = (features: readonly Feature[]) =>
  features.filter(({ exports }) => exports('announcer'));
/** A member of a command, whose code is read when it is wanted. */
const later = (folder: string, member: string): string =>
  `async () => (await import(${JSON.stringify(`./${folder}/command.ts`)})).${member}`;
const lateList = (features: readonly Feature[], member: string): string =>
  features
    .flatMap(({ folder, exports }) => (exports(member) ? [later(folder, member)] : []))
    .join();
/** Begins the name of a parameter that nobody uses. */
const unused = (features: readonly Feature[]): string => (features.length === 0 ? '_' : '');

const LISTS: Readonly<Record<keyof typeof DOORS, List>> = {
  errors: (them) => `export const featureErrors = {${all(them, 'errors')}};`,
  declares: (
    them,
  ) => `import type { StateNotifications } from '../core/objects/own-object.ts'; import type { OfRoles } from '../core/objects/staff-member.ts';

    export const featureObjects = [${all(them, 'objects')}];
    export const featureTables = [${all(them, 'tables')}];
    export const featureNotifications: readonly StateNotifications[] = [${list(them, 'notifications')}];
    export const featureRights = {${all(them, 'rights')}};
    export const featureActions = [${all(them, 'actions')}] as const;
    export const featureRightsByName = {${all(them, 'rightsByName')}};
    /** Rights that roles have. */
    export const featureRoles: Readonly<Record<string, OfRoles>> = {${all(them, 'roles')}};`,
  says: (them) => `/** Each says something of records of these resources, by true or false. */
    export const featureSays: readonly Readonly<{ name: string; label: string; of: readonly string[]; says: string }>[] = [${list(them, 'says')}];`,
  store: (
    them,
  ) => `import type { ${announcing(them).length === 0 ? 'Announce, ' : ''}BookParts, BookStatement, BookTables, FindSaid } from '../store/books/tables.ts';

    export const featureMarks = [${list(them, 'marks')}] as const;
    export const featureKeepers: readonly string[] = [${list(them, 'keeper')}];
    export const featureSettling: readonly ((
      now: number,
    ) => readonly [BookStatement, ...(string | number)[]])[] = [${list(them, 'settling')}];
    /** Announces states of objects; it does nothing where no feature announces. */
    export const announcerOf = ${announcing(them).map(({ name }) => `${name}.announcer`)[0] ?? '(_store: unknown): Announce => async () => []'};
    export const featureBooks = (${unused(them)}tables: BookTables, ${unused(them)}parts: BookParts) => (${each(them, ({ name }) => `${name}.book(tables, parts)`)});
    export const featureSaid = (
      ${saying(them).length === 0 ? '_' : ''}books: ReturnType<typeof featureBooks>,
    ): Readonly<Record<string, FindSaid>> => ({${saying(them)
      .map(({ name }) => `...${name}.said(books.${name}), `)
      .join('')}});`,
  serves: (them) => `import type { ServeParts } from '../services/served.ts';

    export const featureChecks: readonly ((parts: ServeParts) => Promise<void>)[] = [${list(them, 'check')}];
    export const serveFeatures = (${unused(them)}parts: ServeParts) => (${each(them, ({ name }) => `${name}.serve(parts)`)});

    type Features = ReturnType<typeof serveFeatures>;
    export type FeatureServices = ReturnType<typeof servicesOf>;
    export const servicesOf = (${unused(them)}features: Features) => (${each(them, ({ name }) => `features.${name}.service`)});`,
  operations: (them) => `import type { OperationsOf } from '../edge/operations/operation.ts';

    export const featureOperations: readonly OperationsOf[] = [${list(them, 'operations')}];
    /** The names in the reference that their operations are listed under. */
    export const featureTags = [${list(them, 'tag')}];`,
  requests: (them) => `import type { RequestWatch } from '../edge/operations/operation.ts';

    export const featureWatches: readonly RequestWatch[] = [${list(them, 'watch')}];`,
  command: (them) => `import type { Finds, FindsStates, SaysRestored } from '../cli/store.ts';

    export const featureCommands = ${each(them, ({ folder }) => later(folder, 'add'))};
    export const featureFinds: readonly (() => Promise<Finds>)[] = [${lateList(them, 'finds')}];
    export const featureRestored: readonly (() => Promise<SaysRestored>)[] = [${lateList(them, 'restored')}];
    export const featureStates: readonly (() => Promise<FindsStates>)[] = [${lateList(them, 'states')}];`,
};

/** The list of a door. */
export function featuresText(door: keyof typeof DOORS): string {
  const features = readdirSync(join(project, FOLDER), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, file: join(project, FOLDER, name, `${door}.ts`) }))
    .filter(({ file }) => existsSync(file))
    .map(({ name: folder, file }) => {
      const text = readFileSync(file, 'utf8');
      const exports = (member: string) =>
        new RegExp(`^export (?:const|(?:async )?function) ${member}\\b`, 'm').test(text);
      return { folder, name: folder.replace(/-(.)/g, (_, one) => one.toUpperCase()), exports };
    });
  const imports = features.map(
    ({ name, folder }) => `import * as ${name} from './${folder}/${door}.ts';\n`,
  );
  const text = `// Generated from ${FOLDER}/ by "npm run generate"; do not edit.\n
${door === 'command' ? '' : `${imports.join('')}\n`}${LISTS[door](features)}`;
  const file = `--stdin-file-path=${FOLDER}/${door}.ts`;
  return execFileSync(process.execPath, [BIOME, 'check', '--write', file], {
    cwd: project,
    input: text,
    encoding: 'utf8',
  });
}

/** The lists, by their files. */
export const featureLists = (Object.keys(DOORS) as (keyof typeof DOORS)[]).map((door) => ({
  path: `${FOLDER}/${door}.ts`,
  text: () => featuresText(door),
}));

if (import.meta.main)
  for (const { path, text } of featureLists) writeFileSync(join(project, path), text());
