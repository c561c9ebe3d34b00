/** Who is erased by a process of a release, or by one of this version beside it, stays so at both, and is in no copy. */
// needs: --all, program, waits
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '../support/until.ts';
import { EARLIER, PROJECT, programOf, ran, rowsOf, serve, storeOf } from '../support/versions.ts';

for (const release of EARLIER)
  describe(`On PostgreSQL beside ${release}`, () => {
    it('nobody who was erased comes back', async () => {
      const old = programOf(release);
      const at = await storeOf(release, 'postgres');
      const [{ unique_identifier: account }] = JSON.parse(
        await ran(old, ['accounts', 'list', '--json'], at),
      );
      const words = ['keys', 'create', '--account', account, '--allow', 'erase'];
      const { secret } = JSON.parse(await ran(old, [...words, '--json'], at));
      const older = await serve(old, at);
      const newer = await serve(PROJECT, at);
      let sent = 0;
      const send = async (address: string, path: string, body: object, key?: string) => {
        sent += 1;
        const answer = await fetch(`${address}/v1${path}`, {
          method: 'POST',
          headers: {
            ...{ Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
            ...(key === 'none' ? {} : { 'Idempotency-Key': key ?? `request-${sent}` }),
          },
          body: JSON.stringify(body),
        });
        return { status: answer.status, body: await answer.json() };
      };
      const made = async (path: string, body: object): Promise<string> => {
        const { status, body: answer } = await send(older.address, path, body);
        assert.ok(status < 300, JSON.stringify(answer));
        return answer.unique_identifier;
      };
      const location_unique_identifier = await made('/locations/upsert', {
        ...{ account_unique_identifier: account, external_identifier: 'erased-beside' },
        location_name: 'Beside',
      });
      const event_unique_identifier = await made('/events/upsert', {
        ...{ location_unique_identifier, external_identifier: 'erased-beside' },
        ...{ event_name: 'Service', event_datetime: '2026-11-20T14:30:00Z' },
      });
      for (const [by, name] of [
        [older, 'erased by the old one'],
        [newer, 'erased by the new one'],
      ] as const) {
        const visitor = {
          ...{ event_unique_identifier, external_identifier: name },
          ...{ visitor_full_name: 'Robin Example', visitor_phone_number: '+14155550177' },
        };
        const path = '/event_check_in_records/upsert';
        const records: string[] = [];
        for (const { address } of [older, newer]) {
          const { status, body } = await send(
            address,
            path,
            visitor,
            `${records.length}-of-${by === older}`,
          );
          assert.ok(status < 300, JSON.stringify(body));
          records.push(body.unique_identifier);
        }
        const looked = await send(
          by.address,
          '/erasures',
          { account, records: [records[0]] },
          'none',
        );
        const erasure = `/erasures/${looked.body.unique_identifier}`;
        const run = await send(by.address, `${erasure}/run`, { records: [records[0]] }, 'none');
        assert.equal(run.status, 200, JSON.stringify([looked.body, run.body]));
        const isGone = async (): Promise<boolean> => {
          const row = `SELECT 1 FROM event_check_in_record WHERE unique_identifier = '${records[0]}'`;
          return (await rowsOf(at, row)).length === 0;
        };
        await until(isGone);
        const copies = await rowsOf(at, `SELECT 1 FROM answered WHERE record = '${records[0]}'`);
        assert.deepEqual(copies, [], name);
        for (const { address } of [older, newer]) {
          const again = await send(address, path, visitor);
          assert.equal(again.status, 410, JSON.stringify(again.body));
          const repeated = await send(address, path, visitor, `0-of-${by === older}`);
          assert.ok([404, 410].includes(repeated.status), JSON.stringify(repeated.body));
        }
      }
      await older.stop();
      await newer.stop();
      await ran(PROJECT, ['verify'], at);
    });
  });
