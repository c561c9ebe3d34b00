/** Telephone numbers: E.164, and as people write them on a reply card (decisions, "E.164 fields", "Direct mail phones"). */
// needs: both stores with --all
import { describe } from 'node:test';
import { play, type Scenario } from '../support/scenario.ts';
import { world } from '../support/world.ts';

const stage = world();

describe('E.164 numbers', () => {
  for (const [on, name] of [
    ['event_administrators', 'person_phone_number'],
    ['event_check_in_records', 'visitor_phone_number'],
    ['online_arrangements', 'person_phone_number'],
  ] as const) {
    const contains = { [name]: '+442079460958' };
    const json = { [name]: '+1 415 555 0123' };
    const faults = [[name, 'phone_number_invalid']] as const;
    play(stage, on, [
      { rule: `${on} takes one by form`, form: `${name}=%2B442079460958`, contains },
      { rule: `${on} refuses one as people write it`, json, faults },
    ]);
  }

  const advised = (text: string, says: RegExp): Scenario => ({
    rule: `${text}: the error says what to send instead`,
    on: 'event_administrators',
    json: { person_phone_number: text },
    status: 400,
    says,
  });
  play(stage, 'event_administrators', [
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
      form: 'person_phone_number=+14155550123',
      faults: [['person_phone_number', 'phone_number_invalid']],
      says: /percent-encode.*%2B/,
    },
    {
      rule: 'JSON is not told to percent-encode',
      json: { person_phone_number: ' 14155550123' },
      status: 400,
      lacks: ['%2B'],
    },
  ]);
});

describe('telephone numbers of direct mail replies', () => {
  const on = 'direct_mail_replies';
  play(stage, on, [
    ...['0000000000', '1234567890', '9119119111', '0114155550'].map((text) => ({
      rule: `the area code of ${text} is not judged`,
      json: { respondent_person: { phone_number2: text } },
      gives: { respondent_person: { phone_number2: `+1${text}` } },
    })),
    {
      rule: 'an unencoded plus in a form is a space, which does not matter here',
      form: 'respondent_person[phone_number1]=+1 (415) 555-0123',
      gives: { respondent_person: { phone_number1: '+14155550123' } },
    },
    {
      rule: 'both are judged',
      json: { respondent_person: { phone_number1: 'x', phone_number2: 'y' } },
      faults: [
        ['respondent_person.phone_number1', 'phone_number_invalid'],
        ['respondent_person.phone_number2', 'phone_number_invalid'],
      ],
    },
  ]);
});
