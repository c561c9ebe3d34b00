/** Processes that complete one copy of the journal at once write each line once, and lose none, also where one is killed as it writes. */
import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import fc from 'fast-check';
import {
  type Compared,
  CopyUnreachable,
  createJournalCopy,
} from '../../src/services/erasures/journal-copy.ts';
import { ownFolder } from '../support/cli-program.ts';

const PROCESSES = 3;
const step = fc.oneof(
  // Lines that the store has from now on.
  fc.record({ did: fc.constant('listed' as const), lines: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ did: fc.constant('compared' as const), by: fc.nat({ max: PROCESSES - 1 }) }),
  fc.record({ did: fc.constant('completed' as const), by: fc.nat({ max: PROCESSES - 1 }) }),
  // So many bytes of the next line are written.
  fc.record({ did: fc.constant('killed' as const), bytes: fc.nat({ max: 40 }) }),
);

it('a copy has each line once, in the order of the store', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const folder = ownFolder();
      const path = join(folder, 'erasures.ndjson');
      const lines: string[] = [];
      const book = {
        after: async (last: number, most: number) =>
          lines.map((text, at) => ({ line: at + 1, text })).slice(last, last + most),
      };
      const written = () => (existsSync(path) ? readFileSync(path, 'utf8') : '');
      const whole = () => lines.map((line) => `${line}\n`).join('');
      const copies = Array.from({ length: PROCESSES }, () => createJournalCopy(folder, book));
      const compared: (Compared | undefined)[] = [];
      const complete = async (by: number): Promise<void> => {
        const found = compared[by];
        compared[by] = undefined;
        if (found === undefined) return;
        await copies[by]?.complete(found).catch((error) => {
          assert.ok(error instanceof CopyUnreachable, String(error));
        });
      };
      for (const one of steps) {
        if (one.did === 'listed')
          for (let more = 0; more < one.lines; more += 1)
            lines.push(`{"line":${lines.length + 1},"record":"${'r'.repeat(lines.length % 7)}"}`);
        else if (one.did === 'compared') compared[one.by] = await copies[one.by]?.compare();
        else if (one.did === 'completed') await complete(one.by);
        else {
          const rest = whole().slice(written().length);
          appendFileSync(path, rest.slice(0, Math.min(one.bytes, rest.indexOf('\n'))));
        }
        const now = written();
        assert.equal(now, whole().slice(0, now.length));
      }
      for (let by = 0; by < PROCESSES; by += 1) {
        compared[by] = await copies[by]?.compare();
        await complete(by);
      }
      assert.equal(written(), whole());
    }),
    { numRuns: 200 },
  );
});
