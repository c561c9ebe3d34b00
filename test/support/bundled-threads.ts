/**
 * Lets the stores of this process start their threads from the bundle of a whole run of tests, where there is one: each
 * service in a test has its own, which would read a hundred files. To be imported before any of them.
 */
import { syncBuiltinESMExports } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { entryName } from '../../bin/bundle.mjs';

const PROJECT = join(import.meta.dirname, '..', '..');
const { TEST_THREADS } = process.env;

if (TEST_THREADS !== undefined) {
  const threads = process.getBuiltinModule('node:worker_threads');
  const { Worker } = threads;
  threads.Worker = class extends Worker {
    constructor(...[file, options]: ConstructorParameters<typeof Worker>) {
      super(file instanceof URL ? bundled(file, TEST_THREADS as string) : file, options);
    }
  };
  syncBuiltinESMExports();
}

function bundled(file: URL, folder: string): URL {
  const path = relative(PROJECT, fileURLToPath(file));
  return path.startsWith('src/') ? pathToFileURL(join(folder, entryName(path))) : file;
}
