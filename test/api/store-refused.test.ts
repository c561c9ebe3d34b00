/** What the operator's database refuses is told to its sender, the log, the metrics and the doctor; all else goes on. */
// needs: program
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { connected } from '../support/ask.ts';
import { sharedDatabase } from '../support/cli-postgres.ts';
import { call } from '../support/cli-service.ts';
import { examine } from '../support/examine.ts';
import { locationBody } from '../support/sent.ts';
import { onOwnPostgres } from '../support/store-postgres.ts';
import { until } from '../support/until.ts';

await onOwnPostgres((server) => {
  it('a record that a condition of somebody refuses is no outage, and nobody is told to send it again at once', async () => {
    const { service, secret, account, cwd, env, url } = await sharedDatabase(server.url);
    const owner = await connected(url);
    await owner.query(
      "ALTER TABLE location ADD CONSTRAINT by_somebody CHECK (document NOT LIKE '%Riverside%') NOT VALID",
    );
    const bodyOf = (name: string) =>
      locationBody(account, name, { location_name: `${name} Chapel` });
    const send = (name: string) =>
      fetch(`${service.url}/v1/locations/upsert`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(bodyOf(name)),
      });
    const answers = await Promise.all(
      ['Hillside', 'Riverside', 'Lakeside', 'Parkside'].map((name) => send(name)),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 500, 200, 200],
    );
    const refused = answers[1] as (typeof answers)[number];
    const { headers } = refused;
    assert.equal(headers.get('retry-after'), null);
    assert.equal(headers.get('stripe-should-retry'), 'false');
    const { error } = (await refused.json()) as { error: { code: string; message: string } };
    assert.equal(error.code, 'store_refused');
    assert.doesNotMatch(error.message, /retry|by_somebody|location/i);

    const rows = ['Eastside', 'Riverside', 'Westside'].map(bodyOf);
    const { text } = await call(service.url, secret, '/v1/locations/upsert_many', rows);
    const { data } = JSON.parse(text) as { data: { error?: { code: string } }[] };
    assert.deepEqual(
      data.map((row) => row.error?.code),
      [undefined, 'store_refused', undefined],
    );

    // The service takes records, and the doctor says which it does not take.
    assert.equal((await fetch(`${service.url}/readyz`)).status, 200);
    let says = '';
    // Which requests were refused is stored some moments later.
    await until(async () => {
      const { ok, wrong } = await examine(cwd, { ...env, DATABASE_URL: url });
      says = wrong.map((one) => `${one.state}: ${one.says}`).join('\n');
      return !ok;
    });
    assert.match(says, /^warning: The table location is not as it was made: .*by_somebody/m);
    assert.match(says, /^bad: The database has refused records, .*--code store_refused/m);
    const { stdout } = await service.stop();
    const lines = stdout
      .split('\n')
      .flatMap((line) => (line.startsWith('{') ? JSON.parse(line) : []));
    const [told, ...more] = lines.filter(({ level }) => level > 30);
    assert.equal(more.length, 0, 'it is told once a minute');
    assert.match(told.reason, /does not take this: .*table location, by_somebody/);
    assert.match(told.database_says, /^23514 /);
    assert.ok(!stdout.includes('Riverside'), 'nothing of a record is in the log');
  });
});
