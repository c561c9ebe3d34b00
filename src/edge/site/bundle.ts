/** The console's scripts and style sheet: bundled on first request, and cached next to the dependencies. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { BuildOptions, BuildResult, Plugin } from 'esbuild';
import { LANGUAGES, type Language } from '../../../console/src/languages/languages.ts';

const PROJECT = join(import.meta.dirname, '../../..');
const SOURCE = join(PROJECT, 'console', 'src');
/** From the project's folder. */
const ENTRY = 'console/src/main.tsx';
const CACHE = join(PROJECT, 'node_modules', '.cache', 'ledgerstone-console');
/** The sources of the bundle, apart from the packages in the lock file. */
const MADE_OF = [SOURCE, join(PROJECT, 'client', 'src')];

/** The script of a page, by its name. */
interface PageScript {
  readonly script: string;
  /** Files that the script needs first: the browser can load them without having read it. */
  readonly beside: readonly string[];
}

/** The files of the console, and the names of those that the page begins with. Names change with what is in the files. */
export interface PageBundle {
  readonly files: ReadonlyMap<string, string>;
  readonly pages: Readonly<Record<Language, PageScript>>;
  readonly style: string;
  /** Runs before the page is painted. */
  readonly early: string;
}

type CachedBundle = Omit<PageBundle, 'files'> & {
  readonly files: readonly (readonly [string, string])[];
};

export async function makeBundle(): Promise<PageBundle> {
  const cached = join(CACHE, `${await nameOfSources()}.json`);
  const kept = (await readCached(cached)) ?? (await build());
  await keep(cached, kept);
  return { ...kept, files: new Map(kept.files) };
}

async function build(): Promise<CachedBundle> {
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
    charset: 'utf8',
    logLevel: 'silent',
  };
  const bundled = (of: Pick<BuildOptions, 'entryPoints' | 'format' | 'splitting' | 'plugins'>) =>
    esbuild.build({ ...options, ...of });
  const scripts = Promise.all(
    Object.keys(LANGUAGES).map(async (language) => {
      const built = await bundled({
        entryPoints: { script: ENTRY },
        format: 'esm',
        splitting: true,
        plugins: language === 'en' ? [] : [inLanguage(language)],
      });
      return { language, built };
    }),
  );
  const others = Promise.all([
    bundled({ entryPoints: { style: join(SOURCE, 'styles', 'main.css') } }),
    // A script that blocks the page is not a module.
    bundled({ entryPoints: [join(SOURCE, 'early.ts')], format: 'iife' }),
  ]);
  const all = [...(await scripts).map(({ built }) => built), ...(await others)];
  // The bundler's process is not needed any more.
  await esbuild.stop();
  const namesOf = ({ outputFiles }: Built): string[] =>
    outputFiles.map(({ path }) => basename(path));
  const named = (beginning: string, names = all.flatMap(namesOf)): string =>
    names.find((name) => name.startsWith(`${beginning}-`)) ?? '';
  return {
    files: all.flatMap(({ outputFiles }) =>
      outputFiles.map(({ path, text }) => [basename(path), text] as const),
    ),
    pages: Object.fromEntries(
      (await scripts).map(({ language, built }) => [
        language,
        { script: named('script', namesOf(built)), beside: importedBy(built) },
      ]),
    ) as PageBundle['pages'],
    style: named('style'),
    early: named('early'),
  };
}

type Built = BuildResult<{ write: false; metafile: true }>;

/** The imports of a script's entry before it runs. */
function importedBy({ metafile }: Built): readonly string[] {
  return Object.values(metafile.outputs)
    .flatMap(({ entryPoint, imports }) => (entryPoint === ENTRY ? imports : []))
    .filter(({ kind }) => kind === 'import-statement')
    .map(({ path }) => basename(path));
}

/**
 * Takes the texts of a language in place of the English ones, so that a browser loads one language only: `texts.ts`
 * and `refusals.ts` are files of their own, the texts of a screen are a part of `screens.ts`.
 */
function inLanguage(language: string): Plugin {
  const folder = join(SOURCE, 'languages', language);
  return {
    name: 'language',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/](?:texts|refusals)\.ts$/ }, async ({ path }) => {
        const [first = '', screen = ''] = relative(SOURCE, path).split(sep);
        if (first === 'languages') return undefined;
        const resolveDir = dirname(path);
        if (first !== 'screens') {
          const own = join(folder, first === 'texts.ts' ? 'page.ts' : first);
          return { contents: `export * from ${JSON.stringify(own)};`, resolveDir };
        }
        const names = (await readFile(path, 'utf8')).matchAll(/^export const (\w+)/gm);
        const parts = [...names].map(([, name]) => `export const ${name} = ${screen}.${name};`);
        const from = JSON.stringify(join(folder, 'screens.ts'));
        return { contents: `import { ${screen} } from ${from};\n${parts.join('\n')}`, resolveDir };
      });
    },
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

async function readCached(path: string): Promise<CachedBundle | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as CachedBundle;
  } catch {
    return undefined;
  }
}

/** Where nothing can be written, as in an image, each start bundles once. */
async function keep(path: string, kept: CachedBundle): Promise<void> {
  const own = `${path}.${process.pid}`;
  try {
    await mkdir(CACHE, { recursive: true });
    await writeFile(own, JSON.stringify(kept));
    await rename(own, path);
  } catch {
    // The next start bundles again.
  }
}
