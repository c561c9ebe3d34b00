/** Every command names what is wrong with its words, and does nothing then. One that is added is tried, too. */
// needs: program
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { settings } from '../../src/core/config.ts';
import { ownFolder, programIn } from '../support/cli-program.ts';
import { commands } from '../support/commands.ts';

/** What options get in place of a value of these names. */
const WRONG: Readonly<Record<string, string>> = {
  ...{ number: 'many', when: 'soon', time: 'soon', duration: 'long', rate: 'fast' },
};
/** Settings are tried where they are read. */
const SETTINGS = new Set(settings.map(({ option }) => option.split(' ')[0]));
/** What those that a command needs get. */
const GIVEN: Readonly<Record<string, string>> = { account: 'Example', email: 'one@example.com' };
/** They run until they are stopped. */
const ENDLESS = new Set(['dev', 'serve', 'webhooks listen']);

const { run, ok } = programIn(ownFolder());
before(() => ok('accounts', 'create', '--name', 'Example'));

/** Wants it to fail with one of these words, and nothing else that people cannot act on. */
async function wantRefusal(words: readonly string[], ...named: string[]): Promise<void> {
  const { code, stdout, stderr } = await run(...words);
  const what = `${words.join(' ').slice(0, 200)}: ${stderr}`;
  assert.deepEqual([code, stdout], [1, ''], what);
  assert.ok(
    named.some((one) => stderr.includes(one)),
    what,
  );
  assert.match(stderr, /^(?:ledgerstone: (?!Unexpected).+\n)+$/, what);
}

for (const [name, { commands: below, options, registeredArguments }] of await commands()) {
  if (below.length > 0) continue;
  describe(name, () => {
    const valueIn = (flags: string) => /[<[]([^.>\]]+)/.exec(flags)?.[1] ?? '';
    const needs = options.filter(({ mandatory }) => mandatory).map(({ long }) => `${long}=none`);
    const given = registeredArguments.filter(({ required }) => required).map(() => 'none');
    const words = [...name.split(' '), ...needs];
    const valued = options.filter((option) => option.required || option.optional);

    it('names the argument that is missing', async () => {
      if (given.length > 0) await wantRefusal(words, 'missing required argument');
    });

    it('refuses what it does not know', async () => {
      await wantRefusal([...words, ...given, '--unknown'], "unknown option '--unknown'");
      if (registeredArguments.some(({ variadic }) => variadic)) return;
      await wantRefusal([...words, 'one', 'two', 'three'], 'too many arguments');
    });

    it('refuses each option without a value, given twice, or with a wrong value', async () => {
      const { stderr } = ENDLESS.has(name) ? { stderr: '' } : await run(...words, ...given);
      const required = [...stderr.matchAll(/--(\S+) is required/g)].map(([, one = '']) => one);
      for (const { long, variadic, flags, argChoices } of valued) {
        const [first = '', ...more] = argChoices ?? valueIn(flags).split('|');
        const option = long ?? assert.fail(flags);
        await wantRefusal([...words, ...given, option], `option '${flags}' argument missing`);
        const twice = [`${option}=${first}`, `${option}=${first}`];
        if (!variadic)
          await wantRefusal([...words, ...given, ...twice], `${option} was given twice`);
        const others = required
          .filter((one) => `--${one}` !== option)
          .map((one) => {
            const { flags = '' } = options.find(({ long }) => long === `--${one}`) ?? {};
            return `--${one}=${GIVEN[one] ?? valueIn(flags).split('|')[0]}`;
          });
        const wrong = SETTINGS.has(option) ? undefined : more.length > 0 ? 'other' : WRONG[first];
        if (wrong !== undefined)
          await wantRefusal(
            [...words, ...given, ...others, `${option}=${wrong}`],
            option,
            'here is no',
          );
      }
    });
  });
}
