/** Telephone numbers: E.164, and as people write them on a reply card (decisions, "E.164 fields", "Direct mail phones"). */
// needs: both stores with --all
import { describe } from 'node:test';
import { play, type Scenario, scene } from '../support/scenario.ts';

const stage = scene();

describe('E.164 numbers', () => {
  const fields: readonly (readonly [on: string, name: string])[] = [
    ['event_administrators', 'person_phone_number'],
    ['event_check_in_records', 'visitor_phone_number'],
    ['online_arrangements', 'person_phone_number'],
  ];
  const taken = ['+14155550123', '+442079460958', '+2345678', '+234567890123456', '+99999999'];
  const refused = [
    '14155550123',
    '4155550123',
    '(415) 555-0123',
    '+1 415 555 0123',
    '+1-415-555-0123',
    '+04155550123',
    '+1234567',
    '+1415555012',
    '+141555501234',
    '+123456789012345',
    '+234567',
    '+2345678901234567',
    '++14155550123',
    '+',
    'x',
    '+1415555012a',
    ' +14155550123',
    '+14155550123 ',
    '+14155550123\n',
    '+1415555012\u0663',
    '\uff0b14155550123',
    'tel:+14155550123',
    '+14155550123;ext=4',
    '+14155550123 x4',
    '0014155550123',
  ];
  for (const [on, name] of fields) {
    const faults = [[name, 'phone_number_invalid']] as const;
    play(stage, [
      ...taken.map((text) => ({
        rule: `${on} takes ${text}`,
        on,
        json: { [name]: text },
        contains: { [name]: text },
      })),
      ...refused.map((text) => ({
        rule: `${on} refuses ${JSON.stringify(text)}`,
        on,
        json: { [name]: text },
        faults,
      })),
      {
        rule: `${on} takes one by form`,
        on,
        form: `${name}=%2B442079460958`,
        contains: { [name]: '+442079460958' },
      },
    ]);
  }

  const advised = (text: string, says: RegExp): Scenario => ({
    rule: `${text}: the error says what to send instead`,
    on: 'event_administrators',
    json: { person_phone_number: text },
    status: 400,
    says,
  });
  play(stage, [
    advised('(415) 555-0123', /\+14155550123/),
    advised('415.555.0123', /\+14155550123/),
    advised('4155550123', /\+14155550123/),
    advised('1 415 555 0123', /\+14155550123/),
    advised('+1 (415) 555-0123', /\+14155550123/),
    advised('+44 20 7946 0958', /\+442079460958/),
    advised('00442079460958', /\+442079460958/),
    advised(' +14155550123', /\+14155550123/),
    { ...advised('no number', /E\.164/), lacks: ['+no'] },
    {
      rule: 'a form value that starts with a space has lost its plus',
      on: 'event_administrators',
      form: 'person_phone_number=+14155550123',
      faults: [['person_phone_number', 'phone_number_invalid']],
      says: /percent-encode.*%2B/,
    },
    {
      rule: 'JSON is not told to percent-encode',
      on: 'event_administrators',
      json: { person_phone_number: ' 14155550123' },
      status: 400,
      lacks: ['%2B'],
    },
  ]);
});

describe('telephone numbers of direct mail replies', () => {
  const on = 'direct_mail_replies';
  const phone = (text: string) => ({ on, json: { respondent_person: { phone_number1: text } } });
  const taken = [
    '+14155550123',
    '14155550123',
    '4155550123',
    '(415) 555-0123',
    '415-555-0123',
    '415.555.0123',
    '415 555 0123',
    '(415)555-0123',
    '1-415-555-0123',
    '+1 (415) 555-0123',
    '+1.415.555.0123',
    '1 (415) 555 0123',
    ' 415-555-0123 ',
    '(415) 555.0123',
    '4-1-5-5-5-5-0-1-2-3',
  ];
  const refused = [
    '555-0123',
    '415555012',
    '41555501234',
    '24155550123',
    '+4155550123',
    '+442079460958',
    '++14155550123',
    '1+4155550123',
    '+11 415 555 0123',
    'call 415-555-0123',
    '415-555-0123 x4',
    '415-555-0123 ext. 4',
    '415-555-0123, 415-555-0124',
    '415/555/0123',
    '415\u2013555\u20130123',
    '415\u00a0555\u00a00123',
    '415_555_0123',
    '415-555-0123\n',
    '415\t555\t0123',
    '#4155550123',
    '415-CALL-NOW',
    '٤١٥٥٥٥٠١٢٣',
    '+',
    '1',
    '()',
    '----------',
  ];
  play(stage, [
    ...taken.map((text) => ({
      rule: `${text} is +14155550123`,
      ...phone(text),
      gives: { respondent_person: { phone_number1: '+14155550123' } },
    })),
    ...refused.map((text) => ({
      rule: `${JSON.stringify(text)} is refused`,
      ...phone(text),
      faults: [['respondent_person.phone_number1', 'phone_number_invalid']] as const,
    })),
    ...['0000000000', '1234567890', '9119119111', '0114155550'].map((text) => ({
      rule: `the area code of ${text} is not judged`,
      on,
      json: { respondent_person: { phone_number2: text } },
      gives: { respondent_person: { phone_number2: `+1${text}` } },
    })),
    {
      rule: 'an unencoded plus in a form is a space, which does not matter here',
      on,
      form: 'respondent_person[phone_number1]=+1 (415) 555-0123',
      gives: { respondent_person: { phone_number1: '+14155550123' } },
    },
    {
      rule: 'both are judged',
      on,
      json: { respondent_person: { phone_number1: 'x', phone_number2: 'y' } },
      faults: [
        ['respondent_person.phone_number1', 'phone_number_invalid'],
        ['respondent_person.phone_number2', 'phone_number_invalid'],
      ],
    },
  ]);
});
