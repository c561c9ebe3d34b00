/** `npm start` gives a stranger something to try in a minute, and later says what is there. */
// needs: program
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { rights } from '../../src/records/auth/principal.ts';
import { isThere, type KeyJson, ownFolder, programIn } from '../support/cli-program.ts';
import { call, startProcess } from '../support/cli-service.ts';
import { parseJson } from '../support/parse-json.ts';
import { pluck } from '../support/pluck.ts';
import { withinOneDay } from '../support/same-day.ts';

/** Starts `dev`, and gives what it says for people. */
async function startDev(cwd: string) {
  const service = await startProcess({ cwd, words: ['dev'] });
  return { ...service, said: () => service.printed(/Ctrl-C/) };
}

/** Runs a command as it was printed. */
const paste = (command: string, cwd: string): string =>
  execFileSync('sh', ['-c', command], { cwd, stdio: ['ignore', 'pipe', 'ignore'] }).toString();

describe('dev', () => {
  it('prints address, account, key, data and three curl commands, each of which works when pasted alone', async (t) => {
    const cwd = ownFolder();
    const dev = await startDev(cwd);
    const said = await dev.said();
    assert.match(said, new RegExp(`^ {2}Address +${dev.url}$`, 'm'));
    assert.match(said, /^ {2}Account +acct_\w{22} +Example Funeral Group \(test\)$/m);
    assert.match(said, /^Your key\. .*:\n.*\n\n {2}sk_test_\w{38}\n\n/m);
    assert.match(said, /^ {2}Data +sqlite:\/.*\/data\/ledgerstone\.db$/m);
    const [, key = ''] = /^ {2}(sk_test_\w{38})$/m.exec(said) ?? [];
    const { allow } = JSON.parse((await call(dev.url, key, '/v1/me')).text);
    // Last, where nothing buries it: the first line after it is of what was asked since.
    const after = (await dev.printed(/"path":"\/v1\/me"/)).split(`\n  ${key}\n\n`)[1] ?? '';
    assert.match(after, /^\{[^\n]*"path":"\/v1\/me"/);
    // All but what people may.
    assert.deepEqual(
      allow,
      Object.keys(rights).filter((right) => right !== 'pin'),
    );
    const commands = said.split('\n').filter((line) => /^ *curl /.test(line));
    assert.equal(commands.length, 3);
    if (!isThere('curl')) return t.skip('there is no curl on this machine to paste them for');
    const answers = commands.map((command) => JSON.parse(paste(command, cwd))) as {
      object: string;
      data?: { name: string }[];
      location_unique_identifier?: string;
    }[];
    assert.deepEqual(pluck(answers, 'object'), ['list', 'location', 'event']);
    assert.equal(answers[0]?.data?.[0]?.name, 'Example Funeral Group');
    const location = answers[2]?.location_unique_identifier;
    assert.ok(said.includes(`${location} `), 'at the location that is there');
    assert.equal((await dev.stop('SIGINT')).code, 0);
  });

  it('with --sample there is something to look at, around today, also when it is started again', async () => {
    await withinOneDay('America/Chicago');
    const cwd = ownFolder();
    const words = ['dev', '--sample'];
    const counts: number[][] = [];
    for (const _ of [1, 2]) {
      const dev = await startProcess({ cwd, words });
      await dev.printed(/Ctrl-C/);
      const stdout = await programIn(cwd).ok('dev', '--show-key');
      const get = (path: string) =>
        fetch(dev.url + path, { headers: { Authorization: `Bearer ${stdout.trim()}` } });
      const list = async (path: string): Promise<readonly Record<string, string>[]> =>
        parseJson(await (await get(`/v1/${path}`)).text()).data;
      const resources = ['locations', 'events', 'event_administrators', 'event_check_in_records'];
      const lists = await Promise.all(
        [...resources, 'online_arrangements', 'direct_mail_replies'].map(list),
      );
      counts.push(lists.map(({ length }) => length));
      const there = {
        timeZone: 'America/Chicago',
        dateStyle: 'short',
        timeStyle: 'short',
      } as const;
      const clock = (time?: string) => new Date(time ?? Date.now()).toLocaleString('sv', there);
      const today = clock().slice(0, 10);
      const services = (await list('events')).map((one) => clock(one.event_datetime));
      // By the clock of the chapels.
      const ofToday = services.filter((time) => time.startsWith(today)).sort();
      assert.deepEqual(ofToday, [`${today} 10:00`, `${today} 15:00`]);
      const [chapel] = lists[0] ?? [];
      const settings = await get(`/v1/locations/${chapel?.unique_identifier}/settings`);
      assert.equal(((await settings.json()) as { time_zone: string }).time_zone, 'America/Chicago');
      for (const { unique_identifier } of lists[5] ?? []) {
        const image = await get(`/v1/direct_mail_replies/${unique_identifier}/images/0`);
        assert.equal(image.headers.get('content-type'), 'image/jpeg', await image.text());
      }
      await dev.stop();
    }
    const [first, second] = counts;
    assert.ok(first?.every((count) => count >= 3) === true, String(first));
    assert.deepEqual(second?.slice(0, 3), first.slice(0, 3), 'nothing stands there twice');
  });

  it('started again, it says what is there and how to make another key', async () => {
    const cwd = ownFolder();
    const first = await startDev(cwd);
    const [secret = ''] = /sk_test_\w+/.exec(await first.said()) ?? [];
    await first.stop();
    const second = await startDev(cwd);
    const said = await second.said();
    assert.match(said, /acct_\w{22} +Example Funeral Group +test +open/);
    assert.match(said, /Locations +1$/m);
    assert.match(
      said,
      /key_\w{22} +test…\w{4} +active +all( \+\w+)* +\d{4}-\d\d-\d\d +Trial key$/m,
      'with its last use',
    );
    assert.ok(!said.includes(secret), 'the key is not shown where nobody asked');
    assert.equal((await programIn(cwd).json<KeyJson[]>('keys', 'list')).length, 1);

    const [, command = ''] = /^ {2}(.* keys create --account acct_\w+)$/m.exec(said) ?? [];
    assert.match(paste(command, cwd), /^Secret +sk_test_/m);
  });

  it('shows the key again on request, while it runs and later, as long as the key works', async () => {
    const cwd = ownFolder();
    const { run, json, ok, fails } = programIn(cwd);
    await fails('dev', '--show-key');
    const dev = await startDev(cwd);
    const said = await dev.said();
    const [secret = ''] = /sk_test_\w{38}/.exec(said) ?? [];
    const [, command = ''] = /^ {2}(\S.* dev --show-key)$/m.exec(said) ?? [];
    assert.equal(paste(command, cwd), `${secret}\n`);
    await dev.stop();
    assert.equal(await ok('dev', '--show-key'), `${secret}\n`);
    assert.equal(statSync(join(cwd, 'data/ledgerstone.db.dev-key')).mode & 0o777, 0o600);

    const [key] = await json<KeyJson[]>('keys', 'list');
    await run('keys', 'revoke', key?.unique_identifier ?? '');
    assert.match(
      await fails('dev', '--show-key'),
      /^ledgerstone: There is no test key to show for [^\n]+ "ledgerstone keys create"\.\n$/,
    );
  });

  it('listens on loopback only', async () => {
    const hosts = ['0.0.0.0', '::', '192.0.2.1', 'example.com'];
    const says = /^ledgerstone: "dev" serves only this machine, .* Use "serve" .*\n$/;
    const rows = hosts.map((host) => [`${host} --port 0`, says] as const);
    await programIn(ownFolder()).mistakes('dev --host', rows);
  });

  it('a port in use is told before anything is made', async () => {
    const first = await startDev(ownFolder());
    const { fails, ok } = programIn(ownFolder());
    assert.match(
      await fails('dev', '--port', String(first.port)),
      /^ledgerstone: Port \d+ on 127\.0\.0\.1 is already in use\. .* --port, .*\n$/,
    );
    assert.deepEqual(JSON.parse(await ok('accounts', 'list', '--json')), []);
  });
});
