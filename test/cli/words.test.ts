/** What people write on the command line means what they expect, and is shown safely. */
// needs: program
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { align } from '../../src/cli/output.ts';

import { readDuration, readMoment } from '../../src/cli/time.ts';
import { redact } from '../../src/core/observe/redact.ts';
import { shellWord } from '../../src/core/observe/shell-word.ts';
import { readRate } from '../../src/core/rate.ts';
import { presentTime } from '../../src/core/schema/present/present.ts';

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
