/**
 * Builds what the service serves without a key (the manual, the console, the client's package) as finished files, and
 * prints their folder: the one that is given, or one in the cache, where it finds them the next time. It prints nothing
 * where the cache cannot be written.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { CACHE, fingerprint, removeEarlier } from './cache.mjs';

/** All that the files are made of. */
const MADE_OF = [
  'manual',
  'docs',
  'openapi.json',
  'CHANGELOG.md',
  'console',
  'client',
  'src/core',
  'src/edge/site',
  'bin/client-package.ts',
  'bin/site.ts',
];
/** Less is not worth it. */
const MIN_COMPRESSED_BYTES = 1024;
/** A sixth less than what is compressed for each answer, in ten times the time. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** A process that writes nothing for so long was killed. */
const KILLED_MS = 10_000;

const [, , given] = process.argv;
process.stdout.write(given === undefined ? await cached() : await build(given));

async function cached(): Promise<string> {
  const folder = join(CACHE, `site-${fingerprint(MADE_OF)}`);
  if (existsSync(folder)) return folder;
  let made: string | undefined;
  try {
    mkdirSync(CACHE, { recursive: true });
    // Another process builds, as after an upgrade: to wait for it is sooner than to build the same beside it.
    while (!existsSync(folder) && isBuilding(basename(folder))) await pause(50);
    if (existsSync(folder)) return folder;
    made = mkdtempSync(`${folder}.`);
  } catch {
    return '';
  }
  try {
    await build(made);
    // Another process may have built it meanwhile.
    if (!existsSync(folder)) renameSync(made, folder);
    removeEarlier('site', folder);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
  return folder;
}

/** Whether a process has begun to build, and has written something a short while ago. */
function isBuilding(name: string): boolean {
  return readdirSync(CACHE)
    .filter((one) => one.startsWith(`${name}.`))
    .map((one) => statSync(join(CACHE, one), { throwIfNoEntry: false })?.ctimeMs ?? 0)
    .some((changed) => Date.now() - changed < KILLED_MS);
}

async function build(folder: string): Promise<string> {
  const [{ resources }, { makeManual }, { SHOWN_ADDRESS }, { makeConsole }, { makeClient }, site] =
    await Promise.all([
      import('../src/core/resources/index.ts'),
      import('../manual/make.ts'),
      import('../manual/pages.ts'),
      import('../console/build/frame.ts'),
      import('./client-package.ts'),
      import('../src/edge/site/built.ts'),
    ]);
  const files = [...makeManual(resources), ...(await makeConsole(resources)), ...makeClient()].map(
    ([path, { content, headers, version, integrity }]) => {
      const { 'Content-Type': type = '' } = headers;
      const isText = typeof content === 'string';
      const shows =
        isText && content.includes(SHOWN_ADDRESS)
          ? type.startsWith('text/html')
            ? 'html'
            : 'text'
          : undefined;
      const bytes = Buffer.from(content);
      const tag = site.tagOf(bytes);
      const write = (name: string, written: Buffer): void =>
        writeFileSync(join(folder, name), written);
      write(tag, bytes);
      if (isText && shows === undefined && bytes.length >= MIN_COMPRESSED_BYTES) {
        write(`${tag}.br`, brotliCompressSync(bytes, BROTLI));
        write(`${tag}.gzip`, gzipSync(bytes));
      }
      return [
        path,
        { tag, bytes: bytes.length, isText, headers, version, integrity, shows },
      ] as const;
    },
  );
  const list = { address: SHOWN_ADDRESS, files };
  writeFileSync(join(folder, site.LIST), JSON.stringify(list));
  return folder;
}
