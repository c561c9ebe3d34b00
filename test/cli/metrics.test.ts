/** The port of the metrics as an operator sets it: by option or variable, told in the log, and its mistakes in one line. */
// needs: program

import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { describe, it } from 'node:test';
import { whenOver } from '../support/at-end.ts';
import { ownFolder, programIn, run } from '../support/cli-program.ts';
import { startProcess } from '../support/cli-service.ts';
import { scrape } from '../support/scrape.ts';

async function takenPort(): Promise<number> {
  const taken = createServer().listen(0, '127.0.0.1');
  whenOver(() => taken.close());
  await new Promise((resolve) => taken.once('listening', resolve));
  return (taken.address() as { port: number }).port;
}

describe('--metrics-port', () => {
  for (const command of ['serve', 'dev']) {
    it(`${command} shows metrics there, says so, and ends as always`, async () => {
      const env = { METRICS_PORT: '0', LOG_LEVEL: 'info' };
      const service = await startProcess({ cwd: ownFolder(), env, words: [command] });
      const printed = await service.printed(/"msg":"metrics"/);
      const [, address = ''] = /"address":"([^"]+\/metrics)"/.exec(printed) ?? [];
      assert.ok((await scrape(address)).families.has('ledgerstone_requests_total'));
      assert.equal((await service.stop()).code, 0);
      await assert.rejects(fetch(address));
    });
  }

  it('that is in use is one line, and nothing is served', async () => {
    const port = await takenPort();
    const words = ['serve', '--port', '0', '--metrics-port', String(port)];
    const { code, stdout, stderr } = await programIn(ownFolder()).run(...words);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(
      stderr,
      new RegExp(
        `^ledgerstone: Port ${port} on 127.0.0.1 is already in use. .* --metrics-port, .*\n$`,
      ),
    );
  });

  it('does not stay taken when the port of the service is in use', async () => {
    const port = await takenPort();
    const words = ['serve', '--port', String(port), '--metrics-port', '0'];
    const wrong = await programIn(ownFolder()).fails(...words);
    assert.match(wrong, new RegExp(`^ledgerstone: Port ${port} .* --port, .*\n$`));
  });

  it('that is no port, or the port of the service, is refused before anything starts', async () => {
    const cwd = ownFolder();
    for (const [words, complaint] of [
      [['--metrics-port', '70000'], /--metrics-port must be a whole number from 0 to 65535; /],
      [
        ['--metrics-port', '8080'],
        /--metrics-port must be another port than that of the service; /,
      ],
      [['--metrics-port', '081', '--port', '81'], /--metrics-port must be another port than /],
    ] as const) {
      const stderr = await programIn(cwd).fails('serve', ...words);
      assert.match(stderr, complaint);
      assert.equal(stderr.split('\n').length, 2);
    }
    const { stderr } = await run(['config', '--port', '9464'], {
      cwd,
      env: { METRICS_PORT: '9464' },
    });
    assert.match(
      stderr,
      /METRICS_PORT must be another port than that of the service; it is "9464"\./,
    );
  });

  it('0 and 0 are two ports, and a variable that is set to nothing counts as not set', async () => {
    const cwd = ownFolder();
    const env = { METRICS_PORT: '0', PORT: '0' };
    assert.equal((await run(['config'], { cwd, env })).code, 0);
    const { stdout } = await run(['config'], { cwd, env: { METRICS_PORT: '' } });
    assert.match(stdout, /^metrics_port = \(not set\) {2}\(the default\)$/m);
  });
});
