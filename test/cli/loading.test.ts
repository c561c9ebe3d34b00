/** A command loads what it needs: its help loads no other command and no store, and nothing loads a store where a service elsewhere does the work. */
// needs: program, long
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { finish, ownFolder, start } from '../support/cli-program.ts';
import { commands } from '../support/commands.ts';

const PROJECT = join(import.meta.dirname, '../..');
const HREF = `${pathToFileURL(PROJECT).href}/`;
/** Prints the files of the source that a process loads. */
const PRINTING = `data:text/javascript,${encodeURIComponent(`
import { registerHooks } from 'node:module';
registerHooks({ load(url, context, next) {
  if (url.startsWith(${JSON.stringify(`${HREF}src/`)})) process.stderr.write('loaded ' + url.slice(${HREF.length}) + '\\n');
  return next(url, context);
} });`)}`;

async function loading(...words: readonly string[]) {
  const from = ['--import', PRINTING, join(PROJECT, 'src/main.ts'), ...words];
  const child = start(
    from,
    { cwd: ownFolder(), env: { LEDGERSTONE_KEY: 'sk_test_x' }, program: process.execPath },
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const { code, stderr } = await finish(child);
  const lines = stderr.split('\n');
  const loaded = lines.filter((line) => line.startsWith('loaded ')).map((line) => line.slice(7));
  return { code, loaded, says: lines.filter((line) => !line.startsWith('loaded ')).join('\n') };
}

/** The files with which each command begins, as the lists of commands name them. */
function entriesIn(list: string): readonly (readonly [name: string, file: string])[] {
  const text = readFileSync(join(PROJECT, list), 'utf8');
  const named = text.matchAll(
    /^ {2}'?([\w-]+)'?: (?:ofFeature\(|async \()[^;]*?import\('([^']+)'\)/gm,
  );
  return [...named].map(([, name = '', file = '']) => [
    name,
    posix.join(posix.dirname(list), file),
  ]);
}
const ENTRIES = ['src/cli/run.ts', 'src/features/command.ts'].flatMap(entriesIn);
/** Doors of features that the core has lists of, which are read with what they are about. */
const LISTED = /^src\/features\/[\w-]+\/(?:errors|declares|says|store)\b/;
/** They serve everything. */
const SERVING = new Set(['dev', 'serve']);
const STORE = /^src\/(?:store\/(?:sqlite|postgres)\/|app\/bag\.ts|cli\/derived\/here\.ts)/;

const all = (await commands()).filter(([words]) => words !== '');
const first = all.filter(([words]) => !words.includes(' ')).map(([words]) => words);
const below = (group: string) =>
  all.filter(([words]) => words === group || words.startsWith(`${group} `));
const addressOf = ({ options }: (typeof all)[number][1]) =>
  options.find(({ description }) => description.includes('LEDGERSTONE_KEY'))?.long;

describe('a command', { concurrency: 2 }, () => {
  it('has a file with which it begins', () => {
    const named = new Set(ENTRIES.map(([name]) => name));
    assert.deepEqual(
      first.filter((name) => !named.has(name)),
      [],
    );
  });

  for (const name of first)
    it(`${name} --help loads ${name} alone`, async () => {
      const { code, loaded } = await loading(name, '--help');
      assert.equal(code, 0);
      const own = new Set(ENTRIES.filter(([one]) => one === name).map(([, file]) => file));
      const others = ENTRIES.map(([, file]) => file).filter((file) => !own.has(file));
      assert.deepEqual(
        loaded.filter((file) => others.includes(file)),
        [],
      );
      const feature = /^src\/features\/[\w-]+\//.exec([...own][0] ?? '')?.[0] ?? 'of no feature';
      const ofFeatures = loaded.filter(
        (file) => /^src\/features\/[\w-]+\//.test(file) && !file.startsWith(feature),
      );
      if (SERVING.has(name)) return;
      assert.deepEqual(
        ofFeatures.filter((file) => !LISTED.test(file)),
        [],
      );
      assert.deepEqual(
        loaded.filter((file) => /^src\/store\/(?:sqlite|postgres)\//.test(file)),
        [],
      );
    });

  for (const name of first)
    it(`${name} with --url loads no store`, async () => {
      const elsewhere = below(name).find(([, one]) => addressOf(one) !== undefined);
      const [words, one] = elsewhere ?? below(name)[0] ?? assert.fail(name);
      const given = one.registeredArguments.filter(({ required }) => required).map(() => 'none');
      const address = addressOf(one) ?? '--url';
      const { code, loaded, says } = await loading(
        ...[...words.split(' '), ...given, address, 'http://127.0.0.1:1'],
      );
      assert.equal(code, 1, words);
      assert.deepEqual(
        loaded.filter((file) => STORE.test(file)),
        [],
      );
      if (elsewhere !== undefined) return;
      assert.match(says, /^ledgerstone: "ledgerstone [\w-]+" works on the store itself: run it/);
      const files = new Set(ENTRIES.map(([, file]) => file));
      assert.deepEqual(
        loaded.filter((file) => files.has(file)),
        [],
      );
    });
});
