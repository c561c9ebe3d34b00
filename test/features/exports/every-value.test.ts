/** What a field takes, everything that reads it later takes, too: exports in each format, lists, search, follow-ups, webhooks. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { resources } from '../../../src/core/registry.ts';
import { exportFiles, planWhole, tableOf } from '../../../src/features/exports/serves/export.ts';
import { zonesOver } from '../../../src/records/query/zones.ts';
import { ownFolder } from '../../support/cli-program.ts';
import { keptLog } from '../../support/kept-log.ts';
import { keyed } from '../../support/secret-key.ts';
import { until } from '../../support/until.ts';
import { startReceiver } from '../../support/webhook-receiver.ts';
import { world } from '../../support/world.ts';

/** Beside the samples of each kind. */
const EDGES: Readonly<Record<string, readonly unknown[]>> = {
  'date and time': ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '1883-11-18T17:00:00Z'],
  date: ['0001-01-01', '9999-12-31', '2024-02-29'],
};
/** Far from UTC, with odd offsets, with seconds in old offsets, and with days that are skipped. */
const ZONES = [
  ...['UTC', 'Pacific/Pago_Pago', 'Pacific/Kiritimati', 'Asia/Kathmandu', 'Africa/Monrovia'],
  ...['Pacific/Apia', 'Antarctica/Troll', 'America/New_York'],
];
const under = resources.filter(({ parent }) => parent !== undefined);

describe('What fields take', () => {
  const { log, lines } = keptLog();
  const on = world({ settings: keyed(), log }, async () => {
    await on.read('/v1/follow_ups');
  });

  it('is taken by all that reads it, by the clock of each zone', async () => {
    const receiver = await startReceiver();
    const { secret: key } = await on.service.newKey({ allow: ['webhooks'] });
    await on.ok('/v1/webhook_endpoints', { url: receiver.url }, key);
    let written = 0;
    for (const { path, fields, public_data } of under)
      for (const [name, { kind }] of Object.entries({ ...fields, ...public_data })) {
        // More does not fit a cell, and a workbook says so.
        const accepted = kind
          .samples()
          .accepted.map(({ send }) => send)
          .filter((send) => JSON.stringify(send).length < 32_767);
        for (const [at, value] of [...accepted, ...(EDGES[kind.name] ?? [])].entries()) {
          const as = `${name} ${at}`;
          const { status, text } = await on.upsert(path, { json: { [name]: value }, as });
          assert.ok(status === 200 || status === 400, text);
          if (status === 200) written += 1;
        }
      }
    assert.ok(written > 90, `${written} records`);

    const { app, account, get, patch } = on.service;
    for (const time_zone of ZONES) {
      const path = `/v1/locations/${on.location}/settings`;
      assert.equal((await patch(path, { time_zone })).status, 200);
      for (const format of ['csv', 'ndjson', 'xlsx'] as const) {
        const plan = await planWhole(app.store, [account.unique_identifier]);
        const parts = { said: app.store.said, zones: zonesOver(app.store) };
        const folder = ownFolder();
        await exportFiles(
          { log: app.store.log, plan, format, parts },
          under.map((resource) => ({
            table: tableOf({ log: app.store.log, plan, format, parts }, resource),
            file: join(folder, `${resource.path}.${format}`),
          })),
        );
        await plan.snapshot.close();
      }
    }
    for (const { path } of under)
      for (const accept of ['text/csv', 'application/x-ndjson', 'application/json']) {
        const answer = await get(`/v1/${path}`, { headers: { Accept: accept } });
        assert.equal(answer.status, 200, answer.text);
        assert.doesNotMatch(answer.text, /"error":/);
      }
    // Read to the end by follow-ups, search and webhooks.
    const last = await on.made('online_arrangements', 'the last');
    const { unique_identifier: record } = last;
    await until(async () => (await on.read(`/v1/follow_ups?record=${record}`)).data.length > 0);
    await until(() => receiver.received.some(({ text }) => text.includes(record)));
    const behind = async () => app.store.search.lag([account.unique_identifier]);
    await until(async () => (await behind()).since === undefined);
    assert.deepEqual(
      lines.filter(
        ({ level, msg }) => Number(level) >= 40 && !/^no store existed/.test(String(msg)),
      ),
      [],
    );
  });
});
