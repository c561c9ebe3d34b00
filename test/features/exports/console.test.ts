/** People take records away: what a list shows, or everything at one moment, as files that can be imported again. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { bring } from '../../support/bring.ts';
import { type ConsoleBrowser, OWN, signedIn } from '../../support/console.ts';
import { type Made, makeRecords } from '../../support/console-records.ts';
import { unzipped } from '../../support/exported.ts';
import { pluck } from '../../support/pluck.ts';
import { sendLargeEvents, visitorBody } from '../../support/sent.ts';
import type { Body } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { served } from '../../support/world.ts';

interface Exported {
  readonly file: Buffer;
  readonly end: Body;
}

describe('An export by a person', () => {
  let person: ConsoleBrowser;
  let made: Made;
  const service = served({}, async () => {
    made = await makeRecords(service);
    person = await signedIn(service);
  });

  const ask = (asked: object, by: ConsoleBrowser = person, signal?: AbortSignal) =>
    fetch(`${service.url}/console/api/exports`, {
      method: 'POST',
      headers: { ...OWN, Cookie: by.cookie ?? '', 'Content-Type': 'application/json' },
      body: JSON.stringify(asked),
      ...(signal === undefined ? {} : { signal }),
    });
  const exported = async (asked: object, by?: ConsoleBrowser): Promise<Exported> => {
    const answer = await ask(asked, by);
    const bytes = Buffer.from(await answer.arrayBuffer());
    assert.equal(answer.status, 200, bytes.toString());
    return { file: bytes, end: await last(by) };
  };
  /** How the last export of a person ended, as it is listed. */
  const last = async (by: ConsoleBrowser = person): Promise<Body> =>
    (await by.get('/exports')).body.data[0];
  const refused = async (asked: object, by?: ConsoleBrowser): Promise<Body> => {
    const answer = await ask(asked, by);
    assert.notEqual(answer.status, 200);
    return { status: answer.status, ...((await answer.json()) as Body).error };
  };
  const lines = ({ file }: Exported): Body[] =>
    Array.from(file.toString().trimEnd().split('\n'), (line) => JSON.parse(line));
  /** Takes a file in, and gives what came of it. */
  const imported = async (
    name: string,
    resource: string,
    file: Buffer,
    by: ConsoleBrowser = person,
  ): Promise<Body> => {
    const send = (...[method, path, body, headers]: Parameters<typeof by.send>) =>
      by.send(method, path, body, { ...OWN, ...headers });
    const { text } = await bring(send, 'run', { name, resource }, file);
    return JSON.parse(text.trimEnd().split('\n').at(-1) ?? '');
  };

  it('has what the filters of the list mean, and nothing else', async () => {
    const filters = `location_unique_identifier=${made.locations[0]}`;
    const asked = { resources: ['events'], filters };
    const rows = lines(await exported({ ...asked, format: 'ndjson' }));
    assert.deepEqual(pluck(rows, 'external_identifier'), ['case-1']);
    const { file, end } = await exported({ ...asked, format: 'csv' });
    assert.deepEqual(end, { rows: 1, status: 'done' });
    assert.equal(file.toString().split('\r\n').length, 3, 'a header, a row, an end');
    const wrong = await refused({ ...asked, filters: 'colour=blue', format: 'csv' });
    assert.equal(wrong.status, 400);
    assert.match(wrong.message, /colour|cannot be filtered/);
  });

  it('is a list with the headings of its page, and comes back by them', async () => {
    const headings = {
      external_identifier: 'Identifier',
      location_unique_identifier: 'Location: Ledgerstone identifier',
      event_name: 'Service',
      event_datetime: 'Date and time',
      _location: 'Location',
      _unique_identifier: '_Id',
    };
    const filters = `location_unique_identifier=${made.locations[0]}`;
    const asked = { resources: ['events'], filters, format: 'spreadsheet_csv', headings };
    const { file } = await exported(asked);
    const [head, row, ...rest] = file.toString().split('\r\n');
    assert.equal(head, `\ufeff${Object.values(headings).join()},_apostrophes`);
    assert.match(row ?? '', new RegExp(`^case-1,${made.locations[0]},.*,[^,]+,evt_\\w+,$`));
    assert.deepEqual(rest, ['']);
    const back = await imported('events.csv', 'events', file);
    assert.deepEqual(back.counts, { created: 0, updated: 0, unchanged: 1, failed: 0 });
    for (const wrong of [{ format: 'xlsx' }, { resources: ['events', 'locations'], filters: null }])
      assert.equal((await refused({ ...asked, ...wrong })).param, 'headings');
  });

  for (const format of ['csv', 'spreadsheet_csv', 'ndjson', 'xlsx']) {
    it(`is imported again as ${format}, and changes nothing`, async () => {
      const resources = [
        ...['direct_mail_replies', 'online_arrangements', 'events'],
        ...['locations', 'event_check_in_records'],
      ];
      const { file, end } = await exported({ resources, format });
      assert.equal(end.status, 'done');
      const files = unzipped(file);
      // Parents come first, so that the files can be imported in this order.
      const inOrder = [
        ...['locations', 'events', 'event_check_in_records'],
        ...['online_arrangements', 'direct_mail_replies'],
      ];
      const ending = format.split('_').at(-1);
      assert.deepEqual(
        [...files.keys()],
        inOrder.map((one) => `${one}.${ending}`),
      );
      let rows = 0;
      for (const [name, bytes] of files) {
        const { done, counts } = await imported(name, name.split('.')[0] ?? '', bytes);
        assert.equal(done, true);
        assert.deepEqual([counts.created, counts.updated, counts.failed], [0, 0, 0], name);
        rows += counts.unchanged;
      }
      assert.equal(rows, end.rows);
      assert.equal(rows, 2 + 2 + 5 + 1 + 1);
      // People have dollars, and programs cents.
      const carts = files.get(`online_arrangements.${ending}`)?.toString() ?? '';
      if (format === 'spreadsheet_csv') assert.match(carts, /cart_value,[\s\S]*,1895\.00,USD,/);
      if (format === 'csv') assert.match(carts, /cart_value_in_cents,[\s\S]*,189500,USD,/);
    });
  }

  it('holds no formulas where it is for spreadsheets, and comes back as it was all the same', async () => {
    const own = await service.another();
    const accounts = [own.account.unique_identifier];
    const by = await signedIn(service, 'formulas@example.com', { accounts });
    const event = await own.event(await own.location());
    const names = [
      ...['=HYPERLINK("http://evil.example","x")', '+1 555', '-2', '@SUM(1)', '\ttab'],
      ...["'=1", "''+1", "'plain", 'plain', "O'Neil"],
    ];
    for (const [nth, visitor_full_name] of names.entries()) {
      const visitor = visitorBody(event, `c${nth}`, { visitor_full_name });
      const { status, text } = await own.json('/v1/event_check_in_records/upsert', visitor);
      assert.equal(status, 200, text);
    }
    const asked = { resources: ['event_check_in_records'] };
    const exports = {
      spreadsheet: await exported({ ...asked, format: 'spreadsheet_csv' }, by),
      program: await exported({ ...asked, format: 'csv' }, by),
    };
    const cells = exports.spreadsheet.file.toString().split(/[,\r\n]+/);
    assert.ok(!cells.some((cell) => /^"?[=+\-@\t]/.test(cell)));
    assert.match(exports.program.file.toString(), /"=HYPERLINK/);
    for (const { file } of Object.values(exports)) {
      const { done, counts } = await imported('x.csv', 'event_check_in_records', file, by);
      assert.deepEqual([done, counts.unchanged], [true, names.length], JSON.stringify(counts));
    }
  });

  it('has one location alone, where that is asked for or is all that the person may see', async () => {
    const [main, river] = made.locations;
    const resources = ['locations', 'events', 'event_check_in_records'];
    const asked = { resources, format: 'ndjson' };
    const grant = { role: 'viewer', anchors: [river as string] } as const;
    const limited = await signedIn(service, 'river@example.com', grant);
    for (const { file } of [
      await exported({ ...asked, location: river }),
      await exported(asked, limited),
      await exported({ ...asked, location: river }, limited),
    ]) {
      const files = unzipped(file);
      const has = (name: string): string => files.get(`${name}.ndjson`)?.toString() ?? 'nothing';
      assert.match(has('locations'), /"external_identifier":"river"/);
      assert.doesNotMatch(has('locations'), /"main"/);
      assert.match(has('events'), /Graveside service/);
      assert.doesNotMatch(has('events'), /Jane Doe/);
      assert.equal(has('event_check_in_records'), '');
    }
    for (const location of [main, 'loc_nothing']) {
      const { status, param, message } = await refused({ ...asked, location }, limited);
      assert.deepEqual([status, param], [400, 'location']);
      assert.match(message, /that you may see/);
    }
  });

  it('is listed with the reason where it fails midway, and its connection breaks', async () => {
    const own = await service.another();
    const accounts = [own.account.unique_identifier];
    const by = await signedIn(service, 'cells@example.com', { accounts });
    const { text, status: made } = await own.json('/v1/online_arrangements/upsert', {
      ...{ location_unique_identifier: await own.location(), external_identifier: 'long' },
      ...{ person_full_name: 'Ann', person_phone_number: '+14155550123' },
      cart_summary: 'x'.repeat(40_000),
    });
    assert.equal(made, 200, text);
    const answer = await ask({ resources: ['online_arrangements'], format: 'xlsx' }, by);
    assert.equal(answer.status, 200);
    await assert.rejects(answer.arrayBuffer(), /terminated/);
    const { status, error } = await last(by);
    assert.deepEqual([status, error.param], ['failed', 'format']);
    assert.match(error.message, /32,767/);
  });

  it('says what is wrong with what is asked for', async () => {
    for (const [asked, param] of [
      [{ resources: ['accounts'], format: 'csv' }, 'resources'],
      [{ resources: [], format: 'csv' }, 'resources'],
      [{ resources: ['events'], format: 'pdf' }, 'format'],
      [{ resources: ['events', 'locations'], format: 'csv', filters: 'name=x' }, 'filters'],
    ] as const) {
      assert.deepEqual((await refused(asked)).param, param);
    }
    const foreign = await fetch(`${service.url}/console/api/exports`, {
      method: 'POST',
      headers: { 'Sec-Fetch-Site': 'same-site', Cookie: person.cookie ?? '' },
    });
    assert.equal(foreign.status, 403);
  });

  describe('that takes long', () => {
    /** More than lies between the service and whoever stops reading. */
    const COUNT = 1_500;
    before(() => sendLargeEvents(service, made.locations[0], COUNT));
    const asked = { resources: ['events'], format: 'ndjson' };
    /** An export of which only the beginning was read. */
    const begun = async (by: ConsoleBrowser) => {
      const left = new AbortController();
      const answer = await ask(asked, by, left.signal);
      assert.equal(answer.status, 200);
      const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
      const first = await reader.read();
      return { left, reader, first: first.value as Uint8Array };
    };

    it('is the only one of a person, and ends when the browser goes away', async () => {
      const own = await signedIn(service, 'leaving@example.com');
      const { left } = await begun(own);
      const { status, message } = await refused(asked, own);
      assert.equal(status, 429);
      assert.match(message, /You already have an export running/);
      left.abort();
      await until(async () => {
        const answer = await ask(asked, own);
        await answer.arrayBuffer();
        return answer.status === 200;
      });
      assert.equal((await last(own)).status, 'done');
    });

    it('ends with the session: the connection breaks instead of the file being short', async () => {
      const own = await signedIn(service, 'ending@example.com');
      const { reader } = await begun(own);
      await own.post('/sign_out');
      await assert.rejects(async () => {
        while (!(await reader.read()).done);
      }, /terminated/);
    });

    it('shows one moment: what is written meanwhile is not in it', async () => {
      const own = await signedIn(service, 'moment@example.com');
      const { reader, first } = await begun(own);
      await service.event(made.locations[0] as string, 'zzz-later');
      const pieces = [first];
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        pieces.push(value);
      }
      const whole = { file: Buffer.concat(pieces), end: await last(own) };
      assert.equal(whole.end.status, 'done');
      const names = pluck(lines(whole), 'external_identifier');
      assert.equal(new Set(names).size, names.length);
      assert.ok(!names.includes('zzz-later'));
      assert.ok(names.includes(`large-${COUNT - 1}`));
    });
  });
});
