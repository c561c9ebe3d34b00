/** Followers of changes by server-sent events miss none, with the libraries that people use, wherever the connection is cut. */
// needs: --all, both stores, waits, browser
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { whenOver } from '../support/at-end.ts';
import { launchBrowser, newWindow } from '../support/browser.ts';
import { isThere } from '../support/cli-program.ts';
import { GENERATORS, lacks } from '../support/extras.ts';
import { listening } from '../support/local-server.ts';
import { joinService, type Service } from '../support/service.ts';
import { until } from '../support/until.ts';

const { browser, skip } = await launchBrowser();

/** Programs that print the record of each change; `url` and `authorization` are known to them. */
const PROGRAMS: Readonly<Record<string, string>> = {
  eventsource: `import { EventSource } from 'eventsource';
const source = new EventSource(url, { fetch: (to, init) => fetch(to, { ...init, headers: { ...init.headers, authorization } }) });
source.addEventListener('change', tell);`,
  'event-source-polyfill': `import polyfill from 'event-source-polyfill';
const source = new polyfill.EventSourcePolyfill(url, { headers: { authorization } });
source.addEventListener('change', tell);`,
  'extended-eventsource': `import { EventSource } from 'extended-eventsource';
const source = new EventSource(url, { headers: { authorization }, retry: 300, disableLogger: true });
source.addEventListener('change', tell);`,
  '@microsoft/fetch-event-source': `globalThis.window = globalThis;
globalThis.document = { hidden: false, addEventListener() {}, removeEventListener() {} };
const { fetchEventSource } = await import('@microsoft/fetch-event-source');
await fetchEventSource(url, {
  headers: { authorization },
  onmessage(message) { if (message.event === 'change') tell(message); },
  // Without it the library takes the end of a stream for its end.
  onclose() { throw new Error('again'); },
  onerror() { return 300; },
});`,
};

/** What a connection has brought when it is cut: its place, without a change; then a change. Later ones are not cut. */
const MARKS = ['event: position', 'event: change'];

/** Between the client and the service: cuts connections, and lets nobody connect until `whileCut` is done. */
async function cutting(service: Service, whileCut: (times: number) => Promise<void>) {
  const { hostname, port } = new URL(service.url);
  let cuts = 0;
  let before: Promise<void> = Promise.resolve();
  const server = createServer((client) => {
    client.on('error', () => {}).pause();
    void before.then(() => {
      const target = connect(Number(port), hostname);
      let text = '';
      client.on('close', () => target.destroy());
      target.on('error', () => {}).on('close', () => client.destroy());
      client.pipe(target);
      target.on('data', (piece: Buffer) => {
        text += piece.toString('latin1');
        const at = text.indexOf(MARKS[cuts] ?? '\0');
        if (at < 0 || !text.includes('\n\n', at)) return void client.write(piece);
        target.removeAllListeners('data').removeAllListeners('close').destroy();
        cuts += 1;
        before = whileCut(cuts);
        client.write(piece, () => client.destroy());
      });
    });
  });
  return `http://127.0.0.1:${await listening(server)}`;
}

/** Has what is written while it is cut off come to a client, which `follow` starts; that gives what it has seen so far. */
async function missesNothing(
  follow: (
    url: string,
    authorization: string,
  ) => Promise<() => readonly string[] | Promise<readonly string[]>>,
): Promise<void> {
  const service = await joinService();
  const location = await service.location();
  const written: string[] = [];
  const url = await cutting(service, async (times) => {
    for (const name of ['first', 'second'])
      written.push(await service.event(location, `${name} after cut ${times}`));
  });
  const authorization = `Basic ${Buffer.from(`${service.key}:`).toString('base64')}`;
  const { unique_identifier } = service.account;
  const query = `account=${unique_identifier}&starting_after=now&resource[]=event`;
  const seen = await follow(`${url}/v1/changes?${query}`, authorization);
  await until(async () => {
    const all = await seen();
    return written.length === 4 && all.includes(written[3] ?? '');
  });
  assert.deepEqual([...new Set(await seen())], written);
}

function printed(child: ChildProcess): () => readonly string[] {
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  whenOver(() => child.kill('SIGKILL'));
  return () => text.split('\n').slice(0, -1);
}

describe('a follower that is cut off before and after its first change', {
  concurrency: true,
}, () => {
  for (const [name, program] of Object.entries(PROGRAMS))
    it(
      `misses nothing, by ${name}`,
      {
        skip: lacks(name, 'generators'),
      },
      () =>
        missesNothing(async (url, authorization) => {
          const given = `const [url, authorization] = process.argv.slice(1);
// A program that does nothing else ends while one of them waits to connect again.
setInterval(() => {}, 60_000);
const tell = ({ data }) => console.log(JSON.parse(data).record);`;
          const imports = program.startsWith('import ')
            ? program.slice(0, program.indexOf('\n'))
            : '';
          const rest = program.slice(imports.length);
          const whole = `${imports}\n${given}\n${rest}`;
          const args = ['--input-type=module', '-e', whole, url, authorization];
          return printed(spawn(process.execPath, args, { cwd: join(GENERATORS, '..') }));
        }),
    );

  it(
    'misses nothing, by Python',
    { skip: isThere('python3') ? false : 'there is no python3' },
    () =>
      missesNothing(async (url, authorization) => {
        const file = join(import.meta.dirname, '../support/languages/event_source.py');
        return printed(spawn('python3', [file, url, authorization]));
      }),
  );

  it('misses nothing, by EventSource of Chromium', { skip }, () =>
    missesNothing(async (url, authorization) => {
      assert.ok(browser);
      // Browsers can send no key with EventSource: what a proxy would add is added here.
      const window = await newWindow(browser, { extraHTTPHeaders: { authorization } });
      const page = await window.newPage();
      await page.goto(new URL('/healthz', url).href);
      await page.evaluate((to) => {
        const seen: string[] = [];
        Object.assign(globalThis, { seen });
        new EventSource(to).addEventListener('change', ({ data }) =>
          seen.push(JSON.parse(data).record),
        );
      }, url);
      return () => page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen);
    }),
  );
});
