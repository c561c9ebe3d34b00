/**
 * Exits with 0 when the packages in node_modules are those that package-lock.json asks for: all of them
 * to develop, and to run those that are not for development alone.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const [, , project, purpose] = process.argv;
const packagesOf = (file) => JSON.parse(readFileSync(join(project, file), 'utf8')).packages;
const wanted = packagesOf('package-lock.json');
const installed = packagesOf('node_modules/.package-lock.json');

const isAsWanted = ([place, { version, integrity, optional, dev }]) => {
  // What is not below node_modules is the project itself, of which a machine that only runs it may lack parts.
  if (!place.startsWith('node_modules/') || (dev && purpose === 'run')) return true;
  // An optional package may be for another machine.
  const found = installed[place] ?? (optional ? { version, integrity } : {});
  return found.version === version && found.integrity === integrity;
};
const isKnown = ([place, { dev }]) => place in wanted || (dev && purpose === 'run');
process.exitCode =
  Object.entries(wanted).every(isAsWanted) && Object.entries(installed).every(isKnown) ? 0 : 1;
