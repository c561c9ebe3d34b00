/** Bundles the console's scripts and style sheet. */
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type BuildOptions, type BuildResult, build, type Plugin, stop } from 'esbuild';
import type { RecordWords } from './language.ts';
import { compiled, languagesIn, MESSAGES, readMessages } from './messages.ts';

const PROJECT = join(import.meta.dirname, '../..');
const SOURCE = join(PROJECT, 'console', 'src');
const ENTRY = 'console/src/main.tsx';

/** The script of a page, by its name. */
export interface PageScript {
  readonly script: string;
  /** Files that the script needs first: the browser can load them without having read it. */
  readonly beside: readonly string[];
}

/** The files of the console, and the names of those that the page begins with. Names change with what is in the files. */
export interface PageBundle {
  readonly files: ReadonlyMap<string, string>;
  readonly pages: ReadonlyMap<string, PageScript>;
  readonly style: string;
  /** Runs before the page is painted. */
  readonly early: string;
}

export async function makeBundle(messages = MESSAGES): Promise<PageBundle> {
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
    languagesIn(messages).map(async (language) => {
      const built = await bundled({
        entryPoints: { script: ENTRY },
        format: 'esm',
        splitting: true,
        plugins: [inLanguage(language, messages), withoutBulk],
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
    pages: new Map(
      (await scripts).map(({ language, built }) => [
        language,
        { script: named('script', namesOf(built)), beside: importedBy(built) },
      ]),
    ),
    style: named('style'),
    early: named('early'),
  };
}

/** Modules of the client that send many rows, which no page does: they come without what they do. */
const withoutBulk: Plugin = {
  name: 'without-bulk',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]client[\\/]src[\\/](?:many|sync)\.ts$/ }, ({ path }) => ({
      contents:
        basename(path) === 'many.ts'
          ? 'export const sendMany = () => undefined; export const rowAnswers = () => undefined;'
          : 'export const runSync = () => undefined;',
      loader: 'ts',
    }));
  },
};

type Built = BuildResult<{ write: false; metafile: true }>;

/** The imports of a script's entry before it runs. */
function importedBy({ metafile }: Built): readonly string[] {
  return Object.values(metafile.outputs)
    .flatMap(({ entryPoint, imports }) => (entryPoint === ENTRY ? imports : []))
    .filter(({ kind }) => kind === 'import-statement')
    .map(({ path }) => basename(path));
}

/**
 * Gives the scripts the messages of one language, so that a browser loads no other. The service's refusals are sent in
 * English, and worded in other languages by the page.
 */
export function inLanguage(language: string, messages: string): Plugin {
  return {
    name: 'language',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^messages:/ }, ({ path }) => ({ path, namespace: 'messages' }));
      onLoad({ filter: /^messages:/, namespace: 'messages' }, ({ path }) => ({
        contents: compiled(language, path.replace('messages:', ''), messages),
        resolveDir: SOURCE,
      }));
      onLoad({ filter: /[\\/]console[\\/]src[\\/].*\.tsx?$/ }, async ({ path }) => {
        if (basename(path) === 'refusal-words.ts')
          return { contents: refusalsIn(language, messages), resolveDir: SOURCE };
        const text = await readFile(path, 'utf8');
        return {
          contents: text.replace(CATALOGUES, eachCatalogue),
          loader: path.endsWith('x') ? 'tsx' : 'ts',
        };
      });
    },
  };
}

const CATALOGUES = /^import \{([^}]*)\} from 'messages';$/m;

/** Imports each catalogue by itself. The bundler splits scripts by files: one of all catalogues would be in the first. */
function eachCatalogue(_: string, names: string): string {
  return names
    .split(',')
    .filter((name) => name.trim() !== '')
    .map((one) => one.trim().split(' as '))
    .map(([name = '', own = name]) => `import ${own} from 'messages:${name}';`)
    .join(' ');
}

function refusalsIn(language: string, messages: string): string {
  const labels =
    language === 'en' ? {} : readMessages<RecordWords>(language, 'records', messages).labels;
  const words = JSON.stringify({ ...readMessages(language, 'refusals', messages), labels });
  return [
    "import { people } from './people.ts';",
    "import { setWording } from './refusals.ts';",
    "import { refusalsIn } from './translated-refusals.ts';",
    `setWording(refusalsIn(${words}, people));`,
  ].join('\n');
}
