/** Who may import whom: the law of `docs/architecture.md`, and what finds the breaches of it. */
import { posix } from 'node:path';

/** Source text by path, from the project's folder: `src/http/server.ts`. */
export type Sources = ReadonlyMap<string, string>;

/**
 * What each room may import besides itself. A room is a folder or a file of
 * `src/`, or of the project; the longest that fits counts.
 */
export type Law = Readonly<Record<string, readonly string[]>>;

/** What is below everything else, and the promises of the store. */
const BELOW = ['schema', 'errors', 'observe'];
const PROMISES = [
  'objects',
  'store/store',
  'store/account-book',
  'store/keys',
  'store/log',
  'store/requests',
  'store/search',
  'store/snapshot',
  'store/fixed-tables',
  'store/backup-book',
  'store/imports',
  'store/webhooks',
  'store/refusals',
  'store/staff',
  'store/self-tests',
  ...BELOW,
];

export const law: Law = {
  errors: [],
  observe: [],
  fair: [],
  network: [],
  outbound: ['network', 'fair'],
  sample: [],
  images: ['outbound', 'fair', 'schema', 'errors'],
  rate: [],
  temporary: [],
  'json-source.d': ['schema'],
  schema: ['errors', 'observe'],
  resources: ['schema'],
  objects: ['rate', 'schema'],
  registry: ['resources', 'schema', 'errors'],
  'store/account-book': ['store/stored'],
  'store/keys': ['objects'],
  'store/log': [],
  'store/requests': [],
  'store/fixed-tables': ['objects'],
  'store/backup-book': [],
  'store/stored': [],
  'store/search': ['store/stored', ...BELOW],
  'store/loading': ['store/fixed-tables', 'store/log', 'store/snapshot', 'store/stored', ...BELOW],
  'store/snapshot': ['store/fixed-tables', 'store/log', 'store/stored', ...BELOW],
  'store/store': [
    'store/account-book',
    'store/backup-book',
    'store/keys',
    'store/log',
    'store/requests',
    'store/search',
    'store/snapshot',
    'store/stored',
    'store/staff',
    'store/self-tests',
    'store/imports',
    'store/webhooks',
    ...BELOW,
  ],
  'store/imports': ['store/log'],
  'store/webhooks': ['objects'],
  'store/staff': ['objects'],
  'store/self-tests': [],
  'store/refusals': ['store/store', ...BELOW],
  'store/content': ['store', 'store/store', ...BELOW],
  'store/believed-time': PROMISES,
  'store/emptying': PROMISES,
  'store/versions': ['store', ...PROMISES],
  'store/judge': ['store', 'store/content', ...PROMISES],
  'store/books': ['store', 'store/emptying', 'store/loading', 'store/stored', ...PROMISES],
  store: PROMISES,
  tables: BELOW,
  transfer: [],
  'transfer/import': [
    ...['auth', 'changes', 'client', 'fair', 'ingest', 'tables', 'transfer'],
    ...PROMISES,
  ],
  'transfer/export': ['query', 'tables', 'transfer', ...PROMISES],
  'store/sqlite': [
    'store',
    'store/books',
    'store/emptying',
    'store/content',
    'store/judge',
    'store/loading',
    'store/stored',
    ...PROMISES,
  ],
  'store/postgres': [
    'store',
    'store/books',
    'store/emptying',
    'store/content',
    'store/judge',
    'store/loading',
    'store/stored',
    ...PROMISES,
  ],
  'store/open': ['store/sqlite', 'store/postgres', 'store/loading', 'store/store', ...BELOW],
  'transfer/backup': [
    'temporary',
    ...['transfer', 'store', 'store/versions', 'store/loading', 'store/stored'],
    ...PROMISES,
  ],
  moments: ['transfer', 'transfer/backup', 'config', 'open-store', 'registry', ...PROMISES],
  auth: ['network', 'rate', ...PROMISES],
  staff: ['auth', 'fair', ...PROMISES],
  ingest: ['auth', 'fair', 'store/versions', 'store/content', 'store/judge', ...PROMISES],
  changes: ['auth', 'fair', 'store/versions', ...PROMISES],
  query: ['auth', 'fair', 'changes', 'store/versions', ...PROMISES],
  openapi: ['objects', 'operations', 'requests', 'schema', 'errors'],
  operations: [
    ...['auth', 'changes', 'fair', 'ingest', 'query', 'requests', 'self-tests', 'webhooks'],
    ...PROMISES,
  ],
  reference: [],
  console: ['console/src', 'schema'],
  'console/src': ['client', 'schema'],
  requests: PROMISES,
  'self-tests': ['auth', ...PROMISES],
  sealing: [],
  webhooks: ['auth', 'changes', 'fair', 'outbound', 'sealing', ...PROMISES],
  http: [
    'temporary',
    'images',
    'ingest',
    'query',
    'changes',
    'auth',
    'staff',
    'fair',
    'network',
    'rate',
    'requests',
    'self-tests',
    'openapi',
    'operations',
    'reference',
    'tables',
    'console',
    'transfer',
    'transfer/export',
    'transfer/import',
    'webhooks',
    ...PROMISES,
  ],
  config: ['network', 'rate', 'schema', 'observe'],
  'open-store': ['registry', 'config', 'store/open', 'store/store', 'store/loading'],
  upkeep: PROMISES,
  app: [
    'temporary',
    'upkeep',
    'moments',
    'open-store',
    'resources',
    'http',
    'images',
    'ingest',
    'query',
    'auth',
    'staff',
    'fair',
    'network',
    'outbound',
    'sealing',
    'webhooks',
    'requests',
    'openapi',
    'operations',
    'config',
    'store/open',
    'store/believed-time',
    ...PROMISES,
  ],
  cli: [
    'temporary',
    'transfer/backup',
    'ingest',
    'moments',
    'app',
    'sample',
    'open-store',
    'registry',
    'auth',
    'staff',
    'changes',
    'schema',
    'objects',
    'config',
    'network',
    'sealing',
    'operations',
    'outbound',
    'webhooks',
    'rate',
    'tables',
    'transfer',
    'transfer/export',
    'transfer/import',
    'store/account-book',
    'store/backup-book',
    'store/believed-time',
    'store/emptying',
    'store/imports',
    'store/store',
    'store/keys',
    'store/requests',
    'store/staff',
    'requests',
    'errors',
    'observe',
    // What calls a service does it as partners do.
    'client',
  ],
  main: ['cli', 'app', 'config', 'errors', 'observe'],
  scripts: [
    'resources',
    'objects',
    'sample',
    'http',
    'openapi',
    'operations',
    'reference',
    'config',
    'schema',
    'errors',
    'store/sqlite',
  ],
  client: [],
  bench: ['registry', 'auth', 'schema', 'store', 'store/store', 'store/open', 'store/postgres'],
};

const ADAPTERS = ['src/store/sqlite/', 'src/store/postgres/'];
const MAX_LINES = 400;
const MAX_FOLDERS = 4;
/** The rooms that may look at the environment. */
const READ_ENVIRONMENT = new Set(['config', 'cli', 'main', 'bench']);

/** Work that is limited by a semaphore or a count, with no turns and no shares. */
const OWN_LIMIT = /Semaphore|\b(?:waiting|running)(?:\.size)?\s*>=?\s*[A-Z]/;
/** It queues records of one commit rather than work, with keys in turn and a share for each. */
const OWN_TURNS = 'src/ingest/one/group-commit.ts';
const SAME_GROUP = /\bslots(?:\[[^\]]+\]|\.\w+)?\.(?:acquire|run)\(\s*['"`]/i;

/** Every breach of the law, in words. */
export function breachesOf(sources: Sources, rooms: Law = law): string[] {
  const graph = new Map([...sources].map(([path, text]) => [path, importsOf(path, text)]));
  return [
    ...[...graph].flatMap(([path, imports]) =>
      imports.flatMap((imported) => {
        if (!sources.has(imported)) return [];
        return mayImport(path, imported, rooms) ? [] : [`${path} may not import ${imported}`];
      }),
    ),
    ...cyclesOf(new Map([...graph].filter(([path]) => !isGenerated(path)))),
    ...namesakesOf(sources),
    ...[...sources].flatMap(([path, text]) => habitsOf(path, text, rooms)),
  ];
}

/** Nobody reads it from the top, and what it imports its generator says. */
function isGenerated(path: string): boolean {
  return path.includes('/generated/');
}

/** The law as a table of `docs/architecture.md`. */
export function lawTable(rooms: Law = law): string {
  const rows = Object.entries(rooms)
    .filter(([room]) => !room.endsWith('.d'))
    .map(([room, others]) => `| \`${room}\` | ${inShort(others).join(', ') || 'nothing'} |`);
  return ['| Room | May import |', '|---|---|', ...rows].join('\n');
}

function inShort(others: readonly string[]): string[] {
  const has = (group: readonly string[]): boolean => group.every((one) => others.includes(one));
  const [group, name] = has(PROMISES) ? [PROMISES, 'promises'] : has(BELOW) ? [BELOW, 'below'] : [];
  const single = others.filter((one) => !group?.includes(one)).map((one) => `\`${one}\``);
  return name === undefined ? single : [...single, `*${name}*`];
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

function mayImport(path: string, imported: string, rooms: Law): boolean {
  const from = roomOf(path, rooms);
  const to = roomOf(imported, rooms);
  return (
    from === to || (from !== undefined && to !== undefined && rooms[from]?.includes(to) === true)
  );
}

/** The room that a file is in. */
export function roomOf(path: string, rooms: Law = law): string | undefined {
  const plain = path.replace(/^src\//, '').replace(/\.tsx?$/, '');
  return Object.keys(rooms)
    .filter((room) => plain === room || plain.startsWith(`${room}/`))
    .sort((one, other) => other.length - one.length)[0];
}

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

function habitsOf(path: string, text: string, rooms: Law): string[] {
  const room = roomOf(path, rooms);
  const lines = text.split('\n').length - 1;
  return [
    room === undefined ? `${path} is in no room of the law` : '',
    room !== 'fair' && path !== OWN_TURNS && OWN_LIMIT.test(text)
      ? `${path} limits work by a count of its own: use FairSlots`
      : '',
    SAME_GROUP.test(text) ? `${path} has slots whose group is always the same` : '',
    room === 'client' && /\bfrom\s*['"][^.'"]|\bimport\s*\(?\s*['"][^.'"]/.test(text)
      ? `${path} may import no package`
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
    /\bprocess\s*\.\s*env\b|\bnode:process\b/.test(text) && !READ_ENVIRONMENT.has(room ?? '')
      ? `${path} may not read process.env`
      : '',
  ].filter((breach) => breach !== '');
}
