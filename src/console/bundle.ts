/** The console's scripts and style sheet: bundled when somebody first asks, and kept beside the dependencies. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { BuildOptions } from 'esbuild';

const PROJECT = join(import.meta.dirname, '..', '..');
const SOURCE = join(PROJECT, 'console', 'src');
/** From the project's folder. */
const ENTRY = 'console/src/main.tsx';
const CACHE = join(PROJECT, 'node_modules', '.cache', 'ledgerstone-console');
/** What the bundle is made of, beside the packages that the lock file names. */
const MADE_OF = [SOURCE, join(PROJECT, 'client', 'src')];

/** The files of the console, and the names of those that the page begins with. Names change with what is in the files. */
export interface PageBundle {
  readonly files: ReadonlyMap<string, string>;
  readonly script: string;
  /** What the script begins with, too: the browser need not have read it to know. */
  readonly beside: readonly string[];
  readonly style: string;
  /** Runs before the page is painted. */
  readonly early: string;
}

type Kept = Omit<PageBundle, 'files'> & { readonly files: readonly (readonly [string, string])[] };

export async function makeBundle(): Promise<PageBundle> {
  const cached = join(CACHE, `${await nameOfSources()}.json`);
  const kept = (await readKept(cached)) ?? (await build());
  await keep(cached, kept);
  return { ...kept, files: new Map(kept.files) };
}

async function build(): Promise<Kept> {
  const esbuild = await import('esbuild');
  const options: BuildOptions & { write: false; metafile: true } = {
    absWorkingDir: PROJECT,
    outdir: CACHE,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    target: ['chrome123', 'firefox128', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'silent',
  };
  const built = await Promise.all([
    esbuild.build({
      ...options,
      entryPoints: { script: ENTRY, style: join(SOURCE, 'styles', 'main.css') },
      format: 'esm',
      splitting: true,
    }),
    // A script that the page waits for is no module.
    esbuild.build({ ...options, entryPoints: [join(SOURCE, 'early.ts')], format: 'iife' }),
  ]);
  // What is bundled is bundled: the process that did it is not needed any more.
  await esbuild.stop();
  const files = built.flatMap(({ outputFiles }) =>
    outputFiles.map(({ path, text }) => [basename(path), text] as const),
  );
  const imported = built.flatMap(({ metafile }) =>
    Object.values(metafile.outputs).flatMap(({ entryPoint, imports }) =>
      entryPoint === ENTRY ? imports.filter(({ kind }) => kind === 'import-statement') : [],
    ),
  );
  const named = (beginning: string): string =>
    files.find(([name]) => name.startsWith(`${beginning}-`))?.[0] ?? '';
  return {
    files,
    script: named('script'),
    beside: imported.map(({ path }) => basename(path)),
    style: named('style'),
    early: named('early'),
  };
}

/** A name that changes with any file that the bundle is made of. */
async function nameOfSources(): Promise<string> {
  const hash = createHash('sha256');
  hash.update(await readFile(join(PROJECT, 'package-lock.json')));
  hash.update(await readFile(import.meta.filename));
  for (const folder of MADE_OF) {
    const paths = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = paths.filter((entry) => entry.isFile());
    for (const path of files.map((entry) => join(entry.parentPath, entry.name)).sort())
      hash.update(path).update(await readFile(path));
  }
  return hash.digest('base64url').slice(0, 22);
}

async function readKept(path: string): Promise<Kept | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Kept;
  } catch {
    return undefined;
  }
}

/** Where nothing can be written, as in an image, each start bundles once. */
async function keep(path: string, kept: Kept): Promise<void> {
  const own = `${path}.${process.pid}`;
  try {
    await mkdir(CACHE, { recursive: true });
    await writeFile(own, JSON.stringify(kept));
    await rename(own, path);
  } catch {
    // The next start bundles again.
  }
}
