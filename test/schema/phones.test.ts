/** A phone number is its E.164 form, of whatever country it is: what is shown of it at any home is read as that number, and as no other. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/min/metadata';
import { E164, readDigits, readPhone, showPhone } from '../../src/core/schema/phones/numbers.ts';
import { phoneFinder } from '../../src/core/schema/phones/texts.ts';
import { countryOfZone } from '../../src/core/schema/phones/zones.ts';
import { americanTwins, exampleNumbers } from '../support/phone-numbers.ts';

const homes = exampleNumbers.map(({ country }) => country);
const all = [...new Set([...exampleNumbers.map(({ number }) => number), ...americanTwins])];

/** What stands between the parts of a number, as people, word processors and other programs write it. */
const BETWEEN = [
  ' ',
  '-',
  '.',
  '\u00a0',
  '\u2009',
  '\u202f',
  '\u2010',
  '\u2011',
  '\u2013',
  '\u2212',
  '\u00b7',
  '/',
  '\u00ad',
  '',
];

describe('A phone number of any country', () => {
  it('is shown without its country code only where numbers have the same one, and read there as that number', () => {
    for (const number of all) {
      const code = parsePhoneNumberFromString(number)?.countryCallingCode ?? '';
      for (const home of homes) {
        const shown = showPhone(number, home);
        assert.equal(readPhone(shown, home), number, `${shown} in ${home}`);
        if (code !== getCountryCallingCode(home))
          assert.ok(shown.startsWith(`+${code} `), `${shown} in ${home}`);
      }
    }
    for (const { country, number, national } of exampleNumbers)
      assert.equal(showPhone(number, country), national);
    assert.equal(showPhone('+14155550123'), '(415) 555-0123');
    assert.equal(showPhone('+4722123456'), '+47 22 12 34 56');
  });

  it('is read as it is written in its country, and from anywhere', () => {
    for (const { country, number, national, international } of exampleNumbers) {
      assert.equal(readPhone(national, country), number, national);
      for (const between of BETWEEN) {
        const written = international.replaceAll(/[ -]/g, between);
        for (const from of [written, written.replace('+', '00'), `\u202a${written}\u202c`])
          assert.equal(readPhone(from), number, JSON.stringify(from));
        assert.equal(readPhone(national.replaceAll(/[ -]/g, between), country), number);
      }
    }
  });

  it('is not guessed where a zero is no prefix of its country', () => {
    for (const [code, , , , , prefix] of Object.values(metadata.countries))
      if (prefix && prefix !== '0')
        assert.equal(readPhone(`+${code} (0) 234 567 890`), undefined, String(code));
  });

  it('is itself in E.164 form, also where no plan has it', () => {
    const e164 = fc
      .tuple(fc.constantFrom(...'123456789'), fc.stringMatching(/^\d{6,14}$/))
      .map((parts) => `+${parts.join('')}`)
      .filter((one) => E164.test(one));
    const property = fc.property(e164, fc.constantFrom(...homes), (number, home) => {
      assert.equal(readPhone(number, home), number);
      assert.equal(readPhone(showPhone(number, home), home), number);
      assert.deepEqual(readDigits(number, home), { whole: number, digits: number.slice(1) });
    });
    fc.assert(property, { numRuns: 5_000 });
  });

  it('is found in a text in any notation, and no other one is', () => {
    for (const { country, number, national, international } of exampleNumbers) {
      const finder = phoneFinder([number], country);
      const abroad = phoneFinder([number], country === 'US' ? 'GB' : 'US');
      const rough = new RegExp(finder.rough.join('|'), 'u');
      for (const between of BETWEEN) {
        const written = international.replaceAll(/[ -]/g, between);
        for (const text of [written, `call ${written} x12`, `2027 ${written}, 2028`]) {
          assert.ok(finder.isIn(text) && abroad.isIn(text) && rough.test(text), text);
        }
        const local = national.replaceAll(/[ -]/g, between);
        if (local.replace(/\D/g, '').length >= 7) assert.ok(finder.isIn(`(${local})`), local);
      }
      for (const home of ['US', country] as const) {
        const { isIn } = phoneFinder([number], home);
        const found = all.filter((one) => one !== number && isIn(`at ${showPhone(one, home)}.`));
        assert.deepEqual(found, [], `${number} in ${home}`);
      }
    }
  });

  it('is read by the country of the clock of its home', () => {
    const known = new Set(homes);
    for (const country of homes) {
      const zones = new Intl.Locale(`und-${country}`).getTimeZones() ?? [];
      for (const zone of zones) {
        const found = countryOfZone(zone);
        assert.ok(known.has(found));
        assert.equal(getCountryCallingCode(found), getCountryCallingCode(country), zone);
      }
    }
    assert.equal(countryOfZone('UTC'), 'US');
    assert.equal(countryOfZone(undefined), 'US');
    assert.equal(countryOfZone('Europe/Kyiv'), countryOfZone('Europe/Kiev'));
  });
});
