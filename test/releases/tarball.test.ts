/** A release runs on a bare machine: with nothing on its path but a shell, and no network but its own loopback. */
// needs: --ci, waits
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import about from '../../package.json' with { type: 'json' };
import { isThere, ownFolder } from '../support/cli-program.ts';

const PROJECT = join(import.meta.dirname, '../..');
const NAME = `ledgerstone-${about.version}`;
const MAX_BYTES = 180_000_000;

/** Runs there; a program of the test's sends the requests. */
const SCRIPT = `
  answers() {
    port=$1; shift
    ledgerstone "$@" --port $port >log 2>&1 </dev/null &
    "$NODE" "$REQUESTS" $port; code=$?
    kill $!; wait $!; return $code
  }
  ip link set lo up
  ledgerstone migrate >/dev/null &&
  ledgerstone accounts create --name Example --test &&
  ledgerstone doctor && answers 8099 serve && DATABASE_URL= answers 8098 dev --sample`;
const REQUESTS = `
  const { setTimeout: pause } = require('node:timers/promises');
  // It waits a minute for each, as tests do elsewhere.
  const until = async (is) => {
    for (let at = 0; at < 600 && !(await is()); at++) await pause(100);
  };
  (async () => {
    for (const path of ['/readyz', '/docs', '/console/', '/openapi.json', '/client.tgz']) {
      let answer;
      await until(async () => {
        answer = await fetch('http://127.0.0.1:' + process.argv[2] + path).catch(() => undefined);
        return answer;
      });
      await answer?.arrayBuffer();
      console.log(path, answer?.status);
    }
    const log = () => require('node:fs').readFileSync('log', 'utf8');
    if (process.argv[2] === '8098') await until(() => log().includes('Your key'));
    if (log().includes('Your key')) console.log('/sample 200');
    await fetch('https://192.0.2.1').then(() => console.log('a way out'), () => {});
  })();`;

const mayIsolate = spawnSync('unshare', ['-rn', 'ip', 'link']).status === 0;

describe('A release', { skip: !isThere('npm') && 'there is no npm on this machine' }, () => {
  const folder = ownFolder();
  // A whole run of tests has made one.
  const { TEST_DIST, TEST_RELEASE } = process.env;
  const to = TEST_DIST ?? join(folder, 'dist');
  const root = TEST_RELEASE ?? join(folder, NAME);
  const tarball = `${NAME}-linux-${process.arch}.tar.gz`;
  before(() => {
    if (TEST_RELEASE !== undefined) return;
    const words = ['scripts/release.ts', '--arch', process.arch, '--to', to];
    execFileSync(process.execPath, words, { cwd: PROJECT, stdio: ['ignore', 'pipe', 'pipe'] });
    execFileSync('tar', ['-xzf', join(to, tarball), '-C', folder]);
  });

  it('has checksums, and a list of its parts with their licences', () => {
    const sums = readFileSync(join(to, 'SHA256SUMS'), 'utf8').trim().split('\n');
    assert.equal(sums.length, 3);
    for (const [sum, file = ''] of sums.map((line) => line.split('  ')))
      assert.equal(
        createHash('sha256')
          .update(readFileSync(join(to, file)))
          .digest('hex'),
        sum,
      );
    const { packages } = JSON.parse(readFileSync(join(to, `${NAME}.spdx.json`), 'utf8'));
    const licences = new Set(
      packages.map((one: { licenseDeclared: string }) => one.licenseDeclared),
    );
    const names = new Set(packages.map((one: { name: string }) => one.name));
    for (const name of ['ledgerstone', 'node', 'fastify', 'pg', 'preact'])
      assert.ok(names.has(name));
    assert.ok(!names.has('esbuild') && !names.has('typescript'));
    for (const one of licences)
      assert.match(
        String(one),
        /^(Apache-2\.0|MIT|ISC|BSD-[23]-Clause|BlueOak-1\.0\.0|0BSD|\(.*MIT.*\))$/,
      );
  });

  it('is small enough, and names no place of the machine that made it', () => {
    const [kilobytes = ''] = execFileSync('du', ['-sk', '--exclude=.cache', root], {
      encoding: 'utf8',
    }).split('\t');
    assert.ok(Number(kilobytes) * 1_024 <= MAX_BYTES, `${kilobytes} kB`);
    const found = spawnSync('grep', ['-rlF', '--exclude-dir=.cache', PROJECT, root], {
      encoding: 'utf8',
    }).stdout;
    assert.equal(found, '');
  });

  it('serves without npm, a compiler or a network', {
    skip: !mayIsolate && 'no network of its own can be had here',
  }, () => {
    const path = join(folder, 'path');
    mkdirSync(path);
    const placeOf = (name: string) => execFileSync('which', [name], { encoding: 'utf8' }).trim();
    for (const name of ['sh', 'readlink', 'dirname', 'ip'])
      symlinkSync(placeOf(name), join(path, name));
    symlinkSync(join(root, 'bin/ledgerstone'), join(path, 'ledgerstone'));
    const data = join(folder, 'data');
    mkdirSync(data, { mode: 0o700 });
    writeFileSync(join(folder, 'requests.cjs'), REQUESTS);
    const { status, stdout, stderr } = spawnSync(placeOf('unshare'), ['-rn', 'sh', '-c', SCRIPT], {
      ...{ cwd: data, encoding: 'utf8' },
      env: {
        ...{ PATH: path, HOME: folder, DATABASE_URL: `sqlite:${join(data, 'ledgerstone.db')}` },
        ...{ NODE: process.execPath, REQUESTS: join(folder, 'requests.cjs') },
      },
    });
    assert.equal(status, 0, `${stdout}${stderr}`);
    assert.doesNotMatch(stdout, /^bad /m);
    assert.match(stdout, /^Created the test account acct_/m);
    const answers = stdout
      .split('\n')
      .filter((line) => line.startsWith('/') || line === 'a way out');
    const paths = ['/readyz', '/docs', '/console/', '/openapi.json', '/client.tgz'];
    const twice = [...paths, ...paths, '/sample'];
    assert.deepEqual(
      answers,
      twice.map((one) => `${one} 200`),
    );
  });
});
