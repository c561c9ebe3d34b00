/**
 * Lets a process of a whole run of tests import from the bundle whatever it names in the source: what people run is
 * what is tested. Node loads it first (`--import`), also in the processes and threads that tests start.
 */
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { entryName } from '../../bin/bundle.mjs';

const PROJECT = `${pathToFileURL(join(import.meta.dirname, '..', '..')).href}/`;
const { TEST_BUNDLE } = process.env;

if (TEST_BUNDLE !== undefined) {
  const bundle = pathToFileURL(TEST_BUNDLE).href;
  registerHooks({
    resolve(asked, context, next) {
      const found = next(asked, context);
      const path = found.url.startsWith(PROJECT) ? found.url.slice(PROJECT.length) : '';
      if (!/^src\/.+\.ts$/.test(path)) return found;
      return { ...found, url: `${bundle}/${entryName(path)}`, format: 'module' };
    },
  });
}
