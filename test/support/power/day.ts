/** A short day of a service: everything that it answers, shows and promises, witnessed while its disk is recorded. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readSettings } from '../../../src/core/config.ts';
import { issueKey } from '../../../src/records/auth/issue-key.ts';
import { readFollowed } from '../../../src/services/backup/folder/chain.ts';
import { openStoreAlone } from '../../../src/store/open.ts';
import { ownFolder, programIn } from '../cli-program.ts';
import { type RunningService, serveHere, startProcess } from '../cli-service.ts';
import { secretKeyFile } from '../secret-key.ts';
import { eventBody, locationBody, visitorBody } from '../sent.ts';
import type { Body } from '../service.ts';
import { until } from '../until.ts';
import { startReceiver } from '../webhook-receiver.ts';
import type { Random } from './random.ts';
import { type Lie, type Recording, record } from './recording.ts';
import { type Found, Witness } from './witness.ts';

const EVENTS = '/v1/events';
const VISITORS = '/v1/event_check_in_records';
const WRITERS = 4;
const TOGETHER = 40;

export interface Recorded {
  readonly recording: Recording;
  readonly witness: Witness;
  /** The settings of a service over what a disk held. */
  settings(held: string): Readonly<Record<'DATABASE_URL' | 'SECRET_KEY_FILE', string>>;
}

/** An account, a key that may do everything, and a store on disk before anything is recorded. */
async function ground() {
  const root = join(ownFolder(), 'disk');
  mkdirSync(join(root, 'journal'), { recursive: true });
  const SECRET_KEY_FILE = secretKeyFile();
  const settings = (folder: string) => ({
    ...{ DATABASE_URL: `sqlite:${join(folder, 'data', 'ledgerstone.db')}`, SECRET_KEY_FILE },
    ...{ ERASURES_TO: join(folder, 'journal'), WEBHOOK_ALLOW: '127.0.0.0/8' },
  });
  const { DATABASE_URL } = settings(root);
  const store = await openStoreAlone(readSettings({}, { DATABASE_URL }), { create: true });
  try {
    const { unique_identifier: account } = await store.accounts.create({
      name: 'A',
      livemode: false,
    });
    const allowed = (...allow: string[]) =>
      issueKey(store.keys, false, { accounts: [account], allow } as never);
    const [{ secret }, { secret: officer }] = [await allowed('webhooks'), await allowed('erase')];
    return { root, settings, account, secret, officer };
  } finally {
    await store.close();
  }
}

interface At {
  readonly url: string;
}
type Ground = Awaited<ReturnType<typeof ground>>;

/** Upserts of several senders, one by one and many, and removals, while others read. */
export async function senders(
  { url }: At,
  witness: Witness,
  account: string,
  rounds: number,
  name = 'day',
): Promise<void> {
  const location = await witness.upsert(url, '/v1/locations', locationBody(account, name));
  const watching = new AbortController();
  const watched = witness.watch(url, watching.signal);
  const sender = async (who: number): Promise<void> => {
    const named = (at: number) => `${name} ${who} ${at}`;
    for (let at = 0; at < rounds; at++) {
      const more = { event_name: named(at) };
      const event = await witness.upsert(url, EVENTS, eventBody(location, named(at % 5), more));
      const visitor = await witness.upsert(url, VISITORS, visitorBody(event, named(at)));
      if (at % 5 !== 4) continue;
      const rows = await together(event, named(at));
      const asked = await witness.ask(url, 'DELETE', `${EVENTS}/${event}?cascade=true`);
      witness.note(`${EVENTS}/${event}`, asked, undefined);
      witness.note(`${VISITORS}/${visitor}`, asked, undefined);
      witness.claim(
        'the removal of a service takes all that is below it, or nothing',
        async ({ get, isAfter }) => {
          const statuses = await Promise.all(
            [`${EVENTS}/${event}`, ...[visitor, ...rows].map((id) => `${VISITORS}/${id}`)].map(
              async (path) => (await get(path)).status,
            ),
          );
          const all = new Set(statuses);
          assert.ok(all.size === 1 && (all.has(404) || !isAfter(asked.answered)), [...all].join());
        },
        asked.sent,
      );
    }
  };
  /** An array of which all is there, or nothing. */
  const together = async (event: string, of: string): Promise<readonly string[]> => {
    const rows = Array.from({ length: TOGETHER }, (_, at) => visitorBody(event, `${of} row ${at}`));
    const asked = await witness.ask(url, 'POST', `${VISITORS}/upsert_many?atomic=true`, rows);
    const made = idsOf(asked.body);
    assert.equal(made.length, TOGETHER);
    witness.claim(
      'all rows of an array are there, or none',
      async ({ get }) => {
        const { body } = await get(`${VISITORS}?event_unique_identifier=${event}&limit=100`);
        const there = idsOf(body).filter((id) => made.includes(id)).length;
        assert.ok([0, TOGETHER].includes(there), `${there} of ${TOGETHER} rows are there`);
      },
      asked.sent,
    );
    return made;
  };
  try {
    await Promise.all(Array.from({ length: WRITERS }, (_, who) => sender(who)));
  } finally {
    watching.abort();
    await watched;
  }
}

function idsOf({ data = [] }: Body): string[] {
  return data.flatMap((one: Body) => one.unique_identifier ?? one.record?.unique_identifier ?? []);
}

/** An import by file, of which some rows are refused, and its undoing. */
async function imported({ url }: At, witness: Witness): Promise<void> {
  const rows = Array.from({ length: 60 }, (_, at) => `imported ${at},${at % 20 === 0 ? '' : 'A'}`);
  const file = `external_identifier,location_name\n${rows.join('\n')}\n`;
  const headers = { 'Content-Type': 'text/csv' };
  const upload = await witness.ask(url, 'POST', '/v1/uploads?name=a.csv', file, { headers });
  const asked = { upload: upload.body.unique_identifier, resource: 'locations' };
  const done = await witness.ask(url, 'POST', '/v1/imports', asked);
  const path = `/v1/imports/${done.body.import}`;
  const there = async (get: Get) =>
    (await allOf(get, '/v1/locations')).filter((one) =>
      one.external_identifier?.startsWith('imported'),
    ).length;
  const undo = await witness.ask(url, 'POST', `${path}/undo`, { dry_run: false });
  assert.equal(undo.body.removed, 57, JSON.stringify(undo.body));
  witness.claim(
    'an import that was answered is there with all its rows until it is undone',
    async ({ get, isAfter }) => {
      assert.deepEqual((await get(path)).body.counts, done.body.counts);
      if (!isAfter(undo.sent)) assert.equal(await there(get), 57);
      else if (isAfter(undo.answered)) assert.equal(await there(get), 0);
      const { body } = await get(`${path}/rejected`);
      assert.equal(body.rows, done.body.rejected);
    },
    done.answered,
  );
}

/** A sync that removes what was not sent, and its undoing. */
async function synced({ url }: At, witness: Witness, account: string): Promise<void> {
  const { body } = await witness.ask(
    url,
    'POST',
    '/v1/locations/upsert',
    locationBody(account, 'synced'),
  );
  const location: string = body.unique_identifier;
  const names = Array.from({ length: 30 }, (_, at) => `synced ${at}`);
  const rows = names.map((name) => eventBody(location, name));
  await witness.ask(url, 'POST', `${EVENTS}/upsert_many`, rows);
  const begun = await witness.ask(url, 'POST', '/v1/syncs', {
    resource: 'event',
    location,
    at_most: '100%',
  });
  const path = `/v1/syncs/${begun.body.unique_identifier}`;
  const headers = { 'Ledgerstone-Sync': begun.body.unique_identifier };
  await witness.ask(url, 'POST', `${EVENTS}/upsert`, rows[0] as object, { headers });
  const state = async () => (await witness.ask(url, 'GET', path)).body.status;
  const list = `${EVENTS}?location_unique_identifier=${location}`;
  const there = async (get: Get) => (await allOf(get, list)).length;
  const settled = (get: Get, as: string) => until(async () => (await get(path)).body.status === as);
  const finish = await witness.ask(url, 'POST', `${path}/finish`, {});
  await until(async () => (await state()) === 'finished');
  const finished = witness.place;
  const undo = await witness.ask(url, 'POST', `${path}/undo`);
  await until(async () => (await state()) === 'undone');
  const undone = witness.place;
  witness.claim(
    'a sync that was finished removes all that was not sent, and its undoing brings all back',
    async ({ get, isAfter }) => {
      const { status } = (await get(path)).body;
      if (isAfter(undo.answered)) await settled(get, 'undone');
      else if (isAfter(finish.answered) && !isAfter(undo.sent)) await settled(get, 'finished');
      else if (!isAfter(finish.sent)) assert.equal(status, 'open');
      if (isAfter(undone) || isAfter(undo.answered)) assert.equal(await there(get), names.length);
      else if (isAfter(finished) && !isAfter(undo.sent)) assert.equal(await there(get), 1);
      else if (!isAfter(finish.sent)) assert.equal(await there(get), names.length);
    },
    begun.answered,
  );
}

/** An erasure of people, which its journal tells of in two folders. */
async function erased({ url }: At, witness: Witness, { account, officer }: Ground): Promise<void> {
  const location = await witness.upsert(url, '/v1/locations', locationBody(account, 'erased'));
  const event = await witness.upsert(url, EVENTS, eventBody(location, 'erased'));
  const records = await Promise.all(
    ['Ida', 'Leo'].map((name) =>
      witness.upsert(
        url,
        VISITORS,
        visitorBody(event, name, { visitor_full_name: `${name} Quill` }),
      ),
    ),
  );
  const as = { as: officer };
  const begun = await witness.ask(url, 'POST', '/v1/erasures', { account, records }, as);
  const path = `/v1/erasures/${begun.body.unique_identifier}`;
  const run = await witness.ask(url, 'POST', `${path}/run`, { records }, as);
  const isDone = async () =>
    (await witness.ask(url, 'GET', path, undefined, as)).body.status === 'done';
  await until(isDone);
  const done = { sent: run.sent, answered: witness.place };
  for (const id of records) witness.noteErased(`${VISITORS}/${id}`, done);
  const refused = async ({ get }: Found) => {
    for (const id of records) assert.equal((await get(`${VISITORS}/${id}`)).status, 410);
  };
  witness.claim('an erasure that is done stays so', refused);
  witness.claimFiles('an erasure that is done is in the journal', (held) => {
    const lines = readFileSync(join(held, 'journal', 'erasures.ndjson'), 'utf8');
    for (const id of records) assert.ok(lines.includes(`"${id}"`), `${id} is not in the journal`);
  });
}

type Get = Found['get'];

async function allOf(get: Get, path: string): Promise<Body[]> {
  const { body } = await get(`${path}${path.includes('?') ? '&' : '?'}limit=100`);
  assert.equal(body.has_more, false, 'they fit in one page');
  return body.data;
}

/** What the service says of how far its folder of backups is, as the folder is restored. */
async function backedUp(
  service: RunningService,
  witness: Witness,
  { SECRET_KEY_FILE }: { readonly SECRET_KEY_FILE: string },
): Promise<void> {
  const printed = await service.printed(/"address":"[^"]+\/metrics"/);
  const [, url = ''] = /"address":"([^"]+\/metrics)"/.exec(printed) ?? [];
  const text = await (await fetch(url)).text();
  const asked = Date.now();
  const [, lag] = /^ledgerstone_backup_lag_seconds\{[^}]*\} (\S+)$/m.exec(text) ?? [];
  assert.ok(lag !== undefined, 'the folder has been written to');
  const shows = asked - 1_000 * Number(lag) - 1_000;
  witness.claimFiles(
    'the folder of backups can be restored, up to what was said of it',
    async (held) => {
      const DATABASE_URL = `sqlite:${join(ownFolder(), 'restored.db')}`;
      const restored = { DATABASE_URL, SECRET_KEY_FILE };
      const { taken_at } = await programIn(ownFolder(), restored).json<{ taken_at: string }>(
        ...['restore', join(held, 'moments')],
      );
      assert.ok(Date.parse(taken_at) >= shows - 1_000, `it shows ${taken_at}`);
    },
  );
}

/** All of it. */
export async function recordDay(rounds: number): Promise<Recorded> {
  const on = await ground();
  const { root, account, settings } = on;
  const recording = record(root);
  const witness = new Witness(recording.now, on.secret);
  const receiver = await startReceiver();
  receiver.answer = ({ id }) => {
    witness.told(id);
    return 200;
  };
  const env = {
    ...{ ...settings(root), ...recording.env, METRICS_PORT: '0' },
    ...{ BACKUP_TO: join(root, 'moments'), BACKUP_EVERY: '1s' },
  };
  const cwd = ownFolder();
  const start = () => startProcess({ cwd, env });
  let service = await start();
  const { url } = service;
  await witness.ask(url, 'POST', '/v1/webhook_endpoints', {
    url: receiver.url,
    notifications: ['event.*'],
  });
  await senders(service, witness, account, rounds);
  await imported(service, witness);
  await synced(service, witness, account);
  await erased(service, witness, on);
  await until(
    async () => existsSync(join(root, 'moments')) && readFollowed(join(root, 'moments')).length > 1,
  );
  await backedUp(service, witness, settings(root));
  await service.stop();
  service = await start();
  await senders(service, witness, account, 5, 'after a start');
  await service.stop('SIGKILL');
  service = await start();
  await senders(service, witness, account, 5, 'after a kill');
  await service.stop();
  // Services over what the disk held go on with what was begun there, and tell of it.
  receiver.answer = () => 200;
  recording.wantAll();
  return { recording, witness, settings };
}

/** The senders alone, on a disk that lies. */
export async function recordLies(lie: Lie): Promise<Recorded> {
  const { root, account, secret, settings } = await ground();
  const recording = record(root, lie);
  const witness = new Witness(recording.now, secret);
  const service = await startProcess({ cwd: root, env: { ...settings(root), ...recording.env } });
  await senders(service, witness, account, 5);
  await service.stop('SIGKILL');
  return { recording, witness, settings };
}

/**
 * Has the power fail at so many moments: half of them when something was answered or shown just now, the others anywhere.
 * Gives how much was compared.
 */
export async function failPower(
  { recording, witness, settings }: Recorded,
  count: number,
  random: Random,
): Promise<number> {
  const answers = witness.places;
  const steps = recording.places();
  const places = Array.from({ length: count }, (_, at) =>
    at % 2 === 0
      ? (answers[random.below(answers.length)] ?? 0)
      : (steps[random.below(steps.length)] ?? 0),
  );
  let compared = 0;
  for (const { at, held } of recording.moments(places, random)) {
    try {
      compared += await witness.checkFiles(at, held);
      const path = join(held, 'data', 'ledgerstone.db');
      const service = await serveHere({ cwd: held, env: settings(held) });
      try {
        compared += await witness.check(at, held, service.url);
      } finally {
        await service.stop();
      }
      const database = new DatabaseSync(path);
      const [says] = database.prepare('PRAGMA integrity_check').all();
      database.close();
      assert.equal(says?.integrity_check, 'ok');
    } catch (cause) {
      throw new Error(
        `The power failed at ${at} of ${recording.now()}: ${(cause as Error).message}`,
        { cause },
      );
    }
  }
  return compared;
}
