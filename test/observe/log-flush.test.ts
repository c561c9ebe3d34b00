/** What is printed after `flush` stands behind every line that was told before it. */
import assert from 'node:assert/strict';
import { openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import fc from 'fast-check';
import { gathered } from '../../src/core/observe/log.ts';
import { ownFolder } from '../support/cli-program.ts';

/** Lines that are told, of that many characters; at "flush", a line is printed once they are written. */
const steps = fc.array(
  fc.oneof(fc.constant('flush' as const), fc.nat({ max: 40_000 }), fc.constant('turn' as const)),
  { minLength: 1, maxLength: 12 },
);

it('lines keep their places before what is printed, however many are being written', async () => {
  const file = join(ownFolder(), 'log');
  const descriptor = openSync(file, 'a');
  const log = gathered(descriptor);
  let wanted = '';
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      for (const [index, step] of [...all, 'flush' as const].entries()) {
        const line = `${index}${'.'.repeat(typeof step === 'number' ? step : 0)}\n`;
        if (step === 'turn') await new Promise(setImmediate);
        else if (step === 'flush') {
          await log.flush();
          writeSync(descriptor, line);
        } else log.write(line);
        if (step !== 'turn') wanted += line;
      }
      assert.equal(readFileSync(file, 'utf8'), wanted);
    }),
    { numRuns: 50 },
  );
});

it('who waits for lines that are written without an end is not kept for ever', async () => {
  const log = gathered(openSync('/dev/null', 'w'));
  let isOver = false;
  const flushed = log.flush().then(() => {
    isOver = true;
  });
  for (let index = 0; index < 10_000 && !isOver; index += 1) {
    log.write('more\n');
    await new Promise(setImmediate);
    if (index % 10 === 0) void log.flush();
  }
  assert.ok(isOver);
  await flushed;
});
