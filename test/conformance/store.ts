/** What every store promises (see `src/store/promises/store.ts`), as sentences that are proved of it. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'node:test';
import { createProves, type FindGround, type Proves } from '../support/store-world.ts';

/** What a file of this folder says of a store, or one of a feature. */
interface Promises {
  describePromises(proves: Proves, name: string, findGround: FindGround): void;
}

const FOLDER = join(import.meta.dirname, '..');
const FILES = ['conformance/!(store|*.test).ts', 'features/*/conformance.ts'];
const all: readonly Promises[] = await Promise.all(
  globSync(FILES, { cwd: FOLDER }).map((file) => import(join(FOLDER, file))),
);

/** `findGround` names a place where there is no store yet. */
export function describeStore(name: string, findGround: FindGround): void {
  const proves = createProves(findGround);
  describe(`The ${name} store keeps its promises:`, { concurrency: false }, () => {
    for (const { describePromises } of all) describePromises(proves, name, findGround);
  });
}
