/** A store moves from PostgreSQL 15 to 18 under load, by the commands of the page that says how: no write is refused, and nothing is lost. */
// needs: --ci, program, waits
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { promisify } from 'node:util';
import { whenOver } from '../support/at-end.ts';
import { isThere, LAUNCHER, ownFolder, programIn } from '../support/cli-program.ts';
import { call, startProcess } from '../support/cli-service.ts';
import { makeAccount } from '../support/cli-setup.ts';
import { pages } from '../support/doc-pages.ts';
import type { Major } from '../support/postgres-programs.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { until } from '../support/until.ts';

const WRITERS = 6;
/** Records that each writer changes in turn. */
const RECORDS = 40;

const programs = ['pg_dump', 'psql'];
const skip = programs.every(isThere) ? false : `there is no ${programs.join(' or ')}`;

/** The steps of the page, as they stand there. */
function steps(): readonly string[] {
  const [page] = pages().filter(({ path }) => path === 'docs/postgresql.md');
  const blocks = (page?.blocks ?? []).filter(({ language }) => language === 'sh');
  return blocks.map(({ text }) => text).filter((text) => /"\$(?:OLD|NEW)"/.test(text));
}

async function serverOf(major: Major) {
  const server = await startPostgres(major);
  whenOver(() => server.remove());
  return server;
}

it('moves while it is written to', { skip }, async () => {
  const [copy = '', wait = '', change = '', ...more] = steps();
  assert.deepEqual([more, change === ''], [[], false], 'the page has three blocks');
  const [old, fresh] = [await serverOf('15'), await serverOf('18')];
  const cwd = ownFolder();
  const run = promisify(execFile);
  await run('psql', [old.url, '-qc', 'ALTER SYSTEM SET wal_level = logical']);
  await old.halt();
  await old.start();
  writeFileSync(join(cwd, 'ledgerstone'), `#!/bin/sh\nexec "${LAUNCHER}" "$@"\n`);
  chmodSync(join(cwd, 'ledgerstone'), 0o700);
  const env = { PATH: `${cwd}:${process.env.PATH}`, OLD: old.url, NEW: fresh.url };
  const step = (text: string) => run('sh', ['-euc', text], { cwd, env, timeout: 300_000 });

  const { account, secret } = await makeAccount(cwd, { DATABASE_URL: old.url });
  const before = await startProcess({ cwd, env: { DATABASE_URL: old.url } });
  let url = before.url;
  /** By its identifier, the last name that was taken. */
  const taken = new Map<string, string>();
  const refused: string[] = [];
  let isOver = false;
  let writes = 0;
  const writing = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let at = 0; !isOver; at += 1) {
      const external_identifier = `${writer}-${at % RECORDS}`;
      const location_name = `Chapel ${writer} ${at}`;
      const body = { account_unique_identifier: account, external_identifier, location_name };
      try {
        const { status, text } = await call(url, secret, '/v1/locations/upsert', body);
        if (status >= 400) refused.push(`${status} ${text}`);
        else taken.set(external_identifier, location_name);
        writes += 1;
      } catch {
        // Nobody listens while it moves: a client sends the same again.
        await new Promise(setImmediate);
        at -= 1;
      }
    }
  });
  const furtherWrites = (count: number) => {
    const wanted = writes + count;
    return until(() => writes >= wanted);
  };
  await furtherWrites(200);
  await step(copy);
  await furtherWrites(200);
  await step(wait);
  await furtherWrites(200);
  assert.equal((await before.stop()).code, 0);
  await step(change);
  const digestsOf = async (DATABASE_URL: string) => {
    const { json } = programIn(cwd, { DATABASE_URL });
    const { digests } = await json<{ digests: Record<string, string> }>('verify');
    // Each command is in the audit.
    const { audit: _, ...alike } = digests;
    return alike;
  };
  assert.deepEqual(await digestsOf(fresh.url), await digestsOf(old.url));
  const after = await startProcess({ cwd, env: { DATABASE_URL: fresh.url } });
  url = after.url;
  await furtherWrites(200);
  isOver = true;
  await Promise.all(writing);
  assert.deepEqual(refused, []);
  assert.equal(taken.size, WRITERS * RECORDS);
  const { ok } = programIn(cwd, { DATABASE_URL: fresh.url });
  const listed = await ok('export', '--resource', 'locations', '--account', account);
  const held = new Map(
    listed
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>)
      .map((one) => [one.external_identifier, one.location_name]),
  );
  assert.deepEqual(held, taken);
  assert.match(await ok('doctor'), /good/);
});
