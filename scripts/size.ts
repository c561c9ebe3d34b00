/** Prints how large the project is, by room: `npm run size`, or `npm run size -- main` beside the sizes of a commit. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const project = join(import.meta.dirname, '..');

/** Lines of each tracked text file: of the work tree, or of a commit. */
type Lines = ReadonlyMap<string, number>;

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: project, encoding: 'utf8', maxBuffer: 1 << 26 });
}

function linesOf(commit?: string): Lines {
  const counted = git('grep', '-I', '-c', '', ...(commit === undefined ? [] : [commit]), '--');
  return new Map(
    Array.from(counted.matchAll(/^(.*):(\d+)$/gm), ([, path = '', lines]) => [
      commit === undefined ? path : path.slice(commit.length + 1),
      Number(lines),
    ]),
  );
}

const CODE = /\.(ts|tsx)$/;
/** Declarations of what the client also has as source. */
const TWICE = /^client\/types\//;

function sum(lines: Lines, isPart: (path: string) => boolean): number {
  return [...lines].reduce((all, [path, count]) => all + (isPart(path) ? count : 0), 0);
}

function isSource(path: string): boolean {
  return path.startsWith('src/') && CODE.test(path);
}

const TOTALS: readonly (readonly [name: string, isPart: (path: string) => boolean])[] = [
  ['src/ (TypeScript)', isSource],
  ['src/store/ (TypeScript)', (path) => path.startsWith('src/store/') && CODE.test(path)],
  ['console/', (path) => path.startsWith('console/')],
  ['client/', (path) => path.startsWith('client/')],
  ['client/, declared again', (path) => TWICE.test(path)],
  ['test/ (TypeScript)', (path) => path.startsWith('test/') && CODE.test(path)],
  ['docs/ (Markdown)', (path) => path.startsWith('docs/') && path.endsWith('.md')],
  ['scripts/ and bench/', (path) => /^(scripts|bench)\//.test(path) && CODE.test(path)],
  ['openapi.json', (path) => path === 'openapi.json'],
];

/** The room of a file of `src/`: its folder, two levels deep, such as `store/sqlite`. */
function roomOf(path: string): string {
  const [, layer = '', room = ''] = path.split('/');
  return CODE.test(room) || room === '' ? layer : `${layer}/${room}`;
}

function parts(paths: readonly string[]): typeof TOTALS {
  const rooms = new Set(paths.filter(isSource).map(roomOf));
  return [
    ...TOTALS,
    ...[...rooms]
      .sort()
      .map(
        (room) =>
          [`src/${room}`, (path: string) => isSource(path) && roomOf(path) === room] as const,
      ),
  ];
}

const [commit] = process.argv.slice(2);
const now = linesOf();
const before = commit === undefined ? undefined : linesOf(commit);
const print = (name: string, ...columns: readonly (string | number)[]): void =>
  console.log(name.padEnd(28) + columns.map((column) => `${column}`.padStart(12)).join(''));

print('lines', ...(commit === undefined ? [] : [commit]), 'now', ...(before ? ['change'] : []));
for (const [name, isPart] of parts([...now.keys(), ...(before?.keys() ?? [])])) {
  const lines = sum(now, isPart);
  const earlier = before && sum(before, isPart);
  if (earlier === undefined) print(name, lines);
  else print(name, earlier, lines, lines - earlier);
}
