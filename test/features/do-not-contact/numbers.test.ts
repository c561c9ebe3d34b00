/**
 * A phone number that is entered in the register is the one that was meant, or refused: in whatever way people, spreadsheets and
 * other programs write it, it is never another one, which would leave the person to be called.
 */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readPhone } from '../../../src/core/schema/phones/numbers.ts';
import { numberFrom } from '../../../src/features/do-not-contact/store/signs.ts';
import { keyed } from '../../support/secret-key.ts';
import type { Body } from '../../support/service.ts';
import { world } from '../../support/world.ts';

const digits = (least: number, most = least) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: least, maxLength: most });
const from2 = (length: number) =>
  fc.tuple(fc.constantFrom(...'23456789'), digits(length - 1)).map((parts) => parts.join(''));

/** The country code, the zero for callers within the country if there is one, and the rest. */
const numbers = fc.oneof(
  fc.tuple(from2(3), from2(7)).map(([area, rest]) => ({ code: '1', zero: '', rest: area + rest })),
  fc
    .tuple(fc.constantFrom('44', '49', '33', '61', '353', '27', '64'), from2(9))
    .map(([code, rest]) => ({ code, zero: '0', rest })),
);
const gaps = fc.array(
  fc.constantFrom('', '', '', ' ', '-', '.', '\u00a0', '\u2011', '\u2013', '\u2212', '/'),
  { minLength: 12, maxLength: 12 },
);
const unseen = fc.constantFrom('', '', '\u202a', '\u200e', '\ufeff', '\u200b', '\u00ad');
const around = fc.constantFrom('', '', ' ', "'", 'tel:', '\t');
const wide = (text: string) =>
  text.replace(/[+0-9]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0));

describe('A phone number', () => {
  const spaced = (text: string, between: readonly string[]) =>
    [...text].map((one, at) => one + (at < text.length - 1 ? (between[at] ?? '') : '')).join('');

  it('is the one that was meant, however it is written', () => {
    const property = fc.property(
      ...[numbers, gaps, unseen, unseen, around, fc.constantFrom('+', '00', '011')],
      ...[fc.boolean(), fc.boolean()],
      ({ code, zero, rest }, between, before, after, first, prefix, hasZero, isWide) => {
        const national = spaced(rest, between);
        const shown = hasZero && zero ? `(${zero})${national}` : national;
        const whole = `${before}${first}${prefix}${code} ${shown}${after}`;
        const written = isWide ? wide(whole) : whole;
        const meant = `+${code}${rest}`;
        const found = numberFrom(written);
        // Written at length, it may be too long to be a number.
        if (written.length <= 40) assert.equal(found, numberFrom(meant), JSON.stringify(written));
        else assert.ok(found === undefined || found === meant);
        assert.ok(found === undefined || found === meant, JSON.stringify(written));
      },
    );
    fc.assert(property, { numRuns: 3_000 });
  });

  it('with something else about it is refused, and never another one', () => {
    const more = fc.constantFrom(
      ' x12',
      ' ext. 5',
      ' (cell)',
      '²',
      ' 12',
      '/5',
      '.0',
      'E9',
      '٣',
      '?',
    );
    const property = fc.property(numbers, more, ({ code, rest }, extra) => {
      const found = readPhone(`+${code}${rest}${extra}`);
      const longer = `+${code}${rest}${extra.replace(/\D/g, '')}`;
      // Digits that are written as those of the number are of the number.
      const isPlain = /^[ ./]\d+$/.test(extra) && code !== '1';
      assert.equal(found, isPlain && longer.length <= 16 ? longer : undefined);
    });
    fc.assert(property, { numRuns: 1_000 });
  });

  const on = world({ settings: keyed() });

  it('is found by what a record says of it', async () => {
    const { unique_identifier: id } = await on.visit('Meant', {
      visitor_phone_number: '+14155550177',
    });
    for (const phone_number of ['\u202a(415) 555\u20110177\u202c', "'+1 415 555 0177"]) {
      const entry: Body = await on.ok(
        '/v1/do_not_contact',
        { account: on.account, phone_number },
        on.officer,
      );
      const path = `/v1/event_check_in_records/${id}?expand[]=do_not_contact`;
      assert.equal((await on.read(path)).do_not_contact, true);
      await on.ok(
        `/v1/do_not_contact/${entry.unique_identifier}/lift`,
        { reason: 'x' },
        on.officer,
      );
    }
  });

  it('in a filter is read as it is when it is entered', async () => {
    const sent = { account: on.account, phone_number: '+44 (0)20 7946 0958' };
    const { value } = await on.ok('/v1/do_not_contact', sent, on.officer);
    assert.equal(value, '+442079460958');
    for (const written of ['0044 20 7946 0958', '+44 (0) 20 7946 0958', '+442079460958']) {
      const query = encodeURIComponent(written);
      const { data } = await on.read(`/v1/do_not_contact?phone_number=${query}`);
      assert.equal(data.length, 1, written);
    }
  });
});
