/**
 * A command about one account asks the servers of a cluster for nothing else: each statement says its account, or
 * reads what every server has. A command that is added is tried, too.
 */
// needs: program
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Client } from 'pg';
import { tablesOfAccounts } from '../../src/store/postgres/schema/distribution.ts';
import { emptyDatabase } from '../support/cli-postgres.ts';
import { ownFolder, programIn } from '../support/cli-program.ts';
import { makeAccount } from '../support/cli-setup.ts';
import { commands } from '../support/commands.ts';
import { onPostgres } from '../support/store-postgres.ts';
import { tappedPostgres } from '../support/tapped-postgres.ts';

const NUMBERS = join(ownFolder(), 'numbers.csv');
writeFileSync(NUMBERS, '+14155550188\n');

/** What a command is given beside its account. */
const MORE: Readonly<Record<string, readonly string[]>> = {
  'accounts change': ['--name', 'Another'],
  'accounts delete': ['--yes'],
  'accounts wipe': ['--yes'],
  'do-not-contact create': ['--phone-number', '+14155550188'],
  'do-not-contact import': ['--file', NUMBERS],
  'holds place': ['--matter', 'Case'],
  'records find': ['jane'],
  'records list': ['events'],
  'retention create': [
    ...['--resource', 'event_check_in_record', '--after', '3y'],
    ...['--counted-from', 'event_datetime', '--basis', 'Policy'],
  ],
  'staff invite': ['--email', 'one@example.com', '--role', 'viewer'],
};

/** They work on everything, in a file or for ever, or name what may be in any account. */
const ELSEWHERE = new Set([
  ...['import', 'export', 'locations show', 'locations change', 'webhooks listen'],
  ...['webhooks create', 'staff change', 'erasures create'],
]);

await onPostgres(({ name: version, url: server }) => {
  describe(`A command about one account, on ${version}`, async () => {
    for (const [name, { commands: below, options, registeredArguments }] of await commands()) {
      if (below.length > 0 || ELSEWHERE.has(name)) continue;
      const isOfOne = /^accounts .+/.test(name) && registeredArguments.length > 0;
      if (
        !isOfOne &&
        name !== 'accounts create' &&
        !options.some(({ long }) => long === '--account')
      )
        continue;
      it(name, async () => {
        const { env, url } = await emptyDatabase(server);
        const cwd = ownFolder();
        const { account } = await makeAccount(cwd, env);
        if (name === 'accounts delete') await programIn(cwd, env).ok('accounts', 'close', account);
        const spread = await tablesIn(url);
        const tapped = await tappedPostgres(url);
        const { ok } = programIn(cwd, { ...env, DATABASE_URL: tapped.url });
        const own = isOfOne ? [account] : ['--account', account];
        const given = name === 'accounts create' ? ['--name', 'Example'] : own;
        await ok(...name.split(' '), ...(MORE[name] ?? []), ...given, '--json');
        const sent = tapped.take();
        assert.ok(sent.length > 0);
        for (const text of sent) assert.deepEqual(unsaid(text, spread), [], text);
      });
    }
  });
});

async function tablesIn(url: string): Promise<ReadonlySet<string>> {
  const client = new Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(tablesOfAccounts);
    return new Set(rows.map(({ name }) => name));
  } finally {
    await client.end();
  }
}

/** The tables of accounts that a statement reads or changes without saying the account. */
function unsaid(text: string, spread: ReadonlySet<string>): readonly string[] {
  const tables = [...text.matchAll(/\b(?:FROM|JOIN|UPDATE|USING)\s+"?([a-z_]+)"?/gi)]
    .map(([, table = '']) => table)
    .filter((table) => spread.has(table));
  const said = text.match(/\baccount = (?:\(?(?:SELECT )?|ANY \()\$\d/g) ?? [];
  return said.length >= tables.length ? [] : tables;
}
