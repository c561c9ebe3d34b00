/** The import rules of `docs/architecture.md`, and the search for breaches of them. */
import { posix } from 'node:path';

/** Source text by path, from the project's folder: `src/edge/server/server.ts`. */
export type Sources = ReadonlyMap<string, string>;

/**
 * What each room may import besides itself. A room is a folder or a file of
 * `src/`, or of the project; the longest that fits counts.
 */
export type Law = Readonly<Record<string, readonly string[]>>;

/** What is below everything else, and the promises of the store. */
const BELOW = ['core/schema', 'core/errors', 'core/observe'];
const PROMISES = [
  'core/pace',
  'core/objects',
  'store/promises/store',
  'store/promises/account-book',
  'store/promises/keys',
  'store/promises/log',
  'store/promises/requests',
  'store/promises/audit',
  'store/promises/search',
  'store/promises/snapshot',
  'store/promises/fixed-tables',
  'store/promises/backup-book',
  'store/promises/erasing',
  'store/promises/imports',
  'store/promises/webhooks',
  'store/promises/refusals',
  'store/promises/staff',
  'store/promises/self-tests',
  ...BELOW,
];

export const law: Law = {
  'core/errors': [],
  'core/observe': [],
  'core/fair': [],
  'core/network': [],
  'core/outbound': ['core/network', 'core/fair'],
  'services/sample': [],
  'services/images': ['core/outbound', 'core/fair', 'core/schema', 'core/errors'],
  'core/rate': [],
  'core/garbage': [],
  'core/pace': [],
  'core/temporary': [],
  'core/json-source.d': ['core/schema'],
  'core/schema': ['core/errors', 'core/observe'],
  'core/resources': ['core/schema'],
  'core/objects': ['core/errors', 'core/rate', 'core/schema'],
  'core/registry': ['core/resources', 'core/schema', 'core/errors'],
  'store/promises/account-book': ['core/objects', 'store/promises/stored'],
  'store/promises/keys': ['core/objects'],
  'store/promises/log': [],
  'store/promises/requests': ['core/objects'],
  'store/promises/audit': ['core/objects'],
  'store/promises/fixed-tables': ['core/objects'],
  'store/promises/backup-book': [],
  'store/promises/erasing': ['core/objects'],
  'store/promises/stored': ['core/objects'],
  'store/promises/search': ['core/objects', 'store/promises/stored', ...BELOW],
  'store/loading': [
    'store/promises/fixed-tables',
    'store/promises/log',
    'store/promises/snapshot',
    'store/promises/stored',
    ...BELOW,
  ],
  'store/promises/snapshot': [
    'store/promises/fixed-tables',
    'store/promises/log',
    'store/promises/stored',
    ...BELOW,
  ],
  'store/promises/store': [
    'store/promises/account-book',
    'store/promises/audit',
    'store/promises/backup-book',
    'store/promises/erasing',
    'store/promises/keys',
    'store/promises/log',
    'store/promises/requests',
    'store/promises/search',
    'store/promises/snapshot',
    'store/promises/stored',
    'store/promises/staff',
    'store/promises/self-tests',
    'store/promises/imports',
    'store/promises/webhooks',
    ...BELOW,
  ],
  'store/promises/imports': ['core/objects'],
  'store/promises/webhooks': ['core/objects'],
  'store/promises/staff': ['core/objects'],
  'store/promises/self-tests': ['core/objects'],
  'store/promises/refusals': ['store/promises/store', ...BELOW],
  'store/records/content': ['store', 'store/promises/store', ...BELOW],
  'store/believed-time': PROMISES,
  'store/emptying': PROMISES,
  'store/records/versions': ['store', ...PROMISES],
  'store/records/judge': ['store', 'store/records/content', 'store/records/corrected', ...PROMISES],
  'store/records/corrected': ['store', 'store/records/content', ...PROMISES],
  'store/books': ['store', 'store/emptying', 'store/loading', 'store/promises/stored', ...PROMISES],
  store: PROMISES,
  'core/tables': BELOW,
  'services/transfer': [],
  'services/import': [
    ...[
      'records/auth',
      'records/changes',
      'client',
      'core/fair',
      'records/ingest',
      'core/tables',
      'services/resuming',
      'services/transfer',
    ],
    ...PROMISES,
  ],
  'services/export': ['records/query', 'core/tables', 'services/transfer', ...PROMISES],
  'store/sqlite': [
    'core/garbage',
    'store',
    'store/books',
    'store/emptying',
    'store/records/content',
    'store/records/judge',
    'store/loading',
    'store/promises/stored',
    ...PROMISES,
  ],
  'store/postgres': [
    'core/network',
    'store',
    'store/books',
    'store/emptying',
    'store/records/content',
    'store/records/judge',
    'store/loading',
    'store/promises/stored',
    ...PROMISES,
  ],
  'store/open': [
    'core/config',
    'core/registry',
    'store/sqlite',
    'store/postgres',
    'store/loading',
    'store/promises/store',
    ...BELOW,
  ],
  'services/backup': [
    'core/temporary',
    ...[
      'services/transfer',
      'store',
      'store/records/versions',
      'store/loading',
      'store/promises/stored',
    ],
    ...PROMISES,
  ],
  'services/moments': [
    'services/erasures',
    'services/transfer',
    'services/backup',
    'core/config',
    'store/open',
    'core/registry',
    ...PROMISES,
  ],
  'records/auth': ['core/network', 'core/rate', ...PROMISES],
  'services/staff': ['records/auth', 'core/fair', ...PROMISES],
  'records/ingest': [
    'records/auth',
    'core/fair',
    'store/records/versions',
    'store/records/content',
    'store/records/judge',
    'store',
    ...PROMISES,
  ],
  'records/changes': ['records/auth', 'core/fair', 'store/records/versions', ...PROMISES],
  'records/query': [
    'records/auth',
    'core/fair',
    'records/changes',
    'store/records/versions',
    ...PROMISES,
  ],
  'records/corrections': ['records/auth', 'core/fair', 'records/query', ...PROMISES],
  'edge/operations': [
    ...[
      'records/auth',
      'records/changes',
      'records/corrections',
      'core/fair',
      'records/ingest',
      'records/query',
      'services/audit',
      'services/requests',
      'services/self-tests',
      'services/erasures',
      'services/holds',
      'services/retention',
      'services/locations',
      'services/sources',
      'services/syncs',
      'services/expectations',
      'services/webhooks',
    ],
    ...PROMISES,
  ],
  'edge/reference': [],
  'edge/site': ['console/src', 'core/schema'],
  'console/src': ['client', 'core/schema'],
  'services/requests': PROMISES,
  'services/audit': PROMISES,
  'services/erasures': [
    'records/auth',
    'records/query',
    'services/holds',
    'services/webhooks',
    'core/sealing',
    ...PROMISES,
  ],
  'services/holds': ['records/auth', ...PROMISES],
  'services/retention': ['records/auth', 'records/query', 'store', ...PROMISES],
  'services/self-tests': ['records/auth', ...PROMISES],
  'services/syncs': [
    'records/auth',
    'records/ingest',
    'core/fair',
    'services/resuming',
    'services/staff',
    ...PROMISES,
  ],
  'services/sources': ['records/auth', ...PROMISES],
  'services/locations': ['records/auth', ...PROMISES],
  'services/expectations': ['records/auth', ...PROMISES],
  'core/sealing': [],
  'services/webhooks': [
    'records/auth',
    'records/changes',
    'core/fair',
    'core/outbound',
    'core/sealing',
    ...PROMISES,
  ],
  edge: [
    'services/audit',
    'core/temporary',
    'services/images',
    'records/ingest',
    'records/query',
    'records/corrections',
    'records/changes',
    'records/auth',
    'services/staff',
    'core/fair',
    'core/network',
    'core/rate',
    'services/requests',
    'services/self-tests',
    'services/erasures',
    'services/holds',
    'services/retention',
    'services/locations',
    'services/sources',
    'services/syncs',
    'services/expectations',
    'edge/operations',
    'edge/reference',
    'core/tables',
    'edge/site',
    'services/transfer',
    'services/export',
    'services/import',
    'services/webhooks',
    ...PROMISES,
  ],
  'core/config': ['core/network', 'core/rate', 'core/schema', 'core/observe'],
  'services/resuming': ['core/fair'],
  'services/upkeep': PROMISES,
  app: [
    'records/corrections',
    'services/locations',
    'services/self-tests',
    'services/sources',
    'services/audit',
    'services/erasures',
    'services/holds',
    'services/retention',
    'services/syncs',
    'services/import',
    'services/resuming',
    'core/temporary',
    'services/upkeep',
    'services/moments',
    'core/resources',
    'edge',
    'services/images',
    'records/ingest',
    'records/query',
    'records/auth',
    'services/staff',
    'core/fair',
    'core/network',
    'core/outbound',
    'core/sealing',
    'services/webhooks',
    'services/requests',
    'services/expectations',
    'edge/operations',
    'core/config',
    'store/open',
    'store/believed-time',
    ...PROMISES,
  ],
  cli: [
    'core/garbage',
    'core/temporary',
    'services/backup',
    'records/ingest',
    'services/locations',
    'services/sources',
    'services/syncs',
    'services/expectations',
    'services/holds',
    'services/retention',
    'services/erasures',
    'services/moments',
    'app',
    'services/sample',
    'store/open',
    'core/registry',
    'records/auth',
    'services/staff',
    'records/changes',
    'records/query',
    'core/schema',
    'core/objects',
    'core/config',
    'core/network',
    'core/sealing',
    'edge/operations',
    'core/outbound',
    'services/webhooks',
    'core/rate',
    'core/tables',
    'services/transfer',
    'services/export',
    'services/import',
    'store/promises/account-book',
    'store/promises/backup-book',
    'store/promises/erasing',
    'store/believed-time',
    'store/emptying',
    'store/promises/imports',
    'store/promises/store',
    'store/promises/keys',
    'store/promises/requests',
    'store/promises/audit',
    'store/promises/staff',
    'services/audit',
    'services/requests',
    'core/errors',
    'core/observe',
    // What calls a service does it as partners do.
    'client',
  ],
  main: ['cli', 'app', 'core/config', 'core/errors', 'core/observe'],
  scripts: [
    'core/resources',
    'core/objects',
    'services/sample',
    'edge',
    'edge/operations',
    'edge/reference',
    'core/config',
    'core/schema',
    'core/errors',
    'store/sqlite',
  ],
  client: [],
  bench: [
    'core/registry',
    'records/auth',
    'core/schema',
    'store',
    'store/promises/store',
    'store/open',
    'store/postgres',
  ],
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
    room !== 'core/fair' && path !== OWN_TURNS && OWN_LIMIT.test(text)
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
