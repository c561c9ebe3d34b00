/** Names of hosts are looked up by a process of its own, and what one name does to it no other name notices. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createNames, lookupBy } from '../../src/core/aside/names.ts';
import { silentNames, skip } from '../support/silent-names.ts';
import { until } from '../support/until.ts';

const PROJECT = join(import.meta.dirname, '../..');
/** Only a command connects here, to a service elsewhere, and it ends with its answer. */
const COMMANDS = ['src/cli/service/elsewhere.ts'];

const silent = skip === false ? silentNames() : undefined;
// For the processes that this one begins.
Object.assign(process.env, silent?.env);

/** Who has looked the name up. */
const by = (name: string): readonly number[] =>
  (silent?.lookedUp() ?? []).flatMap((looked) => (looked.name === name ? [looked.pid] : []));

describe('Names of hosts', { concurrency: true }, () => {
  it('are looked up as the system has them, once for all who wait', { skip }, async () => {
    const look = createNames();
    const [found] = await look('localhost');
    assert.match(found?.address ?? '', /^(?:127\.0\.0\.1|::1)$/);
    assert.ok(!by('localhost').includes(process.pid));
    const all = Array.from({ length: 4 }, () => look('nobody.invalid'));
    await Promise.all(all.map((one) => assert.rejects(one)));
    assert.equal(by('nobody.invalid').length, 1);
  });

  it('fail with the error of the system', { skip }, async () => {
    const look = createNames();
    await assert.rejects(look('nothing.invalid'), { code: /^(?:ENOTFOUND|EAI_AGAIN)$/ });
  });

  it('are given up after a time, and others are found afterwards', { skip }, async () => {
    const look = createNames(1);
    await assert.rejects(look('one.silent.example'), { code: 'ETIMEDOUT' });
    assert.ok((await look('localhost')).length > 0);
  });

  it('are looked up again where the process went that others had hung', { skip }, async () => {
    const look = createNames();
    const found = look('one.once.example');
    await until(() => by('one.once.example').length > 0);
    const [pid = 0] = by('one.once.example');
    process.kill(pid, 'SIGKILL');
    assert.ok((await found).length > 0);
    assert.equal(new Set(by('one.once.example')).size, 2);
  });

  it('are not looked up here after that: a name that hangs is given up', { skip }, async () => {
    const name = 'kills.silent.example';
    const found = assert.rejects(createNames()(name), { code: 'ETIMEDOUT' });
    const killed = new Set<number>();
    const killNext = async (): Promise<boolean> => {
      const pid = by(name).find((one) => !killed.has(one));
      if (pid === undefined || pid === process.pid) return false;
      process.kill(pid, 'SIGKILL');
      killed.add(pid);
      return true;
    };
    for (let tries = 1; tries <= 3; tries += 1) await until(killNext);
    await found;
    assert.deepEqual(new Set(by(name)), killed);
  });

  it('are looked up in no other way by what serves', () => {
    const others = globSync('src/**/*.ts', { cwd: PROJECT }).filter((path) => {
      const text = readFileSync(join(PROJECT, path), 'utf8');
      const looksUp = /^import (?!type )[^;]*'node:dns|(?<![.\w]|async )fetch\(/m.test(text);
      return looksUp && !path.startsWith('src/core/aside/');
    });
    assert.deepEqual(others.sort(), COMMANDS);
  });

  it('give a socket the addresses of the family that it asks for', async () => {
    const both = [
      { address: '::1', family: 6 },
      { address: '127.0.0.1', family: 4 },
    ];
    const lookup = lookupBy(async () => both);
    const asked = (options: object) =>
      new Promise((resolve) => lookup('host', options, (...all) => resolve(all)));
    assert.deepEqual(await asked({ all: true }), [null, both]);
    assert.deepEqual(await asked({ all: true, family: 4 }), [null, both.slice(1)]);
    assert.deepEqual(await asked({}), [null, '::1', 6]);
    assert.deepEqual(await asked({ family: 'IPv4' }), [null, '127.0.0.1', 4]);
    const none = lookupBy(async () => []);
    const error = await new Promise((resolve) => none('host', {}, resolve));
    assert.equal((error as NodeJS.ErrnoException).code, 'ENOTFOUND');
  });
});
