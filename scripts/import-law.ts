/** The import rules of `docs/architecture.md`, and the search for breaches of them. */
import { posix } from 'node:path';

/** Source text by path, from the project's folder: `src/edge/server/server.ts`. */
export type Sources = ReadonlyMap<string, string>;

/** The layers of `src/`, from the ground up: each may import those below it. */
export const LAYERS = ['core', 'store', 'records', 'services', 'edge', 'app', 'cli', 'main'];

/** The doors of a feature, `src/features/NAME/DOOR.ts`, each with the layer whose law it obeys. */
export const DOORS = {
  errors: 'core',
  declares: 'core',
  says: 'core',
  store: 'store',
  serves: 'services',
  operations: 'edge',
  requests: 'edge',
  command: 'cli',
} as const;

/** Layers whose files may import each other freely. */
const ONE_ROOM = ['edge', 'app', 'cli', 'main'];

/** Rooms by what each lists: a folder of a layer, or the files beside its folders. */
type Rooms = Readonly<Record<string, readonly string[]>>;

/** Rooms of its own layer that a room may import; others may import none. */
export const beside: Rooms = {
  'core/aside': ['core/disk-failure', 'core/settings-error'],
  'core/config': [
    ...['core/network', 'core/observe', 'core/rate', 'core/schema'],
    'core/settings-error',
  ],
  'core/json-source.d': ['core/schema'],
  'core/network': ['core/settings-error'],
  'core/objects': ['core/errors', 'core/rate', 'core/schema'],
  'core/observe': ['core/bounded'],
  'core/outbound': ['core/aside', 'core/bounded', 'core/fair', 'core/network'],
  'core/owners': ['core/disk-failure', 'core/observe'],
  'core/registry': ['core/errors', 'core/resources', 'core/schema'],
  'core/resources': ['core/schema'],
  'core/each-account': ['core/pace'],
  'core/schema': ['core/bounded', 'core/errors', 'core/observe'],
  'core/sealing': ['core/settings-error'],
  'core/tables': ['core/bounded', 'core/schema'],
  'core/temporary': ['core/owners'],
  store: ['store/promises', 'store/records'],
  'store/books': ['store', 'store/promises', 'store/records'],
  'store/open': ['store', 'store/postgres', 'store/promises', 'store/sqlite'],
  'store/postgres': ['store', 'store/books', 'store/promises', 'store/records'],
  'store/promises': ['store/books'],
  'store/records': ['store', 'store/promises'],
  'store/sqlite': ['store', 'store/books', 'store/promises', 'store/records'],
  'records/changes': ['records/auth'],
  'records/corrections': ['records/auth', 'records/query'],
  'records/ingest': ['records/auth'],
  'records/query': ['records/auth', 'records/changes'],
  'services/audit': ['services/every'],
  'services/backup': ['services/transfer'],
  'services/emptying': ['services/jobs'],
  'services/erasures': ['services/jobs', 'services/served'],
  'services/followers': ['services/upkeep'],
  'services/moments': ['services/backup', 'services/erasures', 'services/transfer'],
  'services/requests': ['services/every'],
  'services/served': ['services/followers', 'services/jobs', 'services/upkeep'],
  'services/syncs': ['services/jobs', 'services/staff'],
};

/** Rooms that only these others may import, whatever lies below them. */
export const behind: Rooms = {
  'core/config': ['store/open', 'services/moments', 'app', 'cli', 'main', 'scripts'],
  'core/registry': ['store/open', 'services/moments', 'cli', 'bench', 'scripts'],
  'core/resources': ['core/registry', 'app', 'scripts', 'bin'],
  'store/open': ['services/moments', 'app', 'cli', 'bench', 'scripts'],
  'store/postgres': ['store/open', 'bench'],
  'store/records': [
    ...['store', 'store/books', 'store/postgres', 'store/sqlite'],
    ...['records/changes', 'records/ingest', 'records/query'],
    ...['services/backup', 'bench'],
  ],
  'store/sqlite': ['store/open', 'scripts'],
};

/** What is beside `src/`, with the layers and rooms that it may import. */
export const outside: Rooms = {
  bin: ['core', 'edge', 'manual', 'console/build'],
  bench: ['core', 'store', 'records'],
  client: [],
  'console/build': ['core/schema', 'edge', 'console/src'],
  'console/src': ['client', 'core/schema', 'console/build'],
  manual: ['core/schema', 'edge'],
  scripts: ['core', 'store', 'services/sample', 'edge', 'cli', 'bin', 'manual', 'console/build'],
};

/** Layers that import what is beside `src/`, too. */
const INWARDS: Rooms = {
  client: ['cli'],
  'console/src': ['edge', 'console/build'],
  manual: ['bin', 'scripts'],
  'console/build': ['bin', 'scripts'],
};

const ADAPTERS = ['src/store/sqlite/', 'src/store/postgres/'];
const MAX_LINES = 400;
const MAX_FOLDERS = 5;
/** The rooms that may look at the environment. */
const READ_ENVIRONMENT = new Set(['core/config', 'cli', 'main', 'bench']);

/** Work that is limited by a semaphore or a count, with no turns and no shares. */
const OWN_LIMIT = /Semaphore|\b(?:waiting|running)(?:\.size)?\s*>=?\s*[A-Z]/;
/** It queues records of one commit rather than work, with keys in turn and a share for each. */
const OWN_TURNS = 'src/records/ingest/one/group-commit.ts';
/** Its work was given turns before it came here, and takes sessions in that order. */
const IN_ORDER = 'src/store/postgres/wire/sessions.ts';
const SAME_GROUP = /\bslots(?:\[[^\]]+\]|\.\w+)?\.(?:acquire|run)\(\s*['"`]/i;

/** Every breach of the law, in words. */
export function breachesOf(sources: Sources): string[] {
  const graph = new Map([...sources].map(([path, text]) => [path, importsOf(path, text)]));
  return [
    ...[...graph].flatMap(([path, imports]) =>
      imports.flatMap((imported) => {
        if (!sources.has(imported)) return [];
        return mayImport(path, imported) ? [] : [`${path} may not import ${imported}`];
      }),
    ),
    ...cyclesOf(new Map([...graph].filter(([path]) => !isGenerated(path)))),
    ...namesakesOf(sources),
    ...[...sources].flatMap(([path, text]) => habitsOf(path, text)),
  ];
}

/** Nobody reads it from the top, and what it imports its generator says. */
function isGenerated(path: string): boolean {
  return path.includes('/generated/');
}

/** The law as a table of `docs/architecture.md`. */
export function lawTable(): string {
  const names = (rooms: readonly string[]): string =>
    rooms.map((room) => `\`${room}\``).join(', ') || 'nothing';
  const rows: readonly (readonly [room: string, what: string])[] = [
    ...Object.entries(beside).map(
      ([room, others]) => [room, `in its layer: ${names(others)}`] as const,
    ),
    ...Object.entries(behind).map(
      ([room, others]) => [room, `imported by ${names(others)} alone`] as const,
    ),
    ...Object.entries(outside).map(([room, others]) => [room, names(others)] as const),
  ];
  return [
    '| Room | May import |',
    '|---|---|',
    ...rows
      .filter(([room]) => !room.endsWith('.d'))
      .map(([room, what]) => `| \`${room}\` | ${what} |`),
  ].join('\n');
}

/** The files that a file names in an import, an export from, or an import of a type; `node:` and packages left out. */
export function importsOf(path: string, text: string): string[] {
  const named = text.matchAll(
    /^\s*(?:import|export)\b[^'";]*?\bfrom\s*['"](\.[^'"]+)['"]|\bimport\s*\(?\s*['"](\.[^'"]+)['"]/gm,
  );
  return [...named].map(([, from, direct]) =>
    posix.join(posix.dirname(path), from ?? direct ?? ''),
  );
}

function mayImport(path: string, imported: string): boolean {
  const part = partOf(imported);
  if (part !== undefined && part !== partOf(path) && !PARTS_LISTED.test(path)) return false;
  const from = roomOf(path);
  const to = roomOf(imported);
  if (from === undefined || to === undefined) return false;
  const layer = layerOf(from);
  const below = layerOf(to);
  if (from === to) return true;
  const [own, feature] = [featureOf(from), featureOf(to)];
  // A door is open to its own feature and to the lists of all, of its layer or above; it is in all rooms of its layer, and the list is for them.
  if (feature && own !== feature)
    return own === '' && LAYERS.indexOf(layer) >= LAYERS.indexOf(below);
  const isNamed = (rooms: readonly string[] | undefined, room: string, itsLayer: string) =>
    rooms?.includes(room) === true || rooms?.includes(itsLayer) === true;
  const isBehind = (rooms: readonly string[]) =>
    own === undefined ? !isNamed(rooms, from, layer) : !rooms.some((one) => layerOf(one) === layer);
  if (behind[to] !== undefined && isBehind(behind[to])) return false;
  if (outside[from] !== undefined) return isNamed(outside[from], to, below);
  if (outside[to] !== undefined) return isNamed(INWARDS[to], from, layer);
  if (layer !== below) return LAYERS.indexOf(layer) > LAYERS.indexOf(below);
  return (
    [own, feature].some((one) => one !== undefined) ||
    ONE_ROOM.includes(layer) ||
    beside[from]?.includes(to) === true
  );
}

/** The lists of what features bring to the console. */
const PARTS_LISTED = /^console\/src\/features\/[^/]+$/;

/** The feature whose part of the console a file is in. */
function partOf(path: string): string | undefined {
  return /^console\/src\/features\/([^/]+)\//.exec(path)?.[1];
}

/** The feature of a door; empty for the lists of them, and `undefined` elsewhere. */
function featureOf(room: string): string | undefined {
  return /^\w+\/features\/(.*)/.exec(room)?.[1];
}

function layerOf(room: string): string {
  return room.split('/', 1)[0] ?? room;
}

/** The room that a file is in; `undefined`: the law does not know its layer. */
export function roomOf(path: string): string | undefined {
  const beyond = Object.keys(outside).find((room) => path.startsWith(`${room}/`));
  if (beyond !== undefined) return beyond;
  const [src, layer = '', name = '', ...deeper] = path.replace(/\.tsx?$/, '').split('/');
  if (src === 'src' && layer === 'features') {
    const [door = name, feature = ''] = deeper.length === 0 ? [] : [deeper[0], name];
    const its = DOORS[door as keyof typeof DOORS] as string | undefined;
    return its && `${its}/features/${feature}`;
  }
  if (src !== 'src' || !LAYERS.includes(layer)) return undefined;
  if (name === '') return layer;
  const room = `${layer}/${name}`;
  // Files beside the folders of the store are one room; elsewhere each is one, or belongs to the folder of its name.
  return layer === 'store' && deeper.length === 0 && name !== 'open' ? layer : room;
}

/** Where our own programs read and write JSON, with every number as it was sent. */
const OWN_JSON = 'client/src/json.ts';
const LOSSY_JSON =
  /\bJSON\s*\.\s*(?:parse|stringify)\b|\.json\(\)|\{[^}]*\b(?:parse|stringify)\b[^}]*\}\s*=\s*JSON\b/;

/** Each import that closes a loop, with the way round it. Imports of types count, too. */
function cyclesOf(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, way: readonly string[]): void => {
    const start = way.indexOf(path);
    if (start >= 0) {
      cycles.push(`import cycle: ${[...way.slice(start), path].join(' → ')}`);
      return;
    }
    if (done.has(path)) return;
    for (const imported of graph.get(path) ?? []) visit(imported, [...way, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return cycles;
}

/**
 * Types that two files export under one name. The adapters of the store may
 * name the same things alike: neither sees the other. So may the bench and the
 * service.
 */
function namesakesOf(sources: Sources): string[] {
  const files = new Map<string, string[]>();
  for (const [path, text] of sources) {
    if (!path.startsWith('src/')) continue;
    for (const [, name = ''] of text.matchAll(
      /^export (?:declare |abstract )*(?:interface|type|class|enum) (\w+)/gm,
    ))
      files.set(name, [...(files.get(name) ?? []), path]);
  }
  return [...files].flatMap(([name, paths]) =>
    ADAPTERS.every((own) => paths.filter((path) => isBeside(path, own)).length < 2)
      ? []
      : [`${name} is the name of a type in ${paths.join(' and in ')}`],
  );
}

/** Whether the file is the adapter's own, or in no adapter. */
function isBeside(path: string, own: string): boolean {
  return path.startsWith(own) || !ADAPTERS.some((adapter) => path.startsWith(adapter));
}

function habitsOf(path: string, text: string): string[] {
  const room = roomOf(path);
  const lines = text.split('\n').length - 1;
  return [
    room === undefined ? `${path} is in no room of the law` : '',
    room !== 'core/fair' && path !== OWN_TURNS && OWN_LIMIT.test(text)
      ? `${path} limits work by a count of its own: use FairSlots`
      : '',
    path !== IN_ORDER && SAME_GROUP.test(text)
      ? `${path} has slots whose group is always the same`
      : '',
    room === 'client' && /\bfrom\s*['"][^.'"]|(?<!')\bimport\s*\(?\s*['"][^.'"]/.test(text)
      ? `${path} may import no package`
      : '',
    /^(client|console\/src)\//.test(path) && path !== OWN_JSON && LOSSY_JSON.test(text)
      ? `${path} reads or writes numbers as doubles: use parseJson and toJson of ${OWN_JSON}`
      : '',
    lines > MAX_LINES && !isGenerated(path)
      ? `${path} has ${lines} lines, and ${MAX_LINES} are the most`
      : '',
    path.split('/').length - 1 > MAX_FOLDERS
      ? `${path} is more than ${MAX_FOLDERS} folders deep`
      : '',
    path.startsWith('src/store/') && /\bIf-Match\b|\bETag\b|\bHTTP\b|cascade=true/.test(text)
      ? `${path} speaks of HTTP`
      : '',
    /\bprocess\s*\.\s*env\b|\bnode:process\b/.test(text) &&
    !READ_ENVIRONMENT.has(room ?? '') &&
    !READ_ENVIRONMENT.has(layerOf(room ?? ''))
      ? `${path} may not read process.env`
      : '',
  ].filter((breach) => breach !== '');
}
