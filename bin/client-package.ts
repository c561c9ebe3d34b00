/**
 * Packs the client as `npm install` takes it: bundled, with its types. The packages stand in `client/packed/`, each under
 * its version, and stay when there is a later one: who has installed one has its address and its hash in a lockfile.
 */
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import type { SiteFile } from '../src/edge/site/built.ts';

const CLIENT = join(import.meta.dirname, '../client');
const PACKED = join(CLIENT, 'packed');
const HEADERS = {
  'Content-Type': 'application/gzip',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-cache',
};
const BLOCK = 512;
/** The time of every file, as npm writes it: another one would change the bytes. */
const MODIFIED_SECONDS = 499_162_500;

/** By the path at which each is served. */
export function makeClient(): Map<string, SiteFile> {
  const fileOf = (name: string): SiteFile => {
    const content = readFileSync(join(PACKED, name));
    const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`;
    return { content, integrity, headers: HEADERS };
  };
  const names = readdirSync(PACKED).sort((one, other) =>
    one.localeCompare(other, 'en', { numeric: true }),
  );
  const all = names.map((name) => [`/${name}`, fileOf(name)] as const);
  const [, newest] = all.at(-1) ?? [];
  if (newest === undefined) throw new TypeError('There is no package of the client.');
  return new Map([['/client.tgz', newest], ...all]);
}

/** The file of the package of this version, from the project's folder. */
export function packageFile(): string {
  const { version } = JSON.parse(readFileSync(join(CLIENT, 'package.json'), 'utf8'));
  return `client/packed/client-${version}.tgz`;
}

/** The tar in it: compressed, its bytes would depend on the processor. */
export function clientTar(): Buffer {
  const declared = [...declarationsIn('types'), ...declarationsIn('src')].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const read = (name: string): Buffer => readFileSync(join(CLIENT, name));
  const { content, names } = bundled('src/index.ts');
  const files: readonly (readonly [path: string, content: Buffer])[] = [
    ...['package.json', 'README.md', 'LICENSE'].map((name) => [name, read(name)] as const),
    ['dist/index.js', content],
    ['dist/cjs/index.js', bundled('src/index.ts', 'cjs').content],
    ['dist/cjs/package.json', Buffer.from('{"type":"commonjs"}\n')],
    // On a server import and require() have the same classes: a program may do both.
    ['dist/server.js', Buffer.from(`export { ${names.join(', ')} } from './cjs/index.js';\n`)],
    ...['listen', 'sync'].map((name) => {
      const bin = `bin/ledgerstone-${name}`;
      return [`${bin}.js`, bundled(`${bin}.ts`).content] as const;
    }),
    ...['dist', 'dist/cjs'].flatMap((folder) =>
      declared.map(([name, file]) => [`${folder}/${name}`, read(file)] as const),
    ),
  ];
  const parts = files.flatMap(([path, content]) => entry(`package/${path}`, content));
  // Two empty blocks end a tar.
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

/** Types as they are shipped: those of the sources, and those that are types alone. */
function declarationsIn(folder: string): readonly (readonly [name: string, file: string])[] {
  return readdirSync(join(CLIENT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.d.ts'))
    .map((name) => [name, join(folder, name)]);
}

/** Bundles a source with all that it imports; gives the names that it exports, too. */
function bundled(source: string, format: 'esm' | 'cjs' = 'esm') {
  const { outputFiles, metafile } = buildSync({
    absWorkingDir: CLIENT,
    entryPoints: [source],
    bundle: true,
    external: ['node:*'],
    format,
    // Node finds the names that a CommonJS module exports by a note that is written for it alone.
    ...(format === 'cjs' && { platform: 'node' }),
    target: 'es2022',
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  const names = Object.values(metafile.outputs).flatMap((output) => output.exports);
  return { content: Buffer.from(outputFiles[0]?.contents ?? []), names };
}

/** A file of a tar: a header of one block (POSIX ustar), and the content in whole blocks. */
function entry(path: string, content: Buffer): readonly Buffer[] {
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, digits: number): void => {
    header.write(value.toString(8).padStart(digits, '0'), at, 'latin1');
  };
  header.write(path, 0, 100, 'latin1');
  octal(0o644, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  octal(content.length, 124, 11);
  octal(MODIFIED_SECONDS, 136, 11);
  header.write('        ', 148, 'latin1');
  header.write('0', 156, 'latin1');
  header.write('ustar\u000000', 257, 'latin1');
  let sum = 0;
  for (const byte of header) sum += byte;
  octal(sum, 148, 6);
  header.writeUInt8(0, 154);
  return [header, content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)];
}
