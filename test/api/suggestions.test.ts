/** What a message suggests is accepted when it is sent: names of every parameter, phone numbers, repeated names, paths. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resources } from '../../src/core/resources/index.ts';
import { targetNames } from '../../src/core/schema/csv/columns.ts';
import type { Members } from '../../src/core/schema/fields/members.ts';
import { listParams } from '../../src/core/schema/parse/parse-list.ts';
import { examples, formOf } from '../support/bodies.ts';
import { keyed } from '../support/secret-key.ts';
import type { Answer, Body } from '../support/service.ts';
import { served, world } from '../support/world.ts';

const stage = world();
const hooked = served({ settings: keyed() });

const faultsIn = ({ status, body }: Answer): readonly Body[] =>
  status === 200 ? [] : body.error.errors;
const unknownIn = (answer: Answer): Body =>
  faultsIn(answer).find(({ code }) => code === 'parameter_unknown');

/** How people get a name wrong. */
const MISTAKES: Readonly<Record<string, (name: string) => string>> = {
  'a letter is missing': (name) => name.slice(0, 3) + name.slice(4),
  'in camel case': (name) => name.replaceAll(/_(\w)/g, (_, letter) => letter.toUpperCase()),
  'in capitals': (name) => name.toUpperCase(),
};

const bracketed = (path: readonly string[]): string =>
  path.map((step, at) => (at === 0 ? step : `[${step}]`)).join('');

/** The body with what is at the path under other steps. */
function moved(body: Body, from: readonly string[], to: readonly string[]): Body {
  const copy = structuredClone(body);
  let at = copy;
  for (const step of from.slice(0, -1)) at = at[step];
  const value = at[from.at(-1) ?? ''];
  delete at[from.at(-1) ?? ''];
  let into = copy;
  for (const step of to.slice(0, -1)) into = into[step] ??= {};
  into[to.at(-1) ?? ''] = value;
  return copy;
}

/** The steps of a name as forms spell it. */
const stepsOf = (name: string): string[] => name.replaceAll(']', '').split('[');

for (const { path, parent, full } of examples) {
  const resource = resources.find((one) => one.path === path);
  assert.ok(resource !== undefined);
  const names = targetNames(resource).map((name) => name.split('.'));
  const whole = (): Body => ({
    ...full,
    external_identifier: `suggested ${path}`,
    [`${parent}_unique_identifier`]: stage.parents[parent],
  });
  const present = names.filter((steps) => {
    const held = steps.reduce<Body>((at, step) => at?.[step], full);
    return held !== undefined && held !== '';
  });
  const post = (encoding: 'form' | 'json', body: Body) =>
    encoding === 'form'
      ? stage.service.form(`/v1/${path}/upsert`, formOf(body))
      : stage.service.json(`/v1/${path}/upsert`, body);

  describe(`${path}: a name that is suggested is accepted`, () => {
    for (const encoding of ['form', 'json'] as const)
      for (const [mistake, make] of Object.entries(MISTAKES))
        it(`where ${mistake}, as ${encoding}`, async () => {
          for (const steps of present) {
            const wrong = [...steps.slice(0, -1), make(steps.at(-1) ?? '')];
            if (wrong.at(-1) === steps.at(-1)) continue;
            const refused = await post(encoding, moved(whole(), steps, wrong));
            const fault = unknownIn(refused);
            const nearest: unknown = fault?.values?.nearest;
            if (typeof nearest !== 'string') continue;
            assert.equal(fault.param, wrong.join('.'));
            assert.ok(fault.message.endsWith(`Did you mean ${nearest}?`), fault.message);
            const meant = encoding === 'form' ? stepsOf(nearest) : nearest.split('.');
            assert.deepEqual(faultsIn(await post(encoding, moved(whole(), steps, meant))), []);
            if (mistake !== 'in capitals') assert.deepEqual(meant, steps);
          }
        });

    it('where a path is sent as a name, in either spelling', async () => {
      for (const steps of present.filter((one) => one.length > 1))
        for (const encoding of ['form', 'json'] as const)
          for (const name of [
            steps.join('.'),
            ...(encoding === 'json' ? [bracketed(steps)] : []),
          ]) {
            const refused = await post(encoding, moved(whole(), steps, [name]));
            const fault = unknownIn(refused);
            assert.ok(fault !== undefined, refused.text);
            assert.ok(fault.message.startsWith(`"${name}" is not a parameter here`), fault.message);
            const nearest = encoding === 'form' ? bracketed(steps) : steps.join('.');
            assert.equal(fault.values.nearest, nearest);
            if (encoding === 'form') assert.ok(fault.message.endsWith(`Did you mean ${nearest}?`));
            else {
              const example = JSON.parse(
                /send (\{.*\})\.$/.exec(fault.message)?.[1]?.replace('…', '1') ?? '',
              );
              assert.equal(
                steps.reduce<Body>((at, step) => at[step], example),
                1,
              );
            }
          }
    });

    it('where the path of a member is sent as one word', async () => {
      for (const steps of present.filter((one) => one.length === 2))
        for (const name of [steps.join('_'), MISTAKES['in camel case']?.(steps.join('_')) ?? '']) {
          if (names.some(([first, ...rest]) => rest.length === 0 && first === name)) continue;
          const refused = await post('form', moved(whole(), steps, [name]));
          const fault = unknownIn(refused);
          assert.equal(fault?.values?.nearest, bracketed(steps), refused.text);
        }
    });

    it('where what it is like is there as well, it is said so', async () => {
      for (const encoding of ['form', 'json'] as const) {
        const refused = await post(encoding, { ...whole(), external_identifer: 'x' });
        const { message, values } = unknownIn(refused);
        assert.match(message, /external_identifier is sent as well/);
        assert.equal(values, undefined);
      }
    });

    it('where it would contradict what names the parent, it is said so', async () => {
      const [other] = names
        .map(([name = '']) => name)
        .filter((name) => name.endsWith('_external_identifier'));
      if (other === undefined) return;
      const refused = await post('json', {
        ...whole(),
        [other.replace('external', 'extrnal')]: 'x',
      });
      const { message, values } = unknownIn(refused);
      assert.ok(
        message.includes(`cannot be sent together with ${parent}_unique_identifier`),
        message,
      );
      assert.equal(values, undefined);
    });

    it('and no message about a form has a name with dots', async () => {
      const wrong = Object.fromEntries(present.map((steps) => [bracketed(steps), '\u{1f56f}\0']));
      const all = await stage.service.form(`/v1/${path}/upsert`, wrong);
      const bad = new URLSearchParams();
      for (const steps of present)
        bad.append(bracketed(steps), steps.at(-1) === 'full_name' ? ' ' : 'x'.repeat(3_000));
      const others = await stage.service.form(`/v1/${path}/upsert`, bad.toString());
      const dotted = targetNames(resource).filter((name) => name.includes('.'));
      const faults = [...faultsIn(all), ...faultsIn(others)];
      assert.ok(faults.length > 0);
      for (const { message } of faults)
        for (const name of dotted) assert.ok(!message.includes(name), message);
    });
  });

  describe(`${path}: a name that is repeated`, () => {
    const arrays = Object.entries<Members[string]>(resource.upsert).filter(
      ([, { kind }]) => kind.schema.type === 'array',
    );
    const repeated = async (name: string, values: readonly string[]): Promise<Answer> => {
      const { [name]: _, ...others } = whole();
      const fields = values.map((value) => `${name}=${encodeURIComponent(value)}`);
      return stage.service.form(`/v1/${path}/upsert`, [formOf(others), ...fields].join('&'));
    };

    it('is told how the elements of an array are sent', async () => {
      for (const [name] of arrays) {
        const refused = faultsIn(await repeated(name, full[name]));
        const { code, message } = refused.find(({ param }) => param === name);
        assert.equal(code, 'parameter_repeated');
        const [, element] = /send each element as (\S+)=…/.exec(message) ?? [];
        assert.equal(element, `${name}[]`);
        const { [name]: values, ...others } = whole();
        const fields = values.map((value: string) => `${element}=${encodeURIComponent(value)}`);
        const taken = await stage.service.form(
          `/v1/${path}/upsert`,
          [formOf(others), ...fields].join('&'),
        );
        assert.deepEqual(faultsIn(taken), []);
      }
    });

    it('is to be sent once where it is no array, and unknown where it is none', async () => {
      const [once] = faultsIn(await repeated('external_identifier', ['a', 'b']));
      assert.match(once.message, /^external_identifier is sent more than once; send it once\.$/);
      const faults = faultsIn(await repeated('externalidentifier', ['a', 'b']));
      assert.deepEqual(
        faults.filter(({ param }) => param === 'externalidentifier').map(({ code }) => code),
        ['parameter_unknown'],
      );
    });
  });
}

describe('in the query of a list', () => {
  const SENT: Readonly<Record<string, string>> = {
    boolean: 'true',
    'only `true`': 'true',
    'whole number': '7',
    'date and time': '2026-11-20T14:30:00Z',
    date: '2026-11-20',
  };

  for (const resource of resources)
    it(`${resource.path}: a name that is suggested is accepted`, async () => {
      const query = async (name: string, value: string) =>
        stage.service.get(
          `/v1/${resource.path}?${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
        );
      for (const [name, { kind }] of Object.entries<Members[string]>(listParams(resource))) {
        const inside = Object.entries(kind.members ?? {}).map(
          ([step, field]) => [`${name}[${step}]`, field.kind] as const,
        );
        for (const [known, { name: is }] of [[name, kind] as const, ...inside])
          for (const wrong of [
            known.toUpperCase(),
            known.replaceAll('[', '.').replaceAll(']', ''),
            `${known.slice(0, 2)}${known.slice(3)}`,
          ]) {
            if (wrong === known) continue;
            const fault = unknownIn(await query(wrong, SENT[is] ?? 'x'));
            const nearest: unknown = fault?.values?.nearest;
            if (typeof nearest !== 'string') continue;
            assert.ok(fault.message.endsWith(`Did you mean ${nearest}?`), fault.message);
            const again = unknownIn(await query(nearest, SENT[is] ?? 'x'));
            assert.ok(again?.values?.nearest === undefined, `${wrong}: ${again?.message}`);
          }
      }
    });

  it('a repeated name of an array is told how its elements are sent', async () => {
    for (const resource of resources)
      for (const [name, { kind }] of Object.entries<Members[string]>(listParams(resource))) {
        if (kind.schema.type !== 'array') continue;
        const { body } = await stage.service.get(`/v1/${resource.path}?${name}=a&${name}=b`);
        assert.match(body.error.message, new RegExp(`send each element as ${name}\\[\\]=`));
        const mixed = await stage.service.get(`/v1/${resource.path}?${name}=a&${name}[]=b`);
        assert.match(mixed.body.error.message, /end each name in \[\]/);
      }
  });
});

describe('a phone number that is suggested', () => {
  const told = async (number: string): Promise<string | undefined> => {
    const sent = { person_phone_number: number, person_full_name: 'A', external_identifier: 'p' };
    const post = (body: Record<string, string>) =>
      stage.service.form('/v1/event_administrators/upsert', {
        event_unique_identifier: stage.event,
        ...body,
      });
    const refused = await post(sent);
    const [, suggested] =
      /; send (\+\d+) if that is the number/.exec(refused.body.error.message) ?? [];
    if (suggested === undefined) return undefined;
    assert.match(refused.body.error.message, /%2B/, 'a form needs it encoded');
    assert.equal((await post({ ...sent, person_phone_number: suggested })).status, 200);
    return suggested;
  };

  it('has no zero that is for callers within the country', async () => {
    const codes = [
      20, 27, 30, 31, 32, 33, 34, 40, 41, 43, 44, 46, 49, 61, 64, 81, 91, 353, 351, 358, 972,
    ];
    for (const code of codes)
      for (const written of [
        `+${code} (0)20 7946 0958`,
        `+${code} (020) 7946 0958`,
        `+${code}-020-7946-0958`,
        `00${code} (0) 20/79460958`,
        `011 ${code} 020.7946.0958`,
      ])
        assert.equal(await told(written), `+${code}2079460958`, written);
  });

  it('keeps the zero of countries that dial it from abroad, and guesses nothing where it is unclear', async () => {
    assert.equal(await told('+39 06 6982 1234'), '+390669821234');
    assert.equal(await told('+225 07 12 34 56 78'), '+2250712345678');
    for (const unclear of [
      '+39 (0)6 6982 1234',
      '+7 (8)495 123-45-67',
      '+36 (06) 1 234 5678',
      '+44 0020 7946 095',
      '(020) 794 6095',
      '123 456 7890',
    ])
      assert.equal(await told(unclear), undefined, unclear);
  });

  it('is ten digits after 1', async () => {
    for (const written of [
      '(415) 555-0123',
      '1-415-555-0123',
      '+1 (415) 555 0123',
      '001 415 555 0123',
    ])
      assert.equal(await told(written), '+14155550123', written);
  });
});

describe('in other places', () => {
  it('a column that is suggested is accepted, beside those that are there', async () => {
    for (const resource of resources.filter(({ parent }) => parent !== undefined))
      for (const name of targetNames(resource)) {
        const wrong = `${name.slice(0, 4)}${name.slice(5)}`;
        const others = Object.entries<Members[string]>(resource.upsert)
          .filter(([one, field]) => field.required && field.omittable !== true && one !== name)
          .map(([one]) => one);
        const header = (column: string) => ({
          headers: { 'Content-Type': 'text/csv' },
          body: `${[...others, column].join(',')}\n`,
        });
        const post = (column: string) =>
          stage.service.send('POST', `/v1/${resource.path}/upsert_many`, header(column));
        const fault = faultsIn(await post(wrong)).find(({ param }) => param === wrong);
        const nearest: unknown = fault?.values?.nearest;
        if (typeof nearest !== 'string') continue;
        const again = await post(nearest);
        const left = again.status === 200 ? [] : faultsIn(again);
        assert.deepEqual(
          left.filter(({ param }) => param === nearest),
          [],
          again.text,
        );
      }
  });

  it('a column that is like one that is there is told so', async () => {
    const body =
      'external_identifier,event_name,event_datetime,location_unique_identifier,eventname\n';
    const answer = await stage.service.send('POST', '/v1/events/upsert_many', {
      headers: { 'Content-Type': 'text/csv' },
      body,
    });
    const messages = new Map(faultsIn(answer).map(({ param, message }) => [param, message]));
    assert.match(messages.get('eventname'), /and event_name is a column as well/);
  });

  it('a notification that is suggested is accepted', async () => {
    const { secret: key } = await hooked.newKey({ allow: ['webhooks'] });
    const make = (notification: string) =>
      hooked.json(
        '/v1/webhook_endpoints',
        { url: 'http://127.0.0.1:8001/', notifications: [notification] },
        { key },
      );
    for (const wrong of [
      'evnt.creatd',
      'events.upserted',
      'check_in_record.removed',
      'locaton.*',
    ]) {
      const { body } = await make(wrong);
      const [, meant = ''] = /Did you mean (\S+)\?/.exec(body.error.message) ?? [];
      const taken = await make(meant);
      assert.equal(taken.status, 200, `${wrong}: ${taken.text}`);
    }
  });

  it('a time zone that is suggested is accepted, whatever place was named', async () => {
    const { secret: key } = await stage.service.newKey({ allow: ['settings'] });
    const set = (time_zone: string) =>
      stage.service.patch(`/v1/locations/${stage.location}/settings`, { time_zone }, { key });
    const places = Intl.supportedValuesOf('timeZone').filter((_, at) => at % 5 === 0);
    for (const name of ['Central', 'CST', 'chicago', 'America/New York', ...places]) {
      const refused = await set(name.slice(name.lastIndexOf('/') + 1));
      if (refused.status === 200) continue;
      const [, meant] = /Did you mean (\S+)\?/.exec(refused.body.error.message) ?? [];
      if (meant !== undefined) assert.equal((await set(meant)).status, 200, `${name}: ${meant}`);
    }
  });

  it('a path that is suggested is there, and takes the method', async () => {
    const words =
      'search find list all count export changes create update bulk import delete history me whoami health ready openapi.yaml upserts filter'.split(
        ' ',
      );
    const paths = [
      ...resources.map((one) => one.path),
      'webhook_endpoints',
      'sources',
      'removals',
      'visitors',
      'evnts',
    ];
    for (const path of paths)
      for (const word of ['', ...words])
        for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
          const sent = `/v1/${path}${word === '' ? 's' : `/${word}`}`;
          const { body } = await stage.service.send(method, sent);
          const [, how = '', meant] =
            /Did you mean ([A-Z]+) (\S+)\?$/.exec(body.error?.message ?? '') ?? [];
          if (meant === undefined) continue;
          // Nothing is done: there is no such record, and no body that could be taken.
          const filled = meant.replace('{unique_identifier}', 'evt_0350hLTg4Qw7ghih1EWE8L');
          const again = await stage.service.send(how, filled, {
            headers: how === 'GET' ? {} : { 'Content-Type': 'application/json' },
          });
          const { code } = again.body?.error ?? {};
          assert.ok(
            code !== 'path_unknown' && code !== 'method_not_allowed',
            `${method} ${sent}: ${how} ${meant}`,
          );
        }
  });
});

describe('in a form', () => {
  for (const { path, parent, least } of examples) {
    const resource = resources.find((one) => one.path === path);
    const emails = targetNames(resource as (typeof resources)[number])
      .filter((name) => name.endsWith('email_address'))
      .map((name) => bracketed(name.split('.')));
    for (const name of emails)
      it(`${path}: ${name} with a plus sign that was not encoded is told so`, async () => {
        const body = `${formOf({ ...least, external_identifier: name, [`${parent}_unique_identifier`]: stage.parents[parent] })}&${name}=`;
        const post = (email: string) => stage.service.form(`/v1/${path}/upsert`, body + email);
        const [fault] = faultsIn(await post('jane+cards@example.com'));
        assert.equal(fault.code, 'value_invalid');
        assert.match(fault.message, /percent-encode \+ as %2B/);
        assert.ok(fault.message.startsWith(`${name} has a space`), fault.message);
        // What is no such sign is not judged.
        for (const taken of [
          'jane%2Bcards@example.com',
          '%20jane@example.com',
          'jane%20@example.com',
          'jane at example',
          'jane@example.com or call',
          '',
        ]) {
          const answer = await post(taken);
          assert.deepEqual(faultsIn(answer), [], taken);
        }
        const json = {
          ...least,
          external_identifier: name,
          [`${parent}_unique_identifier`]: stage.parents[parent],
        };
        const steps = stepsOf(name);
        const nested = steps.reduceRight<Body>(
          (value, step) => ({ [step]: value }),
          'jane cards@example.com',
        );
        assert.equal(
          (await stage.service.json(`/v1/${path}/upsert`, { ...json, ...nested })).status,
          200,
        );
      });
  }
});
