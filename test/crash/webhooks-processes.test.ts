/** Webhooks are delivered by whichever process is left: each change at least once, in order for each record. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { ALL } from '../support/all.ts';
import { sharedDatabase } from '../support/cli-postgres.ts';
import { programIn } from '../support/cli-program.ts';
import { call, startProcess } from '../support/cli-service.ts';
import { onPostgres } from '../support/store-postgres.ts';
import { startReceiver, until, webhookSettings } from '../support/webhook-receiver.ts';

const RECORDS = 12;
const KILLED = ALL ? 6 : 2;
const WRITES = ALL ? 600 : 200;

await onPostgres(({ name, url: server }) => {
  describe(`Webhooks of several processes over ${name}`, () => {
    it('reach a receiver that fails and stalls, while processes are killed at random', async (t) => {
      const { settings, remove } = webhookSettings();
      t.after(remove);
      const receiver = await startReceiver();
      t.after(() => receiver.close());
      const env = {
        WEBHOOK_ALLOW: settings.webhook_allow,
        SECRET_KEY_FILE: settings.secret_key_file,
      };
      const shared = await sharedDatabase(t, server);
      const { secret, location, cwd } = shared;
      const serve = () => startProcess(t, { cwd, env: { ...shared.env, ...env } });
      const { url } = shared.service;
      const made = await programIn(cwd, shared.env).json<{ secret: string }>(
        ...['keys', 'create', '--account', shared.account, '--allow', 'webhooks'],
      );
      const others = [await serve(), await serve(), await serve()];
      const whk = await call(others[0]?.url ?? '', made.secret, '/v1/webhook_endpoints', {
        url: receiver.url,
        notifications: ['event.*'],
      });
      assert.equal(whk.status, 200, whk.text);

      // None fails twice: the third try would come after five minutes.
      const failed = new Set<string>();
      receiver.answer = async ({ id }) => {
        const chance = Math.random();
        if (chance < 0.02 && !failed.has(id)) {
          failed.add(id);
          return 500;
        }
        await pause(chance < 0.1 ? 400 : 5);
        return 200;
      };
      // The process that is written to has no key for secrets: it delivers nothing.
      const writing = (async () => {
        for (let at = 0; at < WRITES; at++) {
          const answer = await call(url, secret, '/v1/events/upsert', {
            location_unique_identifier: location,
            external_identifier: `event ${at % RECORDS}`,
            event_name: `Name ${at}`,
            event_datetime: '2026-11-20T14:30:00Z',
          });
          assert.equal(answer.status, 200, answer.text);
          await pause(15);
        }
      })();
      for (let killed = 0; killed < KILLED; killed++) {
        await receiver.count(20 * (killed + 1)).catch(() => undefined);
        const which = Math.floor(Math.random() * others.length);
        await others[which]?.stop('SIGKILL');
        others[which] = await serve();
      }
      await writing;

      const { text } = await call(url, secret, '/v1/changes?resource[]=event&limit=1000');
      const wanted: string[] = JSON.parse(text).data.map(
        (change: { unique_identifier: string }) => change.unique_identifier,
      );
      assert.equal(wanted.length, WRITES);
      const seen = () => new Set(receiver.received.map(({ id }) => id));
      await until(() => wanted.every((id) => seen().has(id)), 120_000);

      // What was tried, by the order in which it was first tried: a record never goes back.
      const first = new Map<string, number>();
      const tried = new Set<string>();
      for (const { id, body } of receiver.received) {
        if (tried.has(id)) continue;
        tried.add(id);
        const { record, version } = body.data;
        assert.equal(version, (first.get(record) ?? 0) + 1, 'a record has a gap, or went back');
        first.set(record, version);
      }
    });
  });
});
