/**
 * Writes the lists of features, one for each door, from the folders of `src/features/`, and those of the console. It
 * imports nothing of `src/`, so that it works where a folder has just been deleted.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { consoleLists } from './console-features.ts';
import { commandsText } from './features/commands.ts';
import { type Feature, featureWith } from './features/feature.ts';
import { servesText } from './features/services.ts';
import { DOORS } from './import-law.ts';

const project = join(import.meta.dirname, '..');
const FOLDER = 'src/features';
const BIOME = 'node_modules/@biomejs/biome/bin/biome';

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
/** The features whose objects write records. */
const acting = (features: readonly Feature[]) => features.filter(({ exports }) => exports('actor'));
/** The feature that announces states of objects of others. */
const announcing = (features: readonly Feature[]) =>
  features.filter(({ exports }) => exports('announcer'));
/** The feature that knows whom nobody is to contact. */
const registering = (features: readonly Feature[]) =>
  features.filter(({ exports }) => exports('register'));
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
  ) => `${registering(them).length === 0 ? "import { noRegister } from '../store/books/contacts.ts';" : ''}
    import type { ${announcing(them).length === 0 ? 'Announce, ' : ''}BookParts, BookStatement, BookTables, FindSaid, FindsActor } from '../store/books/tables.ts';

    export const featureRefuseTooOld = [${list(them, 'refuseTooOld')}] as const;
    export const featureKeepers: readonly string[] = [${list(them, 'keeper')}];
    export const featureSettling: readonly ((
      now: number,
    ) => readonly [BookStatement, ...(string | number)[]])[] = [${list(them, 'settling')}];
    /** Gives what hangs on a key to the key that replaces it. */
    export const featureSucceeding: readonly ((
      old: string,
      successor: string,
    ) => readonly [BookStatement, ...string[]])[] = [${list(them, 'succeeding')}];
    /** Announces states of objects; it does nothing where no feature announces. */
    export const announcerOf = ${announcing(them).map(({ name }) => `${name}.announcer`)[0] ?? '(_store: unknown): Announce => async () => []'};
    /** Knows whom nobody is to contact; nobody where no feature does. */
    export const registerOf = ${registering(them).map(({ name }) => `${name}.register`)[0] ?? '(_store: unknown) => noRegister'};
    export const featureBooks = (${unused(them)}tables: BookTables, ${unused(them)}parts: BookParts) => (${each(them, ({ name }) => `${name}.book(tables, parts)`)});
    /** Who writes records, beside keys and people: by the beginning of their identifiers, whom they are called. */
    export const featureActors = (
      ${acting(them).length === 0 ? '_' : ''}books: ReturnType<typeof featureBooks>,
    ): readonly FindsActor[] => [${acting(them)
      .map(({ name }) => `${name}.actor(books.${name})`)
      .join()}];
    export const featureSaid = (
      ${saying(them).length === 0 ? '_' : ''}books: ReturnType<typeof featureBooks>,
    ): Readonly<Record<string, FindSaid>> => ({${saying(them)
      .map(({ name }) => `...${name}.said(books.${name}), `)
      .join('')}});`,
  serves: servesText,
  operations: (
    them,
  ) => `import type { OperationsOf } from '../edge/operations/operation.ts'; import type { HandlersOf } from '../edge/request/operations.ts'; import type { AddsRoutes } from '../edge/request/routes.ts';

    export const featureOperations: readonly OperationsOf[] = [${list(them, 'operations')}];
    /** They answer operations that have no \`run\`. */
    export const featureHandlers: readonly HandlersOf[] = [${list(them, 'handlers')}];
    /** They add what only the console has. */
    export const featureRoutes: readonly AddsRoutes[] = [${list(them, 'routes')}];
    /** The names in the reference that their operations are listed under. */
    export const featureTags = [${list(them, 'tag')}];`,
  requests: (them) => `import type { RequestWatch } from '../edge/operations/operation.ts';

    export const featureWatches: readonly RequestWatch[] = [${list(them, 'watch')}];`,
  command: (them) => commandsText(them, featuresWith('operations')),
};

/** The features that have a door. */
function featuresWith(door: keyof typeof DOORS): readonly Feature[] {
  return readdirSync(join(project, FOLDER), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, file: join(project, FOLDER, name, `${door}.ts`) }))
    .filter(({ file }) => existsSync(file))
    .map(({ name, file }) => featureWith(name, readFileSync(file, 'utf8')));
}

/** Doors whose lists load a feature when it is wanted. */
const LATER: ReadonlySet<string> = new Set(['command', 'serves']);

/** The list of a door. */
export function featuresText(door: keyof typeof DOORS): string {
  const features = featuresWith(door);
  const imports = features.map(
    ({ name, folder }) => `import * as ${name} from './${folder}/${door}.ts';\n`,
  );
  const text = `// Generated from ${FOLDER}/ by "npm run generate"; do not edit.\n
${LATER.has(door) ? '' : `${imports.join('')}\n`}${LISTS[door](features)}`;
  const file = `--stdin-file-path=${FOLDER}/${door}.ts`;
  return execFileSync(process.execPath, [BIOME, 'check', '--write', file], {
    cwd: project,
    input: text,
    encoding: 'utf8',
  });
}

/** The lists, by their files. */
export const featureLists = [
  ...(Object.keys(DOORS) as (keyof typeof DOORS)[]).map((door) => ({
    path: `${FOLDER}/${door}.ts`,
    text: () => featuresText(door),
  })),
  ...consoleLists,
];

if (import.meta.main)
  for (const { path, text } of featureLists) writeFileSync(join(project, path), text());
