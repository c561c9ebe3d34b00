/**
 * The program as few files, which Node starts in half the time of its hundreds: a whole run of tests starts it hundreds
 * of times. What it reads and starts beside its code, it finds where the source would.
 */
import { chmodSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const PROJECT = join(import.meta.dirname, '..', '..');
/** Always the same, since Node keeps what it makes of the code by its path. */
const FOLDER = join(PROJECT, 'node_modules', '.cache', 'ledgerstone-tests');
/** How the source names a thread or a process of its own. */
const BEGUN = /new URL\('(\.{1,2}\/[\w./-]+)\.ts', import\.meta\.url\)/g;

export interface Bundled {
  /** The path of the launcher, which is that of the program but for where the code lies. */
  readonly launcher: string;
  /** The folder of its threads, each where the source has it. */
  readonly threads: string;
  /** The module that runs commands. */
  readonly commands: string;
}

export async function bundleProgram(): Promise<Bundled> {
  await build({
    entryPoints: ['src/main.ts', 'src/cli/run.ts', ...begun()],
    absWorkingDir: PROJECT,
    outbase: PROJECT,
    outdir: FOLDER,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'esnext',
    // Programs of their own, and what is read when somebody first asks for the manual.
    external: ['esbuild', 'pg-native', 'highlight.js', 'marked'],
    banner: {
      js: `import { createRequire } from 'node:module'; const require = createRequire(${JSON.stringify(import.meta.url)});`,
    },
    plugins: [
      {
        name: 'places',
        setup: (made) =>
          made.onLoad({ filter: /\.ts$/ }, async ({ path }) => ({
            contents: placed(await readFile(path, 'utf8'), path),
            loader: 'ts',
          })),
      },
    ],
  });
  const launcher = join(FOLDER, 'bin', 'ledgerstone');
  mkdirSync(dirname(launcher), { recursive: true });
  const own = readFileSync(join(PROJECT, 'bin', 'ledgerstone'), 'utf8');
  const text = own
    .replace(/^project=.*$/m, () => `project='${PROJECT.replaceAll("'", "'\\''")}'`)
    .replace(
      '"$project/src/main.ts"',
      '"$project/node_modules/.cache/ledgerstone-tests/src/main.mjs"',
    );
  writeFileSync(launcher, text);
  chmodSync(launcher, 0o755);
  const threads = join(FOLDER, 'src');
  return { launcher, threads, commands: join(threads, 'cli', 'run.mjs') };
}

/** The files with which threads and processes begin. */
function begun(): string[] {
  const files = globSync('src/**/*.ts', { cwd: PROJECT });
  return files.flatMap((file) =>
    [...readFileSync(join(PROJECT, file), 'utf8').matchAll(BEGUN)].map(([, name]) =>
      join(dirname(file), `${name}.ts`),
    ),
  );
}

/** With the places that the source has, and threads of the code that is bundled. */
function placed(source: string, path: string): string {
  const folder = dirname(path);
  const threadAt = (_: string, name: string) => {
    const place = join(FOLDER, relative(PROJECT, resolve(folder, `${name}.mjs`)));
    return `new URL(${JSON.stringify(pathToFileURL(place))})`;
  };
  return source
    .replace(BEGUN, threadAt)
    .replaceAll('import.meta.dirname', JSON.stringify(folder))
    .replaceAll('import.meta.filename', JSON.stringify(path))
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href));
}
