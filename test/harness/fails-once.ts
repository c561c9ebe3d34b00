/** A test that fails the first time that it runs in the folder TEST_MARKS, and passes from then on. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';

export function failsOnce(nth: number): void {
  it(`passes the second time ${nth}`, () => {
    const mark = join(process.env.TEST_MARKS ?? '', `${nth}`);
    if (existsSync(mark)) return;
    writeFileSync(mark, '');
    throw new Error(`bad luck ${nth}`);
  });
}
