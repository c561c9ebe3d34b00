/**
 * Starts the program from its bundle in the cache, and bundles it first where the source has changed. Where the cache
 * cannot be written, the program starts from its source.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const project = join(import.meta.dirname, '..');
const cache = process.env.NODE_COMPILE_CACHE ?? join(project, 'node_modules/.cache/ledgerstone');
/** Bundles of earlier sources that stay, for programs that still run from them. */
const EARLIER = 2;

const program = join(cache, `program-${fingerprint()}`);
const entry = join(program, 'main.mjs');
if (!existsSync(entry)) await bundled();
await import(pathToFileURL(existsSync(entry) ? entry : join(project, 'src/main.ts')).href);

/** Changes with every byte that goes into the bundle, and with the place of the project. */
function fingerprint() {
  const hash = createHash('sha256').update(project).update(process.version);
  const folders = ['src', 'client/src'].filter((folder) => existsSync(join(project, folder)));
  const files = folders.flatMap((folder) =>
    readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  );
  for (const file of [...files.sort(), 'package-lock.json', 'bin/bundle.mjs'])
    hash.update(file).update(readFileSync(join(project, file)));
  return hash.digest('base64url').slice(0, 16);
}

async function bundled() {
  try {
    mkdirSync(cache, { recursive: true });
    const { bundle } = await import('./bundle.mjs');
    await bundle(project, program);
    const earlier = readdirSync(cache)
      .filter((name) => name.startsWith('program-') && join(cache, name) !== program)
      .map((name) => ({ path: join(cache, name), made: statSync(join(cache, name)).mtimeMs }))
      .sort((one, other) => other.made - one.made);
    for (const { path } of earlier.slice(EARLIER)) rmSync(path, { recursive: true, force: true });
  } catch {
    // Another start may have made it; else the source itself does.
  }
}
