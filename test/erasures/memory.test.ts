/** What was erased leaves the memory of each process within seconds, whichever of them erased it: its heap is looked through. */
// needs: --all, program, waits
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { emptyDatabase } from '../support/cli-postgres.ts';
import { ownFolder, programIn } from '../support/cli-program.ts';
import { call, type RunningService, startProcess } from '../support/cli-service.ts';
import { makeAccount, makeLocation } from '../support/cli-setup.ts';
import { NEWEST } from '../support/postgres-programs.ts';
import { secretKeyFile } from '../support/secret-key.ts';
import { eventBody, locationBody, visitorBody } from '../support/sent.ts';
import { onPostgres } from '../support/store-postgres.ts';
import { until } from '../support/until.ts';

/** Stands in what is erased, and in nothing else. */
const MARK = 'Rumpelstilzchen';
/** A busy machine takes half a minute for each look. */
const LOOKED_MS = 300_000;

async function prove(store: Readonly<Record<string, string>>): Promise<void> {
  const cwd = ownFolder();
  const heaps = join(cwd, 'heaps');
  mkdirSync(heaps);
  const env = { ...store, SECRET_KEY_FILE: secretKeyFile() };
  const { account, secret } = await makeAccount(cwd, env);
  const rights = ['--permission', 'read', '--allow', 'erase'];
  const { secret: officer } = await programIn(cwd, env).newKey(account, ...rights);
  const NODE_OPTIONS = `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir="${heaps}"`;
  const start = () => startProcess({ cwd, env: { ...env, NODE_OPTIONS } });
  const first = await start();
  const services = [first, await start()];
  const send = async ({ url }: RunningService, key: string, path: string, body: object) => {
    const { status, text } = await call(url, key, path, body);
    assert.equal(status, 200, text);
    return JSON.parse(text);
  };
  const location = await makeLocation(first.url, secret, account, 'home');
  const records = new Set<string>();
  for (const [nth, service] of services.entries())
    await until(async () => {
      const named = eventBody(location, `${MARK} service`, { event_name: `${MARK} ${nth}` });
      const event = await send(service, secret, '/v1/events/upsert', named);
      const guest = visitorBody(undefined, `${MARK} visitor`, {
        ...{ event_external_identifier: `${MARK} service`, location_unique_identifier: location },
        visitor_full_name: `${MARK} ${nth}`,
      });
      const visitor = await send(service, secret, '/v1/event_check_in_records/upsert', guest);
      for (const one of [event, visitor]) records.add(one.unique_identifier);
      return holds(service, heaps);
    }, LOOKED_MS);

  const all = [...records];
  const begun = await send(first, officer, '/v1/erasures', { account, records: all });
  await send(first, officer, `/v1/erasures/${begun.unique_identifier}/run`, { records: all });
  for (const service of services)
    await until(async () => {
      // Others take the place of what was read last.
      await send(service, secret, '/v1/locations/upsert', locationBody(account, 'home'));
      return !(await holds(service, heaps));
    }, LOOKED_MS);
}

/** Whether the heap of the process has the mark. */
async function holds({ process }: RunningService, folder: string): Promise<boolean> {
  const written = () => readdirSync(folder).find((name) => name.includes(`.${process.pid}.`));
  process.kill('SIGUSR2');
  await until(() => written() !== undefined);
  const path = join(folder, written() ?? '');
  let text = '';
  await until(() => {
    text = readFileSync(path, 'latin1');
    return text.trimEnd().endsWith('}');
  });
  rmSync(path);
  return text.includes(MARK);
}

await onPostgres(
  ({ name, url }) => {
    it(`in two services on ${name}`, async () => prove((await emptyDatabase(url)).env));
  },
  [NEWEST],
);
