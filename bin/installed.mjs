/** Exits with 0 when the packages in node_modules are those that package-lock.json asks for. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const [, , project] = process.argv;
const packagesOf = (file) => JSON.parse(readFileSync(join(project, file), 'utf8')).packages;
const wanted = packagesOf('package-lock.json');
const installed = packagesOf('node_modules/.package-lock.json');

const same = Object.entries(wanted).every(([place, { version, integrity, optional }]) => {
  if (place === '') return true;
  // An optional package may be for another machine.
  const found = installed[place] ?? (optional ? { version, integrity } : {});
  return found.version === version && found.integrity === integrity;
});
process.exitCode = same && Object.keys(installed).every((place) => place in wanted) ? 0 : 1;
