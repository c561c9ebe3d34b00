/** What reads the same is compared as the same: letters, marks, dashes, blanks, apostrophes, and what is unseen. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { foldAddress, foldText, plainText } from '../../src/core/schema/search/folding.ts';
import { isUnseen } from '../../src/core/schema/search/seen.ts';

/** All characters of Unicode but surrogates. */
const characters = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code));
const such = (those: RegExp) => characters.filter((one) => those.test(one));

describe('Folding', () => {
  const names: Record<string, string> = {
    'Đặng Văn Hùng': 'dang van hung',
    'Jan Łoś': 'jan los',
    'Jørn Vik': 'jorn vik',
    'Ewa Łódź': 'ewa lodz',
    'Ayşe Işık': 'ayse isik',
    'Ida Groß': 'ida gross',
    'IDA GROẞ': 'ida gross',
    'Æsa Þórsdóttir': 'aesa thorsdottir',
    Guðrún: 'gudrun',
    Œuvre: 'oeuvre',
    'Ħamrun Ŧor': 'hamrun tor',
    'Kealiʻi Nuʻu': "keali'i nu'u",
    'O’Brien': "o'brien",
    'O´Brien': "o'brien",
    'O \u0301Brien': "o'brien",
    Ｊａｎｅ: 'jane',
    'Jane\u00a0Doe': 'jane doe',
    'Ja\u00adne\u200b Doe\ufeff': 'jane doe',
    'Smith‑Jones': 'smith-jones',
    'Smith−Jones': 'smith-jones',
    Γιώργος: 'γιωργοσ',
    '٤١٥ ५५५': '415 555',
  };
  for (const [name, folded] of Object.entries(names))
    it(`reads ${JSON.stringify(name)} as ${JSON.stringify(folded)}`, () => {
      assert.equal(foldText(name), folded);
    });

  it('takes letters for those that the collation of Unicode takes for equal', () => {
    const { compare } = new Intl.Collator('und', { sensitivity: 'base' });
    const wrong = such(/\p{Script=Latin}(?<=\p{L})/u).filter((one) => {
      const folded = foldText(one).replace('·', '');
      const isPlain = /^[a-z]+$/.test(folded);
      const equal = [...'abcdefghijklmnopqrstuvwxyz'].find((letter) => compare(one, letter) === 0);
      return equal !== undefined && !(isPlain && folded === equal);
    });
    // No language of today writes names with the others: they stand for sounds, or in manuscripts.
    assert.deepEqual(
      wrong.filter((one) => (one.codePointAt(0) ?? 0) < 0x250 && !/[ƍƾȸȹ]/u.test(one)),
      [],
    );
  });

  it('knows every dash, blank and unseen character of Unicode', () => {
    const between = (those: RegExp, plain: string, not = /$^/) =>
      such(those)
        .filter((one) => !not.test(one) && foldText(`a${one}b`) !== `a${plain}b`)
        .map((one) => one.codePointAt(0)?.toString(16));
    assert.deepEqual(between(/[\p{Pd}\p{Dash}]/u, '-'), []);
    assert.deepEqual(between(/[\p{Zs}\p{White_Space}]/u, ' '), []);
    assert.deepEqual(between(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/u, ''), []);
    assert.deepEqual(between(/\p{Variation_Selector}/u, ''), []);
  });

  const FORMS = ['NFC', 'NFD', 'NFKC', 'NFKD'];
  /** In which other ways one of these is folded: again, or composed otherwise. */
  const otherwise = (text: string, fold = foldText): readonly string[] => {
    const folded = fold(text);
    const again = new Set([folded, ...FORMS.map((form) => text.normalize(form))]);
    return [...again].filter((one) => one !== text && fold(one) !== folded);
  };

  it('reads every character the same, whatever the composition', () => {
    const texts = such(/[^\p{Co}\p{Cn}]/u).flatMap((one) => [`${one}b`, ` ${one}`]);
    assert.deepEqual(
      texts.filter((one) => otherwise(one).length > 0),
      [],
    );
  });

  it('reads accents alone the same, whatever marks they have, and in which order', () => {
    const marks = '\u0300 \u0301 \u0308 \u0313 \u0327 \u0341 \u0344 \u0345 \u3099 \uff9e'.split(
      ' ',
    );
    const alone = such(/[^\p{L}\p{N}]/u).filter((one) => / \p{M}/u.test(one.normalize('NFKD')));
    const texts = [' ', '\u00a0', '\u2800', ...alone].flatMap((one) =>
      marks.flatMap((mark) => marks.map((other) => `O${one}${mark}${other}Brien`)),
    );
    assert.deepEqual(
      texts.filter((one) => otherwise(one).length > 0),
      [],
    );
  });

  it('changes nothing that is folded, whatever the case and the composition', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.string({
        unit: fc.constantFrom(...such(/[\p{L}\p{P}\p{Z}\p{C}]/u).slice(0, 20_000)),
        maxLength: 9,
      }),
    );
    fc.assert(
      fc.property(text, (one) => {
        assert.deepEqual(otherwise(one), []);
      }),
      { numRuns: 5_000 },
    );
    for (const letter of such(/(?=\p{L})\p{Script=Latin}/u))
      assert.equal(foldText(letter.toUpperCase()), foldText(letter), letter);
  });

  it('reads email addresses without what stands around them, whatever the composition', () => {
    const address = 'jane.doe+cards@example.com';
    const around = [
      '',
      ' ',
      '\u00a0',
      '\ufeff',
      '\u200b',
      '\u202d',
      '\t',
      '\u2009',
      '"',
      "'",
      '<',
      '>',
      ',',
      ';',
      '.',
    ];
    for (const before of around.filter((one) => one !== '.'))
      for (const after of around)
        for (const one of [address, address.toUpperCase(), address.replace('@', '＠')])
          assert.equal(foldAddress(`${before}${one}${after}`), address);
    assert.equal(foldAddress('"Doe, Jane" <Jane.Doe+cards@example.com>'), address);
    assert.equal(foldAddress('jane@example.org <Jane.Doe+cards@example.com>;'), address);
    assert.equal(foldAddress('mailto:jane.doe+cards@example.com'), address);
    assert.notEqual(foldAddress('jané@example.com'), foldAddress('jane@example.com'));
    const texts = such(/[^\p{Co}\p{Cn}]/u).flatMap((one) => [
      `${one}${address}`,
      `${address} ${one}`,
    ]);
    assert.deepEqual(
      texts.filter((one) => otherwise(one, foldAddress).length > 0),
      [],
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (one) => {
        assert.deepEqual(otherwise(one, foldAddress), []);
      }),
    );
  });

  it('says of a text whether nobody sees it', () => {
    for (const one of such(/[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/u))
      assert.ok(isUnseen(` ${one}`), `${one.codePointAt(0)}`);
    for (const one of such(/[\p{L}\p{N}\p{P}\p{S}]/u))
      if (!/\p{Default_Ignorable_Code_Point}|\u2800/u.test(one))
        assert.ok(!isUnseen(one), `${one.codePointAt(0)}`);
  });

  it('reads JSON as what it says', () => {
    assert.equal(
      plainText('{"notes":"415\\u2011555\\u20110177\\nO’Brien"}'),
      '{"notes":"415-555-0177 obrien"}',
    );
  });
});
