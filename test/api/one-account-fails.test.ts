/**
 * The error of one account is that account's alone: of three, one fails at each kind of background work that the metrics
 * name. The others go on, the log says once which one failed and at what, and when its error is gone it is as the others
 * are.
 */
// needs: both stores, waits
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { ownTables } from '../../src/core/objects/tables/all.ts';
import { importRun } from '../../src/features/imports/declares/import-run.ts';
import { ask } from '../support/ask.ts';
import { keptLog } from '../support/kept-log.ts';
import { scrape } from '../support/scrape.ts';
import { keyed } from '../support/secret-key.ts';
import { visitorBody } from '../support/sent.ts';
import { type Body, type Service, startService } from '../support/service.ts';
import { serviceGround } from '../support/service-ground.ts';
import type { Ground } from '../support/store-world.ts';
import { until } from '../support/until.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** How long the log keeps changes. */
const KEPT_DAYS = 10;
const RIGHTS = ['erase', 'follow_up', 'hold', 'requests', 'sources', 'webhooks'];

/** An account with an event, and a key that may do all of this. */
interface Home {
  readonly account: string;
  readonly location: string;
  readonly event: string;
  readonly key: string;
  /** The unique identifier of the key. */
  readonly by: string;
  readonly own: Service;
  readonly receiver: Receiver;
  /** The webhook endpoint of that receiver. */
  readonly endpoint: string;
}

interface Work {
  /** As the log calls it; `undefined`: it drops what is never accepted, and so does not come back to it. */
  readonly work?: string;
  /** What no longer works for the account: a write of its rows, or what is said here. */
  readonly table?: string;
  readonly on?: string;
  /** Only such a row. */
  readonly where?: string;
  /** How much later it is to be done. */
  readonly laterMs?: number;
  /** How much later each look is: work that looks from time to time goes by the clock. */
  readonly eachMs?: number;
  spoil?(home: Home): Promise<unknown>;
  /** Said of the account meanwhile. */
  meanwhile?(home: Home): Promise<unknown>;
  mend?(): Promise<unknown>;
  /** What the work is about; gives how to look whether it was done. */
  begin(home: Home): Promise<() => Promise<boolean>>;
}

const { log, lines } = keptLog();
const clock = { now: Date.parse('2027-01-13T15:00:00Z') };
let ground: Ground;
let service: Service;
let homes: readonly Home[];
let count = 0;

const ok = async (home: Home, method: string, path: string, body?: object): Promise<Body> => {
  const { key } = home;
  const headers = { 'Content-Type': 'application/json' };
  const sent = body === undefined ? { key } : { key, headers, body: JSON.stringify(body) };
  let answer = await service.send(method, path, sent);
  // As every client does: what was erased is erased again first.
  while (answer.body?.error?.code === 'store_set_back')
    answer = await service.send(method, path, sent);
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
};
const visit = (home: Home, more: object = {}): Promise<Body> => {
  count += 1;
  const body = visitorBody(home.event, `visitor ${count}`, more);
  return ok(home, 'POST', '/v1/event_check_in_records/upsert', body);
};
/** Erases the record of that visitor; gives the erasure. */
const erase = async (home: Home, record: string): Promise<string> => {
  const { account } = home;
  const made = await ok(home, 'POST', '/v1/erasures', { account, records: [record] });
  const path = `/v1/erasures/${made.unique_identifier}`;
  const { status } = await ok(home, 'POST', `${path}/run`, { records: [record] });
  assert.notEqual(status, 'ready');
  return path;
};
const rows = async (table: string, where: string): Promise<number> =>
  Number((await ask(ground.url, `SELECT count(*) AS n FROM ${table} WHERE ${where}`))[0].n);

/** A job that cannot be begun. */
const jobOf = (kind: string) =>
  ({ work: kind, table: 'job', on: 'INSERT', where: `NEW.kind = '${kind}'` }) as const;

const WORKS: readonly Work[] = [
  {
    work: 'follow-ups',
    ...{ table: 'follow_up_reader', on: 'UPDATE' },
    async begin(home) {
      const { unique_identifier } = await visit(home, { visitor_interested_in_pre_planning: true });
      const path = `/v1/follow_ups?record=${unique_identifier}`;
      return async () => (await ok(home, 'GET', path)).data.length === 1;
    },
  },
  {
    work: 'webhooks',
    ...{ table: 'webhook_delivery', on: 'INSERT' },
    async begin(home) {
      const { unique_identifier } = await visit(home);
      const noted = `endpoint = '${home.endpoint}' AND record = '${unique_identifier}'`;
      return async () =>
        home.receiver.received.some(({ text }) => text.includes(unique_identifier)) &&
        (await rows('webhook_delivery', noted)) > 0;
    },
  },
  {
    work: 'search',
    /** From now on what it stores cannot be read. */
    async spoil({ location }) {
      const where = `NEW.anchor = '${location}'`;
      const does = isSqlite()
        ? `AFTER INSERT ON event_check_in_record FOR EACH ROW WHEN ${where} BEGIN
            UPDATE event_check_in_record SET document = 'spoilt' WHERE rowid = NEW.rowid; END`
        : `BEFORE INSERT ON event_check_in_record FOR EACH ROW WHEN (${where})
            EXECUTE FUNCTION this_row_is_spoilt()`;
      await ask(ground.url, `CREATE TRIGGER this_fails ${does}`);
    },
    async mend() {
      await takeRows('event_check_in_record');
      const mended = `UPDATE event_check_in_record SET document = '{}' WHERE document = 'spoilt'`;
      await ask(ground.url, mended);
    },
    async begin(home) {
      await visit(home);
      const accounts = [home.account];
      return async () => {
        const { building, since } = await service.app.store.search.lag(accounts);
        return building === 0 && since === undefined;
      };
    },
  },
  {
    work: 'erased records',
    ...{ table: 'erased', on: 'UPDATE OF unforgotten' },
    async begin(home) {
      const { account } = home;
      const { unique_identifier: record } = await visit(home);
      const made = await ok(home, 'POST', '/v1/erasures', { account, records: [record] });
      const path = `/v1/erasures/${made.unique_identifier}`;
      const running = ok(home, 'POST', `${path}/run`, { records: [record] });
      running.catch(() => undefined);
      return async () => (await ok(home, 'GET', path)).status === 'done';
    },
  },
  {
    work: 'retention_preview',
    ...{ table: 'job', on: 'INSERT' },
    async begin(home) {
      const { account } = home;
      const rule = {
        account,
        resource: 'event_check_in_record',
        after_days: 400,
        since: 'inserted_at',
        basis: 'Policy',
      };
      const made = await ok(home, 'POST', '/v1/retention_rules', rule);
      const path = `/v1/retention_rules/${made.unique_identifier}`;
      await ok(home, 'POST', `${path}/preview`);
      return async () => (await ok(home, 'GET', path)).preview?.status === 'ready';
    },
  },
  {
    work: 'systems that read changes',
    ...{ table: 'follower', on: 'INSERT' },
    async begin(home) {
      const { position } = await ok(home, 'GET', '/v1/changes');
      await ok(home, 'GET', `/v1/changes?starting_after=${position}`);
      return async () => (await rows('follower', `of_account = '${home.account}'`)) > 0;
    },
  },
  {
    ...{ table: 'refused_request', on: 'INSERT' },
    async begin(home) {
      const { key } = home;
      const { status } = await service.json('/v1/events/upsert', { nothing: 1 }, { key });
      assert.equal(status, 400);
      return async () => (await ok(home, 'GET', '/v1/requests')).data.length > 0;
    },
  },
  {
    ...{ table: 'request_activity', on: 'INSERT' },
    async begin(home) {
      await visit(home);
      return async () => (await ok(home, 'GET', '/v1/activity')).data.length > 0;
    },
  },
  {
    work: 'ended claims',
    ...{ table: 'follow_up', on: 'UPDATE', laterMs: 25 * HOUR },
    async begin(home) {
      const { unique_identifier: record } = await visit(home);
      const made = await ok(home, 'POST', '/v1/follow_ups', { record });
      const path = `/v1/follow_ups/${made.unique_identifier}`;
      return async () => (await ok(home, 'GET', path)).owner === null;
    },
  },
  {
    work: 'claims of those who may not go on',
    ...{ table: 'follow_up', on: 'UPDATE' },
    async begin(home) {
      const { unique_identifier: record } = await visit(home);
      const left = await home.own.newKey({ allow: ['follow_up'] });
      const by = { ...home, key: left.secret };
      const made = await ok(by, 'POST', '/v1/follow_ups', { record });
      await service.app.store.keys.revoke(left.key.unique_identifier);
      const path = `/v1/follow_ups/${made.unique_identifier}`;
      return async () => (await ok(home, 'GET', path)).owner === null;
    },
  },
  {
    work: 'earlier cards of ticks',
    ...{ table: 'tick', on: 'UPDATE', where: 'NEW.walked IS NULL' },
    async begin(home) {
      count += 1;
      const name = `Home phone ${count}`;
      const card = { location_unique_identifier: home.location, external_identifier: name };
      const { unique_identifier } = await ok(home, 'POST', '/v1/direct_mail_replies/upsert', {
        ...{ ...card, image_urls: ['https://images.example.com/front.jpg'] },
        additional_metadata: { [name]: 'x' },
      });
      const ticks = async () => (await ok(home, 'GET', '/v1/ticks')).data as readonly Body[];
      const found = async () => (await ticks()).find((one) => one.name === name);
      await until(async () => (await found()) !== undefined);
      const { unique_identifier: tick } = (await found()) as Body;
      await ok(home, 'PATCH', `/v1/ticks/${tick}`, { meaning: 'call' });
      const path = `/v1/follow_ups?record=${unique_identifier}`;
      return async () => (await ok(home, 'GET', path)).data.length === 1;
    },
  },
  {
    work: 'learning what to expect',
    ...{ table: 'expectation', on: 'INSERT', laterMs: DAY, eachMs: 61_000 },
    async begin({ own, account, by: key }) {
      const anchor = await own.location(`learned ${++count}`);
      const last = Math.floor(clock.now / HOUR) * HOUR;
      const hours = Array.from({ length: 43 * 24 }, (_, ago) => last - ago * HOUR);
      const came = { account, key, anchor, resource: 'event', outcome: 'created', count: 1 };
      await service.app.store.requests.note(
        [],
        hours.map((hour) => ({ ...came, hour, last_at: hour })),
      );
      return async () => (await rows('expectation', `anchor = '${anchor}'`)) > 0;
    },
  },
  {
    work: 'silent sources',
    ...{ table: 'expectation', on: 'UPDATE', eachMs: 61_000 },
    async begin(home) {
      const { own, account, by } = home;
      const location = await own.location(`expected ${++count}`);
      const source = (await service.app.store.sources.of(account, [by])).get(by)?.unique_identifier;
      await ok(home, 'POST', '/v1/expectations', { source, location, hours: 'mon-sun 0-24' });
      await visit({ ...home, event: await own.event(location) });
      // It is written some seconds later; hours of this clock that pass before are not looked at again.
      await until(async () => (await rows('request_activity', `anchor = '${location}'`)) > 0);
      const isNew = `anchor = '${location}' AND state = 'new'`;
      return async () => (await rows('expectation', isNew)) === 0;
    },
  },
  {
    work: 'erased records sent again',
    ...{ table: 'erasure_note', on: 'INSERT', where: "NEW.kind = 'sent_again'" },
    async begin(home) {
      const { unique_identifier: record, external_identifier } = await visit(home);
      const path = await erase(home, record);
      const body = visitorBody(home.event, external_identifier);
      const { key } = home;
      const again = await service.json('/v1/event_check_in_records/upsert', body, { key });
      assert.equal(again.status, 410, again.text);
      return async () => (await ok(home, 'GET', path)).sent_again.length > 0;
    },
  },
  {
    work: 'systems told of erasures',
    ...{ table: 'erasure_note', on: 'UPDATE' },
    async begin(home) {
      const { position } = await ok(home, 'GET', '/v1/changes');
      const { unique_identifier: record } = await visit(home);
      await ok(home, 'GET', `/v1/changes?starting_after=${position}`);
      const follows = `of_account = '${home.account}' AND key = '${home.by}'`;
      await until(async () => (await rows('follower', follows)) > 0);
      const path = await erase(home, record);
      const { position: last } = await ok(home, 'GET', '/v1/changes');
      await ok(home, 'GET', `/v1/changes?starting_after=${last}`);
      return async () =>
        (await ok(home, 'GET', path)).consumers.some(
          (one: Body) => one.consumer === home.by && one.status === 'told',
        );
    },
  },
  {
    ...jobOf('sync'),
    async begin(home) {
      const sync = {
        ...{ resource: 'event_check_in_record', location: home.location, at_most: '100%' },
      };
      const { unique_identifier } = await ok(home, 'POST', '/v1/syncs', sync);
      const path = `/v1/syncs/${unique_identifier}`;
      await service.json(`${path}/finish`, {}, { key: home.key });
      return async () => (await ok(home, 'GET', path)).status === 'finished';
    },
  },
  {
    ...jobOf('import_undo'),
    async begin({ account }) {
      const { imports } = service.app.store;
      const unique_identifier = `imp_${`${++count}`.padStart(22, '0')}`;
      await imports.put({
        ...importRun.nulls,
        ...{ unique_identifier, fingerprint: unique_identifier, status: 'undoing', files: [] },
        ...{ accounts: [account], began: { [account]: null }, chunk: 1 },
        position: { file: 0, rows: 0, rejected: [] },
        counts: { created: 0, updated: 0, unchanged: 0, failed: 0 },
        ...{ inserted_at: clock.now, updated_at: clock.now },
      });
      return async () => (await imports.find(unique_identifier))?.status === 'undone';
    },
  },
  {
    ...jobOf('erasure'),
    async begin(home) {
      const { unique_identifier: record } = await visit(home);
      const erasure = { account: home.account, records: [record] };
      const made = await ok(home, 'POST', '/v1/erasures', erasure);
      const path = `/v1/erasures/${made.unique_identifier}`;
      await service.json(`${path}/run`, { records: [record] }, { key: home.key });
      return async () => (await ok(home, 'GET', path)).status === 'done';
    },
  },
  {
    ...jobOf('erasure_look'),
    async begin(home) {
      const person = { account: home.account, phone_numbers: ['+14155550199'] };
      const made = await ok(home, 'POST', '/v1/erasures', person);
      const path = `/v1/erasures/${made.unique_identifier}`;
      return async () => (await ok(home, 'GET', path)).looked === 'everywhere';
    },
  },
  {
    ...jobOf('retention_run'),
    async begin(home) {
      const { unique_identifier: rule } = await ok(home, 'POST', '/v1/retention_rules', {
        ...{ account: home.account, resource: 'event_check_in_record', after_days: 400 },
        ...{ since: 'inserted_at', basis: 'Policy' },
      });
      const path = `/v1/retention_rules/${rule}`;
      await ok(home, 'POST', `${path}/preview`);
      await until(async () => (await ok(home, 'GET', path)).preview?.status === 'ready');
      await ok(home, 'POST', `${path}/enable`);
      return async () => (await rows('retention_run', `rule = '${rule}' AND status = 'done'`)) > 0;
    },
  },
  {
    work: 'old changes',
    laterMs: (KEPT_DAYS + 2) * DAY,
    /** From now on its log keeps what is old. */
    async spoil({ account }) {
      const numbered = `SELECT number FROM account WHERE unique_identifier = '${account}'`;
      const its = isSqlite() ? `(${numbered})` : `'${account}'`;
      await refuse('change', 'DELETE', `OLD.account = ${its}`);
    },
    mend: () => takeRows('change'),
    async begin(home) {
      const { account } = home;
      const { log: changes } = service.app.store;
      const after = await changes.last(account);
      await visit(home);
      return async () => (await changes.read({ account, after, limit: 1, bytes: 1 })) === 'expired';
    },
  },
  {
    work: 'removed follow-ups',
    ...{ table: 'follow_up', on: 'DELETE', laterMs: (KEPT_DAYS + 2) * DAY },
    async begin(home) {
      const { unique_identifier: record } = await visit(home);
      await ok(home, 'POST', '/v1/follow_ups', { record });
      await ok(home, 'DELETE', `/v1/event_check_in_records/${record}`);
      const its = `record = '${record}'`;
      await until(async () => (await rows('follow_up', `${its} AND gone_at IS NULL`)) === 0);
      return async () => (await rows('follow_up', its)) === 0;
    },
  },
  {
    work: 'erasures',
    /** A hold of the account that cannot be read. */
    async spoil(home) {
      const { account, own } = home;
      const record = await own.location('of another case');
      await ok(home, 'POST', '/v1/holds', { account, record, matter: 'Another' });
    },
    async mend() {
      const mended = `UPDATE hold SET above = '[]', released_at = 1 WHERE above = 'spoilt'`;
      await ask(ground.url, mended);
    },
    async begin(home) {
      const { account } = home;
      const { unique_identifier: record } = await visit(home);
      const hold = await ok(home, 'POST', '/v1/holds', { account, record, matter: 'A case' });
      const path = await erase(home, record);
      const { status, unique_identifier } = await ok(home, 'GET', path);
      assert.equal(status, 'waiting');
      const spoilt = `UPDATE hold SET above = 'spoilt'
        WHERE account = '${account}' AND matter = 'Another'`;
      await ask(ground.url, spoilt);
      await ok(home, 'POST', `/v1/holds/${hold.unique_identifier}/release`, { reason: 'Closed' });
      const its = `unique_identifier = '${unique_identifier}' AND status = 'done'`;
      return async () => (await rows('erasure', its)) > 0;
    },
  },
  {
    work: 'journal of erasures',
    ...{ table: 'erased', on: 'UPDATE OF line', where: 'OLD.line > 0' },
    /** As if the store had been set back to before the erasure. */
    async begin(home) {
      const { unique_identifier: record } = await visit(home);
      await erase(home, record);
      const its = `text LIKE '%${record}%'`;
      await until(async () => (await rows('erasure_journal', its)) > 0);
      await ask(ground.url, `UPDATE erasure_journal SET applied = false WHERE ${its}`);
      return async () => (await rows('erasure_journal', `${its} AND NOT applied`)) === 0;
    },
    /** It may still hold what was erased. */
    async meanwhile({ key }) {
      const answer = await service.get('/v1/event_check_in_records', { key });
      assert.deepEqual([answer.status, answer.body.error.code], [503, 'store_set_back']);
    },
  },
  {
    work: 'emptying',
    ...{ table: 'job', on: 'INSERT' },
    async begin({ account }) {
      await service.app.store.accounts.beginEmptying(account, false);
      return async () => {
        const all = await service.app.store.accounts.list();
        return all.find((one) => one.unique_identifier === account)?.becomes === null;
      };
    },
  },
];

const isSqlite = () => ground.url.startsWith('sqlite:');

/** From now on no such row of the account is written. */
function refuseRows({ account, endpoint }: Home, table: string, on: string, where = 'true') {
  const declared = ownTables.find((one) => one.table === table);
  assert.ok(declared, table);
  const ofAccount = declared.fields.account?.column ?? 'account';
  const [column, value] = declared.fields.endpoint ? ['endpoint', endpoint] : [ofAccount, account];
  const row = on === 'DELETE' ? 'OLD' : 'NEW';
  return refuse(table, on, `${row}.${column} = '${value}' AND ${where}`);
}

const refuse = (table: string, on: string, when: string) =>
  ask(
    ground.url,
    `CREATE TRIGGER this_fails BEFORE ${on} ON ${table} FOR EACH ROW WHEN (${when}) ${
      isSqlite()
        ? `BEGIN SELECT RAISE(ABORT, 'this row fails'); END`
        : 'EXECUTE FUNCTION this_row_fails()'
    }`,
  );

const takeRows = (table: string) =>
  ask(ground.url, isSqlite() ? 'DROP TRIGGER this_fails' : `DROP TRIGGER this_fails ON ${table}`);

describe('An account that fails', () => {
  before(async () => {
    ground = await serviceGround();
    const settings = { ...keyed(), metrics_port: '0', history_days: `${KEPT_DAYS}` };
    service = await startService({ ground, log, settings, now: () => clock.now });
    if (!isSqlite())
      await ask(
        ground.url,
        `CREATE FUNCTION this_row_fails() RETURNS trigger LANGUAGE plpgsql
          AS $$ BEGIN RAISE EXCEPTION 'this row fails'; END $$`,
        `CREATE FUNCTION this_row_is_spoilt() RETURNS trigger LANGUAGE plpgsql
          AS $$ BEGIN NEW.document := 'spoilt'; RETURN NEW; END $$`,
      );
    homes = await Promise.all(
      [0, 1, 2].map(async (): Promise<Home> => {
        const own = await service.another();
        const account = own.account.unique_identifier;
        const location = await own.location();
        const event = await own.event(location);
        const issued = await own.newKey({ allow: RIGHTS });
        const { secret: key } = issued;
        const by = issued.key.unique_identifier;
        await service.app.store.sources.assign(account, by, 'Tablet');
        const receiver = await startReceiver();
        const home = { account, location, event, key, by, own, receiver, endpoint: '' };
        const made = await ok(home, 'POST', '/v1/webhook_endpoints', { url: receiver.url });
        await ok(home, 'GET', '/v1/follow_ups');
        return { ...home, endpoint: made.unique_identifier };
      }),
    );
    // The first in every order.
    homes = homes.toSorted((one, other) => (one.account < other.account ? -1 : 1));
  });

  it('is proved for all work that goes through accounts', async () => {
    const line = lines.find(({ msg }) => msg === 'metrics');
    const scraped = await scrape(String(line?.address));
    const shown = scraped.samples('ledgerstone_account_failures_total');
    assert.deepEqual(
      shown.map(({ labels }) => labels.work).toSorted(),
      WORKS.flatMap(({ work }) => work ?? []).toSorted(),
    );
  });

  for (const one of WORKS) {
    const { work, table, on, where, begin, spoil, mend, meanwhile, laterMs = 0, eachMs = 0 } = one;
    it(`holds up no other one: ${work ?? table}`, async () => {
      const [failing, ...others] = homes as [Home, ...Home[]];
      const { account } = failing;
      await spoil?.(failing);
      if (table !== undefined && on !== undefined) await refuseRows(failing, table, on, where);
      const about = (message: string) =>
        lines.filter(
          (line) =>
            String(line.msg).startsWith(message) && line.work === work && line.account === account,
        );
      const moved = (is: () => boolean | Promise<boolean>) =>
        until(() => {
          clock.now += eachMs;
          return is();
        });
      const beginOthers = async () => {
        const begun = await Promise.all(others.map((home) => begin(home)));
        clock.now += laterMs;
        return begun;
      };
      let its = async () => true;
      try {
        its = await begin(failing);
        for (const isDone of await beginOthers()) await moved(isDone);
        if (work !== undefined) {
          await moved(() => about('background work failed').length > 0);
          // Some rounds later it was tried again, and said nothing more.
          const more = await beginOthers();
          if (work !== 'emptying') for (const isDone of more) await moved(isDone);
          assert.equal(about('background work failed').length, 1);
          assert.equal(await its(), false);
          await meanwhile?.(failing);
        }
      } finally {
        await mend?.();
        if (table !== undefined) await takeRows(table);
      }
      if (work === undefined) return;
      await moved(its);
      await moved(() => about('background work of an account goes on').length === 1);
    });
  }
});
