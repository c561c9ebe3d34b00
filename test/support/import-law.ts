/** Who may import whom: the law of `docs/architecture.md`, and what finds the breaches of it. */
import { posix } from 'node:path';

/** Source text by path, from `src/`: `http/server.ts`. */
export type Sources = ReadonlyMap<string, string>;

/** What each room may import besides itself. A room is a folder or a file; the longest that fits counts. */
export type Law = Readonly<Record<string, readonly string[]>>;

const PROMISES = ['store', 'schema', 'errors', 'observe'];

export const law: Law = {
  errors: [],
  observe: [],
  'json-source.d': ['schema'],
  schema: ['errors', 'observe'],
  resources: ['schema'],
  store: ['schema', 'errors', 'observe'],
  'store/sqlite': PROMISES,
  'store/postgres': PROMISES,
  'store/open': ['store/sqlite', 'store/postgres', ...PROMISES],
  fair: [],
  network: [],
  rate: [],
  auth: ['store', 'network', 'errors', 'observe'],
  ingest: ['auth', 'fair', ...PROMISES],
  query: ['auth', ...PROMISES],
  openapi: ['schema', 'errors'],
  changes: PROMISES,
  http: ['ingest', 'query', 'auth', 'fair', 'network', 'changes', 'openapi', ...PROMISES],
  config: ['network', 'rate', 'observe'],
  app: [
    'resources',
    'http',
    'ingest',
    'query',
    'auth',
    'fair',
    'network',
    'changes',
    'openapi',
    'config',
    'store/open',
    ...PROMISES,
  ],
  cli: ['app', 'config', 'network', 'rate', 'errors', 'observe', 'store'],
  main: ['cli', 'app', 'config', 'errors', 'observe'],
};

const ADAPTERS = ['store/sqlite/', 'store/postgres/'];
const MAX_LINES = 400;
const MAX_FOLDERS = 3;
/** The rooms that may look at the environment. */
const READ_ENVIRONMENT = new Set(['config', 'cli', 'main']);

/** Every breach of the law, in words. */
export function breachesOf(sources: Sources, rooms: Law = law): string[] {
  const graph = new Map([...sources].map(([path, text]) => [path, importsOf(path, text)]));
  return [
    ...[...graph].flatMap(([path, imports]) =>
      imports.flatMap((imported) => {
        if (!sources.has(imported)) return [];
        return mayImport(path, imported, rooms)
          ? []
          : [`src/${path} may not import src/${imported}`];
      }),
    ),
    ...cyclesOf(graph),
    ...namesakesOf(sources),
    ...[...sources].flatMap(([path, text]) => habitsOf(path, text, rooms)),
  ];
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

function roomOf(path: string, rooms: Law): string | undefined {
  const plain = path.replace(/\.ts$/, '');
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
      cycles.push(
        `import cycle: ${[...way.slice(start), path].map((one) => `src/${one}`).join(' → ')}`,
      );
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
 * name the same things alike: neither sees the other.
 */
function namesakesOf(sources: Sources): string[] {
  const files = new Map<string, string[]>();
  for (const [path, text] of sources) {
    for (const [, name = ''] of text.matchAll(
      /^export (?:declare |abstract )*(?:interface|type|class|enum) (\w+)/gm,
    ))
      files.set(name, [...(files.get(name) ?? []), path]);
  }
  return [...files].flatMap(([name, paths]) =>
    ADAPTERS.every((own) => paths.filter((path) => isBeside(path, own)).length < 2)
      ? []
      : [`${name} is the name of a type in ${paths.map((path) => `src/${path}`).join(' and in ')}`],
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
    room === undefined ? `src/${path} is in no room of the law` : '',
    lines > MAX_LINES ? `src/${path} has ${lines} lines, and ${MAX_LINES} are the most` : '',
    path.split('/').length - 1 > MAX_FOLDERS
      ? `src/${path} is more than ${MAX_FOLDERS} folders deep`
      : '',
    /\bprocess\s*\.\s*env\b|\bnode:process\b/.test(text) && !READ_ENVIRONMENT.has(room ?? '')
      ? `src/${path} may not read process.env`
      : '',
  ].filter((breach) => breach !== '');
}
