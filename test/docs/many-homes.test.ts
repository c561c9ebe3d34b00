/** The recipe of `docs/production.md` for many homes: the commands as they stand there, on files as it describes them. */
// needs: program
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { ownFolder, programIn, run } from '../support/cli-program.ts';
import { makeAccount } from '../support/cli-setup.ts';
import { pages } from '../support/doc-pages.ts';

const HOMES = 40;

it('homes, their keys and their people come from three files', async () => {
  const recipe = pages()
    .filter(({ path }) => path === 'docs/production.md')
    .flatMap(({ blocks }) => blocks.map(({ text }) => text))
    .find((text) => text.includes('keys create --many homes.csv'));
  assert.ok(recipe !== undefined);
  const commands = recipe
    .split('\n')
    .flatMap((line) => (line.startsWith('sudo ledgerstone ') ? [line.split(' ').slice(2)] : []));
  assert.equal(commands.length, 4);

  const cwd = ownFolder();
  const { account } = await makeAccount(cwd);
  const homes = Array.from({ length: HOMES }, (_, nth) => `home-${nth}`);
  const files = {
    'locations.csv': [
      'external_identifier,location_name',
      ...homes.map((home) => `${home},Home of ${home}`),
    ],
    'homes.csv': [
      'account,location,name',
      ...homes.map((home) => `Example Funeral Group,${home},Tablets`),
    ],
    'people.csv': [
      'email,account,location',
      ...homes.map((home) => `${home}@example.com,Example Funeral Group,${home}`),
    ],
  };
  for (const [name, lines] of Object.entries(files))
    writeFileSync(join(cwd, name), `${lines.join('\n')}\n`);

  for (const command of commands) {
    const words = command.map((word) => (word === 'acct_…' ? account : word));
    await programIn(cwd).ok(...words);
  }
  for (const name of ['homes.keys.csv', 'people.links.csv']) {
    const lines = readFileSync(join(cwd, name), 'utf8').trim().split('\n');
    assert.equal(lines.length, HOMES + 1, name);
  }
  const { stdout } = await run(['keys', 'list', '--json'], { cwd });
  assert.equal(JSON.parse(stdout).length, HOMES + 1);
});
