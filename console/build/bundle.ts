/** Bundles the console's scripts and style sheet. */
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { type BuildOptions, type BuildResult, build, type Plugin, stop } from 'esbuild';
import { LANGUAGES, type Language } from '../src/languages/languages.ts';

const PROJECT = join(import.meta.dirname, '../..');
const SOURCE = join(PROJECT, 'console', 'src');
/** From the project's folder. */
const ENTRY = 'console/src/main.tsx';

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

export async function makeBundle(): Promise<PageBundle> {
  const options: BuildOptions & { write: false; metafile: true } = {
    absWorkingDir: PROJECT,
    outdir: 'dist',
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
    build({ ...options, ...of });
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
  await stop();
  const namesOf = ({ outputFiles }: Built): string[] =>
    outputFiles.map(({ path }) => basename(path));
  const named = (beginning: string, names = all.flatMap(namesOf)): string =>
    names.find((name) => name.startsWith(`${beginning}-`)) ?? '';
  return {
    files: new Map(
      all.flatMap(({ outputFiles }) =>
        outputFiles.map(({ path, text }) => [basename(path), text] as const),
      ),
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
