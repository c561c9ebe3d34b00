/** The folder of what is built from the source: the program's bundle and the files that it serves. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

export const PROJECT = join(import.meta.dirname, '..');
export const CACHE =
  process.env.NODE_COMPILE_CACHE ?? join(PROJECT, 'node_modules/.cache/ledgerstone');
/** Builds of earlier sources that stay, for programs that still run from them. */
const EARLIER = 2;

/** A name that changes with every byte of the files and folders, given from the project's folder. */
export function fingerprint(paths, ...others) {
  const hash = createHash('sha256').update(others.join());
  for (const path of [...paths, 'package-lock.json'].filter((one) =>
    existsSync(join(PROJECT, one)),
  ))
    for (const file of filesIn(path)) hash.update(file).update(readFileSync(join(PROJECT, file)));
  return hash.digest('base64url').slice(0, 16);
}

function filesIn(path) {
  if (statSync(join(PROJECT, path)).isFile()) return [path];
  return readdirSync(join(PROJECT, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name).slice(PROJECT.length + 1))
    .sort();
}

/** Removes all but the last few builds of a kind; `latest` stays. */
export function removeEarlier(kind, latest) {
  const earlier = readdirSync(CACHE)
    .map((name) => join(CACHE, name))
    .filter((path) => path.startsWith(join(CACHE, `${kind}-`)) && path !== latest)
    .map((path) => ({ path, made: statSync(path).mtimeMs }))
    .sort((one, other) => other.made - one.made);
  for (const { path } of earlier.slice(EARLIER)) rmSync(path, { recursive: true, force: true });
}
