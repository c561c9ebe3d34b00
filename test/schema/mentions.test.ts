/** A person is found in any text by a number, a name or an address, with whatever signs the text writes it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mentionsOf, NO_DETAILS } from '../../src/services/erasures/everywhere/mentions.ts';

const such = (those: RegExp): readonly string[] =>
  Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((one) => those.test(one));
/** As records, changes and refused rows have texts. */
const around = (text: string) => [
  JSON.stringify({ notes: `please ring ${text} today` }),
  // Programs send JSON with all but ASCII escaped.
  JSON.stringify({ notes: `please ring ${text} today` }).replaceAll(
    /[^ -~]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  ),
  `26-041,"ring ${text}",yes`,
];

describe('A privacy request', () => {
  it('finds a phone number with any dash, blank or unseen character between its digits', () => {
    const mentions = mentionsOf({ ...NO_DETAILS, phones: ['+14155550177'] });
    const signs = [
      ...such(/[\p{Dash}\p{Pd}\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cf}]/u),
      ...['.', '·', '•', '/', ''],
    ];
    const missed = signs.filter(
      (sign) =>
        !around(`415${sign}555${sign}0177`).every(mentions) ||
        !mentions(`(415)${sign} 555 ${sign} 0177`),
    );
    assert.deepEqual(
      missed.map((one) => one.codePointAt(0)?.toString(16)),
      [],
    );
    for (const other of ['415-555-0178', '14155550', 'x'])
      assert.ok(!around(other).some(mentions), other);
  });

  it('finds the number in digits of any script', () => {
    const mentions = mentionsOf({ ...NO_DETAILS, phones: ['+14155550177'] });
    for (const zero of such(/\p{Nd}/u).filter((_, at) => at % 10 === 0)) {
      const first = zero.codePointAt(0) ?? 0;
      const number = '4155550177'.replaceAll(/\d/g, (one) =>
        String.fromCodePoint(first + Number(one)),
      );
      assert.ok(mentions(`ring ${number}`), zero);
    }
  });

  const names: Record<string, readonly string[]> = {
    'Đặng Văn Hùng': ['Dang Van Hung', 'DANG, Van Hung'],
    'Pat O’Brien': ["Pat O'Brien", 'Pat OBrien', 'Pat Oʼbrien', 'Pat O´Brien'],
    'Jørn Łoś': ['Jorn Los', 'JØRN\u00a0ŁOŚ', 'Jo\u00adrn Lo\u200bs'],
    'Kealii Nuu': ['Kealiʻi Nuʻu'],
  };
  for (const [name, ways] of Object.entries(names))
    it(`finds ${name} however it is written, and the reverse`, () => {
      for (const way of ways) {
        for (const text of around(way))
          assert.ok(mentionsOf({ ...NO_DETAILS, names: [name] })(text), text);
        for (const text of around(name))
          assert.ok(mentionsOf({ ...NO_DETAILS, names: [way] })(text), text);
      }
    });

  it('finds an email address that was given with something around it', () => {
    for (const given of [
      'jane@example.com ',
      '\ufeffJane@example.com',
      '<jane@example.com>',
      'Jane <jane@example.com>',
    ])
      for (const text of ['jane@example.com', 'JANE@EXAMPLE.COM', '<jane@example.com>'])
        for (const one of around(text))
          assert.ok(mentionsOf({ ...NO_DETAILS, texts: [given] })(one), `${given} in ${one}`);
  });
});
