/**
 * A phone number of any country is the same one in every place that shows, edits, finds, filters, exports, takes back,
 * marks and forgets it, and never that of somebody else: beside each stand American numbers with the same ten digits.
 */
// needs: both stores
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import { loadPlans, phoneText, typedPhone } from '../../console/src/values/contact.ts';
import { bring } from '../support/bring.ts';
import { type ConsoleBrowser, OWN, signedIn } from '../support/console.ts';
import { americanTwins, exampleNumbers } from '../support/phone-numbers.ts';
import { keyed } from '../support/secret-key.ts';
import type { Body } from '../support/service.ts';
import { until } from '../support/until.ts';
import { world } from '../support/world.ts';

const PATH = 'event_check_in_records';
/** A number of Norway, and the American one that it was shown as. */
const NORWEGIAN = ['+4722123456', '+14722123456'];
const numbers = [
  ...new Set([...NORWEGIAN, ...exampleNumbers.map(({ number }) => number), ...americanTwins]),
];
/** These are asked for one by one. */
const some = [
  ...new Set([
    ...numbers.filter((_, at) => at % 30 === 0),
    ...americanTwins.slice(0, 6),
    ...NORWEGIAN,
  ]),
];

for (const zone of ['America/Chicago', 'Europe/Oslo', 'Europe/London']) {
  describe(`A phone number of any country, at a home in ${zone}`, () => {
    let person: ConsoleBrowser;
    const records = new Map<string, string>();
    const shown = (number: string) => phoneText(number, zone);
    const on = world({ settings: keyed() }, async ({ service, account, visitor }) => {
      await loadPlans();
      await service.patch(`/v1/accounts/${account}/settings`, { time_zone: zone });
      person = await signedIn(service);
      for (let at = 0; at < numbers.length; at += 100) {
        const rows = numbers.slice(at, at + 100).map((number) => ({
          ...visitor(number, { visitor_phone_number: number }),
          visitor_full_name: 'Visitor',
        }));
        const sent = await service.json(`/v1/${PATH}/upsert_many`, rows);
        assert.equal(sent.status, 200, sent.text);
      }
      for (const one of await all(service))
        records.set(one.visitor_phone_number, one.unique_identifier);
      assert.equal(records.size, numbers.length);
    });
    const all = async (service: typeof on.service): Promise<readonly Body[]> =>
      (await service.get(`/v1/${PATH}?limit=1000`)).body.data;
    const idOf = (number: string): string => records.get(number) ?? '';

    it('is what a form sends after it was shown there, and what a filter finds', async () => {
      for (const number of numbers) assert.equal(typedPhone(shown(number), zone), number);
      for (const number of some) {
        const query = encodeURIComponent(typedPhone(shown(number), zone));
        const { data } = await on.read(`/v1/${PATH}?visitor_phone_number=${query}`);
        assert.deepEqual(
          data.map((one: Body) => one.unique_identifier),
          [idOf(number)],
          number,
        );
      }
    });

    it('is found by what is shown, alone', async () => {
      const found = async (q: string): Promise<string[]> => {
        const { data } = await on.ok('/v1/search', { q }, on.officer);
        return data.flatMap(({ data }: Body) =>
          data.map(({ record }: Body) => record.unique_identifier),
        );
      };
      for (const number of some) await until(async () => (await found(number)).length > 0);
      for (const number of some)
        for (const q of [number, shown(number), `visitor ${shown(number)}`])
          assert.deepEqual(await found(q), [idOf(number)], q);
    });

    it('is in a list that is downloaded as it is shown, and comes back as it is', async () => {
      const asked = {
        resources: [PATH],
        filters: '',
        format: 'spreadsheet_csv',
        headings: {
          external_identifier: 'Identifier',
          event_unique_identifier: 'Service: Ledgerstone identifier',
          visitor_full_name: 'Name',
          visitor_phone_number: 'Phone',
        },
      };
      const answer = await fetch(`${on.service.url}/console/api/exports`, {
        method: 'POST',
        headers: { ...OWN, Cookie: person.cookie ?? '', 'Content-Type': 'application/json' },
        body: JSON.stringify(asked),
      });
      const file = Buffer.from(await answer.arrayBuffer());
      assert.equal(answer.status, 200, file.toString());
      const rows = parse(file, { bom: true }).slice(1) as string[][];
      const phones = rows.map(([, , , phone = '']) => phone.replace(/^'/, ''));
      assert.deepEqual(phones.toSorted(), numbers.map(shown).toSorted());
      const send = (...[method, path, body, headers]: Parameters<typeof person.send>) =>
        person.send(method, path, body, { ...OWN, ...headers });
      const how = { name: 'list.csv', resource: PATH, us_phones: true };
      const { text } = await bring(send, 'run', how, file);
      const { counts } = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '');
      assert.deepEqual(counts, { created: 0, updated: 0, unchanged: numbers.length, failed: 0 });
    });

    it('is marked by what is shown, alone, also when its person is erased', async () => {
      // What is typed in a row where somebody has no number is of nobody.
      const marked = numbers.filter((one, at) => at % 3 === 0 && !one.endsWith('0123456789'));
      for (const number of marked) {
        const sent = { account: on.account, phone_number: shown(number) };
        const { value } = await on.ok('/v1/do_not_contact', sent, on.officer);
        assert.equal(value, number);
      }
      const said = async (): Promise<string[]> => {
        const { data } = await on.read(`/v1/${PATH}?limit=1000&expand[]=do_not_contact`);
        return data
          .filter((one: Body) => one.do_not_contact)
          .map((one: Body) => one.visitor_phone_number);
      };
      assert.deepEqual((await said()).toSorted(), marked.toSorted());
      const gone = marked.filter((number) => /^\+[2-9]\d{9}$/.test(number)).slice(0, 3);
      const { status } = await on.erase(...gone.map(idOf));
      assert.equal(status, 'done');
      const stay = marked.filter((number) => !gone.includes(number));
      assert.deepEqual((await said()).toSorted(), stay.toSorted());
      for (const number of gone) {
        const again = await on.visit(`again ${number}`, { visitor_phone_number: number });
        const path = `/v1/${PATH}/${again.unique_identifier}?expand[]=do_not_contact`;
        assert.equal((await on.read(path)).do_not_contact, true, number);
      }
    });

    it('is found in texts by whoever asks to be forgotten, and no other one is', async () => {
      const wanted = some.slice(-12);
      const dashes = ['\u2011', '\u2013', '\u00a0', '\u00b7', '\u00ad'];
      const notes = new Map<string, string>();
      for (const [at, number] of numbers.entries()) {
        if (!some.includes(number)) continue;
        const written = shown(number).replaceAll(/[ -]/g, dashes[at % dashes.length] ?? '-');
        const { unique_identifier: id } = await on.made('direct_mail_replies', `note ${number}`, {
          additional_metadata: { notes: `please ring ${written} in the evening` },
        });
        notes.set(number, id);
      }
      let request = await on.ok(
        '/v1/erasures',
        { account: on.account, phone_numbers: wanted },
        on.officer,
      );
      await until(async () => {
        request = await on.erasure(request.unique_identifier);
        return request.looked === 'everywhere';
      });
      const found: string[] = request.matches.map(({ record }: Body) => record);
      const named = [...notes].filter(([, id]) => found.includes(id)).map(([number]) => number);
      assert.deepEqual(named.toSorted(), wanted.toSorted());
    });
  });
}
