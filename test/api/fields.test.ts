/** What the other kinds of fields take (decisions, "`image_urls`", "`cart_value_in_cents`", "Emails"; specification, section 4). */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { examples } from '../support/bodies.ts';
import { play } from '../support/scenario.ts';
import { leastOf, world } from '../support/world.ts';

const stage = world();

it('required parameters are those of the specification', () => {
  const all = examples.map(({ path }) => [path, Object.keys(leastOf(path))]);
  const required = Object.fromEntries(all);
  assert.deepEqual(required, {
    locations: ['location_name'],
    events: ['event_name', 'event_datetime'],
    event_administrators: ['person_full_name', 'person_phone_number'],
    event_check_in_records: ['visitor_full_name', 'visitor_phone_number'],
    online_arrangements: ['person_full_name', 'person_phone_number', 'cart_summary'],
    direct_mail_replies: ['image_urls'],
  });
});
describe('email addresses are not judged', () => {
  play(
    stage,
    ['a@b.example', 'no address', '@', ' ', 'a@b@c', '\u00e9@\u00fc.example', 'a'.repeat(320)].map(
      (text) => ({
        rule: `${text.slice(0, 20)} is taken`,
        on: 'event_administrators',
        json: { person_email_address: text },
        gives: { person_email_address: text },
      }),
    ),
  );
});

describe('cart_currency is exactly USD', () => {
  const on = 'online_arrangements';
  const cart = (is: string) => ({ on, json: { additional_cart_metadata: { cart_currency: is } } });
  play(stage, [
    { rule: 'USD', ...cart('USD'), gives: { additional_cart_metadata: { cart_currency: 'USD' } } },
    {
      rule: 'usd is refused',
      ...cart('usd'),
      faults: [['additional_cart_metadata.cart_currency', 'choice_invalid']],
      says: /USD/,
    },
  ]);
});

describe('cart_value_in_cents is a whole number from 0 to 2^53-1, however spelled', () => {
  const on = 'online_arrangements';
  const param = 'additional_cart_metadata.cart_value_in_cents';
  const cents = (spelled: string) => ({
    rule: spelled,
    on,
    json: `"additional_cart_metadata":{"cart_currency":"USD","cart_value_in_cents":${spelled}}`,
  });
  const taken: readonly (readonly [string, string])[] = [
    ['-0.0', '0'],
    ['1500e-2', '15'],
    ['9007199254740991.0', '9007199254740991'],
  ];
  const refused = ['1.5', '-1', '9007199254740992', '1e400', '9007199254740991.4'];
  play(stage, [
    ...taken.map(([spelled, answered]) => ({
      ...cents(spelled),
      status: 200,
      has: [`"cart_value_in_cents":${answered}`],
      contains: { additional_cart_metadata: { cart_value_in_cents: Number(answered) } },
    })),
    ...refused.map((spelled) => ({ ...cents(spelled), status: 400, has: [`"param":"${param}"`] })),
  ]);
});

describe('image_urls', () => {
  const on = 'direct_mail_replies';
  const many = (count: number): string[] =>
    Array.from({ length: count }, (_, index) => `https://a.example/${index}.jpg`);
  const taken = ['HTTPS://A.EXAMPLE/1.Jpeg', 'https://a.example/é.jpg?a=1&b=2+3'];
  const refused = ['https://a.example/1.png', '', 'ftp://a.example/1.jpg'];
  const long = (length: number, filler: string): string => {
    const start = 'https://a.example/';
    return start + filler.repeat(length - start.length);
  };
  play(stage, on, [
    ...taken.map((url) => ({
      rule: `${url} is kept verbatim`,
      json: { image_urls: [url] },
      contains: { public_data: { image_urls: [url] } },
    })),
    ...refused.map((url) => ({
      rule: `${JSON.stringify(url)} is refused`,
      json: { image_urls: ['https://a.example/1.jpg', url] },
      faults: [['image_urls.1', 'image_url_invalid']] as const,
    })),
    ...[1, 10].map((count) => ({
      rule: `${count} of them`,
      json: { image_urls: many(count) },
      contains: { public_data: { image_urls: many(count) } },
    })),
    ...[0, 11, 1000].map((count) => ({
      rule: `${count} of them is too few or too many`,
      json: { image_urls: many(count) },
      faults: [['image_urls', 'array_length_invalid']] as const,
      says: /\b1\b.*\b10\b/,
    })),
    { rule: 'one may be there twice', json: { image_urls: [...many(1), ...many(1)] }, status: 200 },
    ...['x', 'é', '\u{1f56f}'].flatMap((filler) => [
      {
        rule: `2,048 characters ${filler}`,
        json: { image_urls: [long(2048, filler)] },
        contains: { public_data: { image_urls: [long(2048, filler)] } },
      },
      {
        rule: `2,049 characters ${filler}`,
        json: { image_urls: [long(2049, filler)] },
        faults: [['image_urls.0', 'image_url_invalid']] as const,
      },
    ]),
  ]);
});
