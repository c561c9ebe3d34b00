/** The program explains itself, and what people write means what they expect and is shown safely. */
// needs: program
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Command } from '../../src/cli/help.ts';
import { align } from '../../src/cli/output.ts';
import { readDuration, readMoment } from '../../src/cli/time.ts';
import { settings } from '../../src/core/config.ts';
import { redact } from '../../src/core/observe/redact.ts';
import { shellWord } from '../../src/core/observe/shell-word.ts';
import { readRate } from '../../src/core/rate.ts';
import { resources } from '../../src/core/resources/index.ts';
import { presentTime } from '../../src/core/schema/present/present.ts';
import { operationsOf } from '../../src/edge/operations/index.ts';
import { LAUNCHER, ownFolder, programIn, run as runIn } from '../support/cli-program.ts';
import { commands } from '../support/commands.ts';

const RELEASES = join(import.meta.dirname, '../releases');
const PINS: Readonly<Record<string, string>> = { list: 'pins', delete: 'unpin' };

describe('help and mistakes', () => {
  it('every command has help with an example, and names the store that it works on', async () => {
    const all = new Map(await commands());
    assert.ok(all.size > 40);
    for (const [words, command] of all) {
      const told: string[] = [];
      command.configureOutput({ writeOut: (text) => told.push(text) }).outputHelp();
      const help = told.join('');
      assert.ok(help.startsWith(`Usage: ledgerstone ${words}`.trimEnd()), words);
      assert.match(help, /\nExamples:\n.*\n {4}\$ .*ledgerstone /, words);
      assert.doesNotMatch(help, /undefined|\[object/, words);
      const list = all.get(words.replace(/ show.*/, ' list'));
      if (/ show\b/.test(words)) assert.notEqual(command.description(), list?.description(), words);
      // It calls a service and opens no store.
      assert.equal(help.includes('--database-url <url>'), words !== 'webhooks listen', words);
    }
  });

  it('every operation has its command, or a reason to have none', async () => {
    const performed = new Set(
      (await commands()).map(([, command]) => (command as Command).performs),
    );
    const operations = operationsOf(resources);
    for (const { name, uncommanded } of operations) {
      // Those that each resource has are one command for all of them.
      const own = name.replace(/^(list|delete)_\w+_(pins?)$/, (_, verb) => PINS[verb] ?? '');
      const alike = operations.filter(({ sameAs }) => sameAs === name).map((one) => one.name);
      const isThere = [own, ...alike].some((one) => performed.has(one));
      if (uncommanded === undefined)
        assert.ok(isThere, `${name} has no command, and no reason why`);
      else assert.ok(!isThere && uncommanded.length > 20, `${name} has a command, or no reason`);
    }
  });

  it('every command and option of earlier releases is there: scripts of operators call them', async () => {
    const there = new Map(await commands());
    for (const release of readdirSync(RELEASES)) {
      const file = join(RELEASES, release, 'commands.json');
      if (!existsSync(file)) continue;
      const earlier = JSON.parse(readFileSync(file, 'utf8')) as Record<string, readonly string[]>;
      for (const [words, options] of Object.entries(earlier)) {
        const now = there.get(words)?.options.map(({ long }) => long);
        assert.ok(now, `${words} of ${release} is gone`);
        assert.deepEqual(
          options.filter((one) => !now.includes(one)),
          [],
          `${words} of ${release}`,
        );
      }
    }
  });

  it('help goes to standard output, and is the answer where nothing is asked', async () => {
    const { run } = programIn(ownFolder());
    const { code, stdout, stderr } = await run('keys', 'create', '--help');
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^Usage: ledgerstone keys create/);
    assert.deepEqual(await run(), await run('--help'));
  });

  it('serve --help is the table of settings', async () => {
    const { stdout } = await programIn(ownFolder()).run('serve', '--help');
    const words = stdout.replace(/\s+/g, ' ');
    for (const { option, variable, says, default: otherwise } of settings) {
      assert.ok(words.includes(`${option} ${says} (${variable}`), option);
      assert.ok(words.includes(otherwise), otherwise);
    }
  });

  it('--version is that of package.json', async () => {
    const { version } = JSON.parse(
      readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
    ) as { version: string };
    assert.equal((await programIn(ownFolder()).run('--version')).stdout, `${version}\n`);
  });

  it('unknown commands and options suggest the nearest', async () => {
    const { run } = programIn(ownFolder());
    const mistakes: readonly (readonly [words: readonly string[], stderr: string])[] = [
      [['serv'], "unknown command 'serv' (Did you mean serve?)"],
      [['serve', '--prot', '1'], "unknown option '--prot' (Did you mean --port?)"],
      [
        ['keys', 'list', '--databse-url', 'x'],
        "unknown option '--databse-url' (Did you mean --database-url?)",
      ],
      [['serve', 'now'], "too many arguments for 'serve'. Expected 0 arguments but got 1: now."],
      [['accounts', 'close'], "missing required argument 'id'"],
    ];
    for (const [words, line] of mistakes) {
      const { code, stdout, stderr } = await run(...words);
      assert.deepEqual([code, stdout, stderr], [1, '', `ledgerstone: ${line}\n`]);
    }
  });

  it('a reader that stops reading the output is no error', async () => {
    const cwd = ownFolder();
    const { code, stdout, stderr } = await runIn(
      ['-c', '"$0" --help | true; "$0" config --json | head -n 1', LAUNCHER],
      { cwd, program: 'sh' },
    );
    assert.deepEqual([code, stdout, stderr], [0, '[\n', '']);
  });
});

const NOW = Date.parse('2026-11-20T06:00:00.500Z');

describe('times', () => {
  it('durations', () => {
    const hour = 3_600_000;
    for (const [text, duration] of [
      ['0', 0],
      ['45s', 45_000],
      ['30m', hour / 2],
      ['24h', 24 * hour],
      ['90d', 90 * 24 * hour],
      ['2 w', 14 * 24 * hour],
    ] as const) {
      assert.equal(readDuration(text, '--overlap'), duration, text);
    }
    for (const text of ['', 'h', '24', '1.5h', '-1h', '1y', '24hours', '99999999999999d']) {
      assert.throws(
        () => readDuration(text, '--overlap'),
        /^Mistake: --overlap must be a duration/,
      );
    }
  });

  it('moments: a time with its offset, a date in UTC, a duration from now', () => {
    for (const [text, moment] of [
      ['2027-01-31T18:00:00+05:30', '2027-01-31T12:30:00Z'],
      ['2027-01-31 18:00:00Z', '2027-01-31T18:00:00Z'],
      ['2027-01-31', '2027-01-31T00:00:00Z'],
      ['24h', '2026-11-21T06:00:00Z'],
    ] as const) {
      assert.equal(presentTime(readMoment(text, '--expires', NOW)), moment, text);
    }
    for (const text of ['tomorrow', '2027-01-31T18:00:00', '2027-02-30', '31.1.2027', '2027', '']) {
      assert.throws(
        () => readMoment(text, '--expires', NOW),
        /^Mistake: --expires must be a time/,
        text,
      );
    }
    for (const text of ['0', '2026-11-20', '2026-11-20T06:00:00Z']) {
      assert.throws(
        () => readMoment(text, '--expires', NOW),
        /--expires must be in the future/,
        text,
      );
    }
  });
});

describe('rates', () => {
  it('are requests a second', () => {
    for (const [text, rate] of [
      ['100/s', 100],
      ['6000/m', 100],
      ['100/m', 100 / 60],
      ['1/m', 1 / 60],
      [' 7 / m ', 7 / 60],
      ['1000000/s', 1_000_000],
      ['60000000/m', 1_000_000],
      ['59999999/m', 59_999_999 / 60],
    ] as const)
      assert.equal(readRate(text), rate, text);
    for (const text of ['', '100', '0/s', '-1/s', '1.5/s', '1e3/s', '/s', '100/h', '1000001/s'])
      assert.equal(readRate(text), undefined, text);
  });
});

describe('what is shown', () => {
  it('an address without what may be a password', () => {
    for (const [text, shown] of [
      ['sqlite:./data/a@b.db', 'sqlite:./data/a@b.db'],
      ['postgres://user:p@ss/word@host/db', 'postgres://***@host/db'],
      ['postgres:user:pass@host', 'postgres:***@host'],
      ['user:pass@host', 'user:***@host'],
      ['https://host/?password=p&x=1', 'https://host/?password=***&x=1'],
    ] as const) {
      assert.equal(redact(text), shown);
    }
  });

  it('a table without what a terminal would obey', () => {
    assert.deepEqual(
      align([
        ['A', 'NAME', 'C'],
        ['1', 'Zoë\x1b[2J\n\u202e', 'x'],
      ]),
      ['A  NAME       C', '1  Zoë\ufffd[2J\ufffd\ufffd  x'],
    );
  });

  it('a word that a shell takes as it is', () => {
    assert.equal(shellWord('sqlite:/srv/a-b_1.db'), 'sqlite:/srv/a-b_1.db');
    assert.equal(shellWord("it's $HOME"), "'it'\\''s $HOME'");
    assert.equal(shellWord('http://[::1]:8080/'), "'http://[::1]:8080/'");
    assert.equal(shellWord(''), "''");
  });
});
