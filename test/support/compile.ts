/** Compiles TypeScript as a strict project of somebody else would, with each compiler that people have. */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ALL } from './all.ts';

const PACKAGES = join(import.meta.dirname, '..', '..', 'node_modules');

const NEWEST = { 'TypeScript 7': join(PACKAGES, 'typescript-7', 'bin', 'tsc') };

/** The compilers of the project's own packages, by the version that they are. */
export const everyCompiler: Readonly<Record<string, string>> = {
  'TypeScript 5.9': join(PACKAGES, 'typescript', 'bin', 'tsc'),
  ...NEWEST,
};
/** In the inner loop the newest. */
export const compilers: Readonly<Record<string, string>> = ALL ? everyCompiler : NEWEST;

const strictest = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noPropertyAccessFromIndexSignature: true,
  skipLibCheck: false,
  noEmit: true,
  allowImportingTsExtensions: true,
  target: 'es2022',
  module: 'nodenext',
  types: [],
};

/** The OpenAPI document. */
export const DOCUMENT = join(import.meta.dirname, '..', '..', 'openapi.json');

/** Lets @hey-api/openapi-ts make a client in the folder's `made`. */
export async function makeClient(folder: string): Promise<void> {
  // Loaded where it is wanted: it is large.
  const { createClient } = await import('@hey-api/openapi-ts');
  await createClient({
    input: DOCUMENT,
    output: { path: join(folder, 'made'), module: { extension: '.ts' } },
    plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
    logs: { level: 'silent' },
  });
}

/** Writes files, by their paths in the folder. */
export function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** What the compiler says of each file of the folder that it finds fault with. */
export async function complaints(
  folder: string,
  compiler: string,
  options: object = {},
  include: readonly string[] = ['**/*.ts'],
): Promise<Map<string, string>> {
  const config = { compilerOptions: { ...strictest, ...options }, include };
  write(folder, { 'tsconfig.json': JSON.stringify(config) });
  const said = await new Promise<string>((resolve) => {
    execFile(
      process.execPath,
      [compiler, '--pretty', 'false'],
      { cwd: folder, timeout: 120_000, maxBuffer: 16 * 1024 * 1024 },
      (_failed, stdout, stderr) => resolve(stdout + stderr),
    );
  });
  const found = new Map<string, string>();
  let file = '';
  for (const line of said.split('\n').filter((one) => one !== '')) {
    file = /^(\S[^(]*)\(\d+,\d+\): error/.exec(line)?.[1] ?? (line.startsWith(' ') ? file : '');
    found.set(file, `${found.get(file) ?? ''}${line}\n`);
  }
  return found;
}
