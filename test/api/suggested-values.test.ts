/** What a message suggests in place of a value is accepted when it is sent: times, addresses of images, texts for numbers, and parameters that were wrapped. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resources } from '../../src/core/resources/index.ts';
import { targetNames } from '../../src/core/schema/csv/columns.ts';
import { examples, formOf } from '../support/bodies.ts';
import type { Answer, Body } from '../support/service.ts';
import { world } from '../support/world.ts';

const stage = world();

const faultsIn = ({ status, body }: Answer): readonly Body[] =>
  status === 200 ? [] : body.error.errors;
const faultAt = (answer: Answer, param: string): Body | undefined =>
  faultsIn(answer).find((fault) => fault.param === param);

/** The body with another value at the path. */
function withValue(body: Body, path: readonly string[], value: unknown): Body {
  const copy = structuredClone(body);
  let at = copy;
  for (const step of path.slice(0, -1)) at = at[step] ??= {};
  at[path.at(-1) ?? ''] = value;
  return copy;
}

for (const { path, parent, full } of examples) {
  const resource = resources.find((one) => one.path === path);
  assert.ok(resource !== undefined);
  const whole = (): Body => ({
    ...full,
    external_identifier: `values ${path}`,
    [`${parent}_unique_identifier`]: stage.parents[parent],
  });
  const post = (body: Body) => stage.service.json(`/v1/${path}/upsert`, body);
  const fields = targetNames(resource)
    .map((name) => name.split('.'))
    .filter((steps) => steps.reduce<Body>((at, step) => at?.[step], full) !== undefined);

  describe(`${path}: a value of the wrong type`, () => {
    it('is told a text that is accepted, where it must be a text of some form', async () => {
      for (const steps of fields)
        for (const value of [7, 1_805_553_000, true, ['x'], { x: 'x' }]) {
          const refused = faultAt(await post(withValue(whole(), steps, value)), steps.join('.'));
          if (refused?.code !== 'type_invalid') continue;
          const [, shown] = /must be a string such as (".*"), but /.exec(refused.message) ?? [];
          const [, plain] = /must be (a string), but /.exec(refused.message) ?? [];
          if (shown === undefined && plain === undefined) continue;
          const sent = shown === undefined ? String(value) : JSON.parse(shown);
          const taken = await post(withValue(whole(), steps, sent));
          assert.equal(faultAt(taken, steps.join('.')), undefined, `${refused.message} ${sent}`);
        }
    });

    it('that is an empty array is told how an empty object is written', async () => {
      for (const steps of fields) {
        const refused = faultAt(await post(withValue(whole(), steps, [])), steps.join('.'));
        if (refused?.code !== 'type_invalid' || !refused.message.includes('must be an object'))
          continue;
        assert.match(refused.message, /but an array was sent\. An empty object is \{\}\.$/);
        const taken = await post(withValue(whole(), steps, {}));
        assert.equal(faultAt(taken, steps.join('.')), undefined);
      }
    });
  });

  describe(`${path}: a name that is nearly right`, () => {
    it('is not suggested for a value that the parameter cannot take', async () => {
      for (const steps of fields)
        for (const value of ['x', 7, ['x'], { x: 'x' }, []]) {
          const last = steps.at(-1) ?? '';
          const wrong = [...steps.slice(0, -1), last.slice(0, 3) + last.slice(4)];
          const { [last]: _, ...others } = steps.length === 1 ? whole() : { ...whole() };
          const refused = faultAt(await post(withValue(others, wrong, value)), wrong.join('.'));
          const nearest: unknown = refused?.values?.nearest;
          if (typeof nearest !== 'string') continue;
          const again = await post(withValue(others, nearest.split('.'), value));
          const fault = faultAt(again, nearest);
          const isStructure = typeof value === 'object';
          assert.ok(
            fault?.code !== 'type_invalid' ||
              (!isStructure && /a string|number|true/.test(fault.message)),
            `${wrong.join('.')}: ${refused?.message} ${fault?.message}`,
          );
        }
    });

    it('is told of parameters that were wrapped', async () => {
      const singular = resource.name;
      for (const wrapper of [singular, path, 'data', 'record', 'attributes', `${singular}_data`])
        for (const encoding of ['json', 'form'] as const) {
          const body = { [wrapper]: whole() };
          const answer = await (encoding === 'json'
            ? post(body)
            : stage.service.form(`/v1/${path}/upsert`, formOf(body)));
          const fault = faultAt(answer, wrapper);
          assert.equal(fault?.code, 'parameter_unknown', answer.text);
          assert.match(
            fault?.message,
            new RegExp(
              `^${wrapper} is not a parameter here, and holds parameters: send these by themselves\\.$`,
            ),
          );
          assert.equal(fault?.values, undefined);
        }
    });
  });
}

describe('a time that is suggested', () => {
  const send = (event_datetime: unknown, encoding: 'json' | 'form') => {
    const body = {
      location_unique_identifier: stage.location,
      external_identifier: 'suggested time',
      event_name: 'A',
    };
    return encoding === 'json'
      ? stage.service.json('/v1/events/upsert', { ...body, event_datetime })
      : stage.service.form(
          '/v1/events/upsert',
          `${formOf(body)}&event_datetime=${encodeURIComponent(String(event_datetime))}`,
        );
  };

  it('is the moment that the libraries of languages wrote', async () => {
    const moments: Readonly<Record<string, string>> = {
      '2027-03-20T09:30-05:00[America/Chicago]': '2027-03-20T14:30:00Z',
      '2027-03-20T14:30:00Z[UTC]': '2027-03-20T14:30:00Z',
      '2027-03-20 09:30:00 -0500': '2027-03-20T14:30:00Z',
      '2027-03-20 09:30:00 -0500 CDT': '2027-03-20T14:30:00Z',
      '2027-03-20 15:30:00 +0100 CET': '2027-03-20T14:30:00Z',
      '2027-03-20 14:30:00 UTC': '2027-03-20T14:30:00Z',
      '2027-03-20T14:30:00 GMT': '2027-03-20T14:30:00Z',
      '2027-03-20T09:30:00\u221205:00': '2027-03-20T14:30:00Z',
      '2027-03-20T09:30:00\u201305:00': '2027-03-20T14:30:00Z',
      ' 2027-03-20T14:30:00Z\n': '2027-03-20T14:30:00Z',
      '20270320T143000Z': '2027-03-20T14:30:00Z',
      '20270320T093000-0500': '2027-03-20T14:30:00Z',
      '2027-03-20T09:30:00,123-05:00': '2027-03-20T14:30:00Z',
    };
    for (const [written, moment] of Object.entries(moments))
      for (const encoding of ['json', 'form'] as const) {
        const refused = faultAt(await send(written, encoding), 'event_datetime');
        assert.equal(refused?.code, 'datetime_invalid', written);
        const [, meant] =
          /; send (\S+?)(?:,.*)? if that is the time\.$/.exec(refused?.message) ?? [];
        assert.ok(meant !== undefined, `${written}: ${refused?.message}`);
        assert.equal(
          refused?.message.includes('%2B'),
          encoding === 'form' && meant.includes('+'),
          refused?.message,
        );
        const taken = await send(meant, encoding);
        assert.equal(taken.body.event_datetime, moment, written);
      }
  });

  it('is none where it would be a guess', async () => {
    for (const written of [
      ...['2027-03-20', '03/20/2027 9:30 AM', '2027-03-20T09:30:00 CST', '1805553000', 'noon'],
      ...['2027-03-20T09:30:00 America/Chicago', '2027-03-20T09:30:00[America/Chicago]'],
      ...['2027-03-20T09:30:00-05:00 or later', 'x'.repeat(100_000)],
    ]) {
      const refused = faultAt(await send(written, 'json'), 'event_datetime');
      assert.doesNotMatch(refused?.message ?? 'taken', /if that is the time|^taken$/, written);
    }
  });

  it('that no clock shows is told what clocks show', async () => {
    for (const written of [
      ...['2027-03-20T24:00:00Z', '2027-03-20T23:60:00Z', '2027-03-20T23:59:60Z'],
      ...['2027-03-20T09:30:00+24:00', '2027-03-20T09:30:00-05:60', '2027-03-20 25:00-0500'],
    ]) {
      const refused = faultAt(await send(written, 'json'), 'event_datetime');
      assert.equal(
        refused?.message,
        'event_datetime has a time that no clock shows; hours are from 00 to 23, minutes and seconds from 00 to 59, in the offset, too.',
      );
    }
  });
});

describe('an address of an image', () => {
  const send = (url: string) =>
    stage.service.json('/v1/direct_mail_replies/upsert', {
      location_unique_identifier: stage.location,
      external_identifier: 'suggested address',
      image_urls: [url],
    });

  it('with blanks, or without https://, is told how it is accepted', async () => {
    const wanted: Readonly<Record<string, readonly [RegExp, string]>> = {
      'https://scans.example.com/a b.jpg': [
        /send a blank within it as %20/,
        'https://scans.example.com/a%20b.jpg',
      ],
      'https://scans.example.com/Zoë\u00a0b.jpg': [
        /send a blank within it as %20/,
        'https://scans.example.com/Zoë%20b.jpg',
      ],
      ' https://scans.example.com/a.jpg': [
        /blanks or line ends around it: send it without/,
        'https://scans.example.com/a.jpg',
      ],
      'https://scans.example.com/a.jpg\r\n': [
        /blanks or line ends around it: send it without/,
        'https://scans.example.com/a.jpg',
      ],
      '//scans.example.com/a.jpg': [
        /does not begin with https:\/\/ or http:\/\//,
        'https://scans.example.com/a.jpg',
      ],
      'scans.example.com/a.jpg': [
        /does not begin with https:\/\/ or http:\/\//,
        'https://scans.example.com/a.jpg',
      ],
    };
    for (const [url, [message, meant]] of Object.entries(wanted)) {
      const [fault] = faultsIn(await send(url));
      assert.equal(fault?.code, 'image_url_invalid');
      assert.match(fault?.message, message, url);
      assert.equal((await send(meant)).status, 200);
    }
  });

  it('that would not be accepted even so is told nothing of the kind', async () => {
    for (const url of [
      ...[
        'https://exa mple.com/a.jpg',
        'C:\\scans\\a.jpg',
        '/scans/a.jpg',
        'a.jpg',
        'file:///a.jpg',
      ],
      ...['ftp://scans.example.com/a.jpg', 'https:scans.example.com/a.jpg', 'https://', ' '],
    ]) {
      const [fault] = faultsIn(await send(url));
      assert.match(fault?.message, /is not an absolute http or https URL|is empty/, url);
    }
  });
});

describe('a message about a conflict', () => {
  it('says what to do: rows of one record, and a position of another log', async () => {
    const row = { account_unique_identifier: stage.service.account.unique_identifier };
    const { body } = await stage.service.json('/v1/locations/upsert_many', [
      { ...row, external_identifier: 'twice', location_name: 'A' },
      { ...row, external_identifier: 'twice', location_name: 'B' },
    ]);
    assert.match(body.data[1].error.message, /join its rows into one, or send the later/);
    const { body: page } = await stage.service.get('/v1/changes?starting_after=chg_nonsense');
    assert.match(page.error.message, /send that of a page of this account, or "?now"?/);
  });
});
