/** The console's script and style sheet: bundled when somebody first asks, and kept beside the dependencies. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const PROJECT = join(import.meta.dirname, '..', '..');
const SOURCE = join(PROJECT, 'console', 'src');
const CACHE = join(PROJECT, 'node_modules', '.cache', 'ledgerstone-console');
/** What the bundle is made of, beside the packages that the lock file names. */
const MADE_OF = [SOURCE, join(PROJECT, 'client', 'src')];

/** The files of the console by their names, which change with what is in them. */
export interface PageBundle {
  readonly files: ReadonlyMap<string, string>;
  readonly script: string;
  readonly style: string;
  /** Runs before the page is painted: light or dark. */
  readonly early: string;
}

export async function makeBundle(): Promise<PageBundle> {
  const cached = join(CACHE, `${await nameOfSources()}.json`);
  const texts = (await readKept(cached)) ?? (await build());
  const files = new Map<string, string>();
  const named = (text: string, ending: string): string => {
    const name = `${shortHash(text)}.${ending}`;
    files.set(name, text);
    return name;
  };
  const bundle = {
    files,
    script: named(texts.script, 'js'),
    style: named(texts.style, 'css'),
    early: named(texts.early, 'js'),
  };
  await keep(cached, texts);
  return bundle;
}

interface Texts {
  readonly script: string;
  readonly style: string;
  readonly early: string;
}

async function build(): Promise<Texts> {
  const esbuild = await import('esbuild');
  const { outputFiles } = await esbuild.build({
    entryPoints: {
      script: join(SOURCE, 'main.tsx'),
      style: join(SOURCE, 'styles', 'main.css'),
      early: join(SOURCE, 'early.ts'),
    },
    absWorkingDir: PROJECT,
    outdir: CACHE,
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: ['chrome123', 'firefox128', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'silent',
  });
  // What is bundled is bundled: the process that did it is not needed any more.
  await esbuild.stop();
  const textOf = (ending: string): string =>
    outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  return { script: textOf('script.js'), style: textOf('style.css'), early: textOf('early.js') };
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

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}

async function readKept(path: string): Promise<Texts | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Texts;
  } catch {
    return undefined;
  }
}

/** Where nothing can be written, as in an image, each start bundles once. */
async function keep(path: string, texts: Texts): Promise<void> {
  const own = `${path}.${process.pid}`;
  try {
    await mkdir(CACHE, { recursive: true });
    await writeFile(own, JSON.stringify(texts));
    await rename(own, path);
  } catch {
    // The next start bundles again.
  }
}
