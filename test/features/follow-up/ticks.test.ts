/** What a tick on a card says is read as a sentence: who asks for a call is heard however it is spelt, and nobody is called who refuses one. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isTick } from '../../../src/core/schema/tick.ts';
import { saidBy, saidByTicks } from '../../../src/features/follow-up/serves/ticks.ts';

const ASKS = [
  ...[
    'Have a counselor call me',
    'Contact me by phone',
    'Yes! Call me about preplanning',
    'call_requested',
    'needs-callback',
    'phone_call_requested',
    'Would you like us to call you?',
    'Être rappelé',
    'give me a ring',
    'Call about a plot',
    'Call in the evening',
    'Call to schedule',
    'Rückrufwunsch',
    'Demande de rappel',
    'Me rappeler',
    'Please call (do not email)',
    'me pueden llamar',
  ],
  ...[
    'Please call me',
    'Call me',
    'Call me back',
    'Please phone me',
    'Phone me',
    'Ring me',
    'Please ring',
    'Call',
    'Phone',
    'Telephone',
  ],
  ...[
    'Please give me a call',
    'I would like a call',
    "I'd like a phone call",
    'I want to be called',
    'Wants a call',
    'Call back',
    'Callback',
  ],
  ...[
    'Callback requested',
    'Request a call',
    'Call requested',
    'Phone call please',
    'May we call you',
    'Can we phone you',
    'OK to call',
    'Please call me about pre planning',
  ],
  ...[
    'Do not hesitate to call me',
    "Don't forget to call me",
    'Do not email, please call me',
    'No emails - please call me',
    'Interested in a phone call',
    'Prefers phone',
  ],
  ...[
    'Por favor llámeme',
    'Llámeme',
    'Quiero que me llamen',
    'Deseo una llamada',
    'Por favor, llame',
    'No dude en llamarme',
    'Llamada',
    'Me gustaría una llamada',
  ],
  ...[
    'Appelez-moi',
    'Veuillez m’appeler',
    'Merci de me rappeler',
    'Je souhaite être appelé',
    'Je voudrais un appel',
    'Rappelez-moi svp',
    'N’hésitez pas à m’appeler',
  ],
  ...[
    'Bitte anrufen',
    'Rufen Sie mich an',
    'Bitte um Rückruf',
    'Rückruf erbeten',
    'Ich möchte angerufen werden',
    'Anruf erwünscht',
    'Rückruf',
    'Bitte rufen Sie mich zurück',
    'Zögern Sie nicht anzurufen, bitte anrufen',
  ],
];

const REFUSES = [
  ...[
    'Bitte keinen Anruf',
    'no-call',
    'donotphone',
    'noCalls',
    'Please refrain from calling',
    'I would rather not be called',
    'Text only, no calls',
    'Email only (no calls)',
    'Do Not Phone/Text',
    'DONOTCALL',
    "I don't want anyone to call me",
    'do not contact by phone',
    'No contact by phone',
    'Bitte nicht telefonisch kontaktieren',
    'Keine Werbeanrufe',
    'no callback',
    'On the do not call list',
    'do.not.call',
    'isDoNotCall',
    'DoNotCall__c',
    'PhoneNumberIsOptedOut',
    'HasOptedOutOfCalls',
    'phone_opt_out',
    'Nobody should call me',
    'ＤＯ ＮＯＴ ＣＡＬＬ',
    'DO‑NOT‑CALL',
  ],
  ...[
    'Do not call',
    'Please do not call',
    'No phone calls please',
    "Don't phone me",
    'Don’t call me',
    'Dont call',
    'No calls',
    'No calls, please',
    'Never call',
  ],
  ...[
    'Do not phone',
    'Do not ring',
    'Do not telephone',
    'Please no phone calls',
    'No sales calls',
    'Do not call or text',
    'Do not text or call me',
    'No more calls',
  ],
  ...[
    'I do not want to be called',
    'I do not wish to receive phone calls',
    'I no longer wish to be called',
    'Not by phone',
    'Stop calling',
    'Stop calling me',
    'Do not call list',
  ],
  ...[
    'No, do not call',
    'Calls not wanted',
    'Call not needed',
    'Unsubscribe from calls',
    'Opt out of calls',
    'Remove me from your call list',
    'Decline phone calls',
    'DNC',
    'No telephone calls',
    'You must not call me',
    'Please never phone',
    'Without calls',
  ],
  ...[
    'No llamar',
    'No me llamen',
    'Por favor no llame',
    'Sin llamadas',
    'No quiero llamadas',
    'No deseo recibir llamadas',
    'No llamar por teléfono',
    'Nunca llamar',
  ],
  ...[
    'Ne pas appeler',
    'N’appelez pas',
    'Ne m’appelez pas',
    'Pas d’appels',
    "Pas d'appels svp",
    'Sans appel',
    'Je ne veux pas être appelé',
    'Ne plus appeler',
    'Appels non merci, pas d’appels',
    'Aucun appel',
    'Ne pas téléphoner',
  ],
  ...[
    'Nicht anrufen',
    'Bitte nicht anrufen',
    'Keine Anrufe',
    'Keine Anrufe bitte',
    'Rufen Sie mich nicht an',
    'Ich möchte nicht angerufen werden',
    'Anruf nicht erwünscht',
    'Anrufe unerwünscht',
    'Keine telefonischen Anrufe',
    'Kein Rückruf',
    'Nicht telefonisch',
    'Niemals anrufen',
    'Ohne Anruf',
  ],
];

const REFUSES_ALL = [
  'Do not contact',
  'Do not contact me',
  'Please do not contact',
  'No contact',
  'No contactar',
  'Ne pas contacter',
  'Nicht kontaktieren',
  'Keine Kontaktaufnahme',
  'Kein Kontakt',
  'I do not wish to be contacted',
];

const UNCLEAR = [
  ...[
    'Already called',
    'Called',
    'Not called yet',
    'Phone number is right',
    'No phone',
    'No telephone',
    'Phone no',
    'Wedding ring',
    'No rings',
    'Home phone',
    'Cell phone verified',
    'US phone',
  ],
  ...[
    'Do not call before 9',
    "Don't call at work",
    'Do not call on Sundays',
    'Do not call unless urgent',
    'Best time to call',
    'I will call you',
    'We will call you',
    'Call not answered',
  ],
  ...[
    'Do not email and call me',
    'Not on do not call list',
    'Do not stop calling',
    'I do not mind calls',
    'Kein Telefon',
    'Sin teléfono',
    'Pas de téléphone',
    'Bitte nicht vor 9 Uhr anrufen',
    'Ne pas appeler avant 9 h',
    'No llamar antes de las 9',
  ],
  ...['Please call me, do not call me', 'Please contact me'],
];

const SILENT = [
  'Please mail',
  'Interested in cremation',
  'Pre-planning',
  'Veteran',
  'Recall notice',
  'Do not mail',
  'Callisto',
  'Meringue',
  'Spring',
  'Phonetic name',
  'Ringo',
  'Not married',
  '',
];

/** How programs write one name. */
const CASES: Readonly<Record<string, (words: readonly string[]) => string>> = {
  'as it is': (words) => words.join(' '),
  'in capitals': (words) => words.join(' ').toUpperCase(),
  'in small letters': (words) => words.join(' ').toLowerCase(),
  snake_case: (words) => words.join('_').toLowerCase(),
  'kebab-case': (words) => words.join('-').toLowerCase(),
  camelCase: (words) =>
    words
      .map((one, at) =>
        at === 0 ? one.toLowerCase() : (one[0]?.toUpperCase() ?? '') + one.slice(1).toLowerCase(),
      )
      .join(''),
  PascalCase: (words) =>
    words.map((one) => (one[0]?.toUpperCase() ?? '') + one.slice(1).toLowerCase()).join(''),
  SCREAMING_CASE: (words) => words.join('_').toUpperCase(),
  'without accents': (words) => words.join(' ').normalize('NFD').replace(/\p{M}/gu, ''),
  decomposed: (words) => words.join(' ').normalize('NFD'),
  'with blanks around and within': (words) => `  ${words.join('  ')} `,
  'with a full stop': (words) => `${words.join(' ')}.`,
};

const table: readonly (readonly [readonly string[], ReturnType<typeof saidBy>])[] = [
  [ASKS, 'call'],
  [REFUSES, 'no_call'],
  [REFUSES_ALL, 'no_contact'],
  [UNCLEAR, 'unclear'],
  [SILENT, undefined],
];

describe('What a tick says', () => {
  for (const [names, meaning] of table)
    it(`is ${meaning ?? 'nothing of calls'} in ${names.length} sentences`, () => {
      const found = names.map((name) => [name, saidBy(name)]);
      assert.deepEqual(
        found.filter(([, said]) => said !== meaning),
        [],
      );
    });

  for (const [how, write] of Object.entries(CASES))
    it(`is the same ${how}`, () => {
      const wrong = table.flatMap(([names, meaning]) =>
        // What ends a part of a sentence is lost between words that are joined.
        names
          .filter((name) => /^[\p{L}\p{M}\d'’ -]+$/u.test(name) && !/\p{Ll}\p{Lu}| - /u.test(name))
          .flatMap((name) => {
            const written = write(name.split(/[\s-]+/));
            const said = saidBy(written);
            return said === meaning ? [] : [[written, said, meaning]];
          }),
      );
      assert.deepEqual(wrong, []);
    });

  it('is never a wish for a call where a refusal was put before it', () => {
    const call = fc.constantFrom(
      'call',
      'call me',
      'phone me',
      'phone calls',
      'ring me',
      'telephone',
      'callback',
      'calls',
    );
    const refusal = fc.constantFrom(
      'do not',
      "don't",
      'no',
      'never',
      'please do not',
      'stop',
      'without',
      'not',
      'we do not want',
      'I never want a',
    );
    const more = fc.constantFrom(
      '',
      ' please',
      ' again',
      ' ever',
      ' at all',
      ' from you',
      ' thank you',
      ' about anything',
      ' before noon',
      ' at work',
    );
    fc.assert(
      fc.property(
        refusal,
        call,
        more,
        fc.constantFrom(...Object.values(CASES)),
        (no, what, end, write) => {
          const name = write(`${no} ${what}${end}`.split(' '));
          assert.notEqual(saidBy(name), 'call', name);
          assert.notEqual(saidBy(name), undefined, name);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('is read in a time that grows no faster than the name, and is nothing to trip over', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (name) => void saidBy(name)));
    for (const name of [
      'call'.repeat(20_000),
      'do not '.repeat(10_000),
      'remove '.repeat(9_000),
      `${'remove '.repeat(60)} call`,
      `${'a'.repeat(60_000)} call`,
      'callme'.repeat(9_000),
    ])
      saidBy(name);
    for (const name of ['constructor', '__proto__', 'toString'])
      assert.equal(saidBy(name), undefined);
  });
});

describe('A tick', () => {
  it('is heard however it is made', () => {
    const ticks = [
      'yes',
      'Yes',
      'YES',
      'y',
      'Y',
      'true',
      'TRUE',
      'x',
      'X',
      '1',
      'on',
      'On',
      '✓',
      '✔',
      '✔️',
      '☑',
      '☒',
      '×',
      '[x]',
      '(X)',
      ' x ',
      'x.',
      'yes!',
      'Yes, please',
      'ja',
      'Ja',
      'oui',
      'Oui',
      'sí',
      'Si',
      'SÍ',
      'checked',
      'ｘ',
      'vrai',
      'wahr',
    ];
    assert.deepEqual(
      ticks.filter((one) => !isTick(one)),
      [],
    );
  });

  it('is none where nothing is ticked', () => {
    const others = [
      '',
      ' ',
      'no',
      'No',
      'n',
      'false',
      '0',
      'off',
      '[ ]',
      '☐',
      '-',
      'nein',
      'non',
      'none',
      'n/a',
      'null',
      'maybe',
      'unchecked',
      '415-555-0100',
      '10',
      '11',
      'yes or no',
      '✗',
    ];
    assert.deepEqual(
      others.filter((one) => isTick(one)),
      [],
    );
  });

  it('says nothing for others on its card, but a refusal is above all', () => {
    assert.equal(saidByTicks({ 'Please call me': 'x', Veteran: 'x' }), 'call');
    assert.equal(saidByTicks({ 'Please call me': 'no', 'Do not call': '' }), undefined);
    assert.equal(saidByTicks({ 'Please call me': 'x', 'Do not call': 'x' }), 'no_call');
    assert.equal(saidByTicks({ 'Do not contact me': 'x', 'No calls': 'x' }), 'no_contact');
    assert.equal(saidByTicks({ 'Home phone': 'x', call_me: 'on' }), 'call');
    assert.equal(saidByTicks({ 'Home phone': 'x' }), 'unclear');
  });
});
