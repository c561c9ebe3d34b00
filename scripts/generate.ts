/** Writes all generated files: `npm run generate`. `test/fresh.test.ts` proves that they are up to date. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { clientTar, packageFile } from '../bin/client-package.ts';
import { resources } from '../src/core/resources/index.ts';
import { operationsOf } from '../src/edge/operations/index.ts';
import { changesText, notificationsText } from './client/changes.ts';
import { errorsText } from './client/errors.ts';
import { ledgerstoneText } from './client/ledgerstone.ts';
import { boundsText, objectsText } from './client/objects.ts';
import { clientOperations } from './client/operations.ts';
import { recordsText } from './client/records.ts';
import { searchText } from './client/search.ts';
import { clientSources, declarationOf } from './client/types.ts';
import { argumentsText, cataloguesText, languagesText } from './console-messages.ts';
import { featureLists } from './features.ts';
import { lawTable } from './import-law.ts';
import { openapiDocument } from './openapi/document.ts';
import { tablesText } from './own-tables.ts';
import { errorsMarkdown } from './reference/errors-markdown.ts';
import { frontMarkdown } from './reference/front-markdown.ts';
import { objectsMarkdown } from './reference/objects-markdown.ts';
import { operationsMarkdown } from './reference/operations-markdown.ts';
import { personalDataMarkdown } from './reference/personal-data-markdown.ts';
import { resourceMarkdown } from './reference/resource-markdown.ts';
import { resourcesMarkdown } from './reference/resources-markdown.ts';
import { settingsMarkdown } from './reference/settings-markdown.ts';
import { describeSchema } from './reference/sqlite-schema.ts';

export const COMMAND = 'npm run generate';
const ours = clientOperations(resources, operationsOf(resources));
const SERVER_URL = 'http://127.0.0.1:8080';

/** The page whose functions the examples of others call. */
const CALLS = 'docs/merging.md';
const CALLING = ['bulk', 'changes', 'pagination'].map((name) => `docs/${name}.md`);

export interface Output {
  /** From the project's folder. */
  readonly path: string;
  readonly text: () => string;
  /** Whether only a part of it is made, and the rest is written by hand. */
  readonly partly?: true;
}

export const outputs: readonly Output[] = [
  {
    path: 'openapi.json',
    text: () =>
      // JSON has no comments: the first member says where the file comes from.
      `${JSON.stringify({ 'x-generated': note('src/core/resources/'), ...openapiDocument(resources, SERVER_URL) }, null, 2)}\n`,
  },
  {
    path: 'docs/README.md',
    text: () => markdown('manual/pages.ts', frontMarkdown(resources)),
  },
  {
    path: 'docs/errors.md',
    text: () => markdown('src/core/errors/catalogue.ts', errorsMarkdown()),
  },
  {
    path: 'docs/resources.md',
    text: () => markdown('src/core/resources/', resourcesMarkdown(resources)),
  },
  ...resources.map((resource) => ({
    path: `docs/resources/${resource.path}.md`,
    text: () => markdown('src/core/resources/', resourceMarkdown(resource, resources, SERVER_URL)),
  })),
  { path: 'docs/objects.md', text: () => markdown('src/core/objects/', objectsMarkdown()) },
  {
    path: 'docs/operations.md',
    text: () => markdown('src/edge/operations/', operationsMarkdown(resources)),
  },
  {
    path: 'docs/settings.md',
    text: () => markdown('src/core/config/settings.ts', settingsMarkdown()),
  },
  {
    path: 'docs/personal-data.md',
    text: () => markdown('scripts/reference/personal-data.ts', personalDataMarkdown(resources)),
  },
  {
    path: 'scripts/import-law.md',
    text: () => `<!-- ${note('scripts/import-law.ts')} -->\n\n${lawTable()}\n`,
  },
  showing('docs/network.md', 'deploy/Caddyfile', 'caddy'),
  showing('docs/network.md', 'deploy/nginx.conf', 'nginx'),
  ...CALLING.map(calling),
  { path: 'src/core/objects/tables/all.ts', text: () => code('src/core/objects/', tablesText()) },
  ...featureLists,
  {
    path: 'client/src/generated/records.d.ts',
    text: () => code('src/core/resources/', recordsText(resources)),
  },
  {
    path: 'client/src/generated/changes.d.ts',
    text: () => code('src/core/objects/', changesText(resources)),
  },
  {
    path: 'client/src/generated/notifications.d.ts',
    text: () => code('src/core/resources/', notificationsText(resources)),
  },
  {
    path: 'client/src/generated/operations.ts',
    text: () => code('src/edge/operations/', ours.text),
  },
  {
    path: 'client/src/generated/objects.d.ts',
    text: () => code('src/core/objects/', ours.types),
  },
  {
    path: 'console/src/generated/objects.ts',
    text: () => code('src/core/objects/', objectsText()),
  },
  {
    path: 'console/src/generated/bounds.ts',
    text: () => code('src/edge/operations/', boundsText(operationsOf(resources))),
  },
  ...Object.entries({
    'languages.ts': languagesText,
    'messages.ts': argumentsText,
    'catalogues.d.ts': cataloguesText,
  }).map(([file, text]) => ({
    path: `console/src/generated/${file}`,
    text: () => code('console/messages/', text()),
  })),
  {
    path: 'client/src/generated/search.d.ts',
    text: () => code('scripts/openapi/operations/search.ts', searchText(resources)),
  },
  {
    path: 'client/src/generated/errors.ts',
    text: () => code('src/core/errors/catalogue.ts', errorsText(resources)),
  },
  {
    path: 'client/src/generated/ledgerstone.ts',
    text: () => code('src/core/resources/', ledgerstoneText(resources, ours)),
  },
  // After the sources of the client that are generated themselves.
  ...clientSources.map((source) => ({
    path: `client/types/${source.replace(/\.ts$/, '.d.ts')}`,
    text: () => code(`client/src/${source}`, declarationOf(source)),
  })),
  {
    path: 'docs/schema.sql',
    text: () =>
      `-- ${note('the migrations and src/core/resources/')}\n\n${describeSchema(resources.map(({ shape }) => shape))}`,
  },
];

export const project = join(import.meta.dirname, '..');

/** Folders that hold nothing but generated files. */
const FOLDERS = ['client/types', 'client/src/generated', 'console/src/generated', 'docs/resources'];

/** Files in folders of generated files that nothing generates any more. */
export function staleFiles(): readonly string[] {
  const fresh = new Set(outputs.map(({ path }) => path));
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(project, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(project, join(entry.parentPath, entry.name))),
  ).filter((path) => !fresh.has(path));
}

if (import.meta.main) {
  for (const { path, text } of outputs) {
    const file = join(project, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text());
    console.log(path);
  }
  const path = packageFile();
  if (!isPacked(path)) writeFileSync(join(project, path), gzipSync(clientTar(), { level: 9 }));
  console.log(path);
  for (const path of staleFiles()) rmSync(join(project, path));
}

/** Whether the package at that path holds what the sources of the client make. */
export function isPacked(path: string): boolean {
  try {
    return gunzipSync(readFileSync(join(project, path))).equals(clientTar());
  } catch {
    return false;
  }
}

/** A page that shows a file of the project: in its only block of that language. */
/** Pages whose examples call the service by the same function: it is written once, in the first of them. */
function calling(path: string): Output {
  const functions = ['async function call(', 'def call('].map((start) => {
    return new RegExp(`^${start.replace('(', '\\(')}[^]*?(?=^\`\`\`$)`, 'm');
  });
  const text = () =>
    functions.reduce(
      (page, call) => page.replace(call, () => call.exec(read(CALLS))?.[0] ?? ''),
      read(path),
    );
  return { path, text, partly: true };
}

function read(path: string): string {
  return readFileSync(join(project, path), 'utf8');
}

function showing(path: string, file: string, language: string): Output {
  const text = () =>
    readFileSync(join(project, path), 'utf8').replace(
      new RegExp(`(?<=^\`\`\`${language}\n)[^]*?(?=^\`\`\`$)`, 'm'),
      () => readFileSync(join(project, file), 'utf8'),
    );
  return { path, text, partly: true };
}

function note(source: string): string {
  return `Generated from ${source} by "${COMMAND}"; do not edit.`;
}

function code(source: string, text: string): string {
  return `// ${note(source)}\n\n${text}`;
}

function markdown(source: string, text: string): string {
  return `<!-- ${note(source)} -->\n\n${text}`;
}
