/** Records go when a rule says so, and others do not: what is held, spared or young stays, and a wrong clock removes nothing. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { beforeEach, describe, it, mock } from 'node:test';
import type { StoredRetentionRun } from '../../../src/features/retention/declares.ts';
import { keyed } from '../../support/secret-key.ts';
import { visitorBody } from '../../support/sent.ts';
import type { Body } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { refused, world } from '../../support/world.ts';

const DAY = 86_400_000;

describe('Retention rules', () => {
  let location: string;
  const clock = { now: Date.parse('2027-01-10T12:00:00Z') };
  let count = 0;

  const ago = (days: number) => `${new Date(clock.now - days * DAY).toISOString().slice(0, 19)}Z`;
  const serviceOf = (days: number, at = location) => {
    count += 1;
    const more = { location_unique_identifier: at, event_datetime: ago(days) };
    return on.funeral(`record ${count}`, more);
  };
  const visitOf = ({ unique_identifier: event_unique_identifier }: Body, more: object = {}) => {
    count += 1;
    return on.visit(`record ${count}`, { event_unique_identifier, ...more });
  };
  const change = (path: string, { unique_identifier }: Body, members: object) =>
    on.ok(`/v1/${path}/${unique_identifier}`, members, service.key, 'PATCH');
  const isThere = async (path: string, { unique_identifier }: Body) =>
    (await service.get(`/v1/${path}/${unique_identifier}`)).status === 200;
  const PATH = '/v1/retention_rules';
  const ruling = (more: object) => ({
    ...{ account: on.account, resource: 'event_check_in_record', after_days: 1095 },
    ...{ since: 'event_datetime', basis: 'policy', ...more },
  });
  const rule = (more: object) => on.ok(PATH, ruling(more), on.officer);
  const pathOf = ({ unique_identifier }: Body) => `${PATH}/${unique_identifier}`;
  const act = (one: Body, what: string) =>
    service.send('POST', `${pathOf(one)}/${what}`, { key: on.officer });
  const acted = async (one: Body, what: string): Promise<Body> => {
    const { status, body, text } = await act(one, what);
    assert.equal(status, 200, text);
    return body;
  };
  const enable = (one: Body) => acted(one, 'enable');
  const lacksPreview = async (one: Body) =>
    refused(await act(one, 'enable'), 409, 'preview_missing');
  const read = (one: Body) => on.read(pathOf(one));
  const previewed = async (one: Body): Promise<Body> => {
    await acted(one, 'preview');
    await until(async () => (await read(one)).preview.status === 'ready');
    return (await read(one)).preview;
  };
  const enabled = async (more: object): Promise<Body> => {
    const made = await rule(more);
    await previewed(made);
    return enable(made);
  };
  const runs = async (one: Body): Promise<Body[]> => (await on.read(`${pathOf(one)}/runs`)).data;
  const ran = async (one: Body, many = 1): Promise<Body> => {
    await until(async () => {
      const all = await runs(one);
      return all.length >= many && all[0]?.status !== 'running';
    });
    return (await runs(one))[0] as Body;
  };
  /** A run of a rule, as a process that works notes it. */
  const putRun = (rule: string, more: Partial<StoredRetentionRun> = {}) =>
    service.app.store.retention.putRun({
      ...{ unique_identifier: `rtr_of_${rule}`, rule, account: on.account, status: 'running' },
      ...{ stopped_because: null, expected: 9, goes: 9, removed: 0, held: 0, spared: 0, soon: 0 },
      ...{ began_at: clock.now, ended_at: null, enabled_at: clock.now, progress: null, ...more },
    });
  const going = (...records: readonly Body[]) =>
    records.map(({ unique_identifier: record }) => {
      return { resource: 'event_check_in_record', record, version: 1 };
    });
  const move = async (ms: number) => {
    clock.now += ms;
    await service.app.store.noteTime(clock.now);
  };

  const now = () => clock.now;
  const on = world({ now, settings: keyed() }, () =>
    putRun('ret_old', { status: 'done', began_at: 1, ended_at: 2, enabled_at: 0 }),
  );
  const { service } = on;
  beforeEach(async () => {
    count += 1;
    location = await service.location(`Home ${count}`);
  });

  it('begin paused, count what would go, and run once they are enabled', async () => {
    const old = await serviceOf(1200);
    const going = [await visitOf(old), await visitOf(old)];
    const spared = await visitOf(old, { visitor_interested_in_pre_planning: true });
    const older = await visitOf(await serviceOf(1800));
    const soon = await visitOf(await serviceOf(1080));
    const young = await visitOf(await serviceOf(20));
    const unless = { visitor_interested_in_pre_planning: true };
    const made = await rule({ location, unless, at_least_days: 90 });
    assert.deepEqual([made.status, made.preview, made.last_run], ['paused', null, null]);
    await lacksPreview(made);
    const preview = await previewed(made);
    assert.deepEqual(preview, {
      ...{ status: 'ready', at: ago(0), goes: 3, held: 0, spared: 1, below: {}, soon: 1 },
      counts: [
        { year: 2022, location, goes: 1, held: 0, spared: 0 },
        { year: 2023, location, goes: 2, held: 0, spared: 1 },
      ],
    });
    // An old preview is none.
    clock.now += 2 * DAY;
    await lacksPreview(made);
    clock.now -= 2 * DAY;
    assert.equal((await enable(made)).status, 'enabled');
    const run = await ran(made);
    assert.deepEqual(
      [run.status, run.expected, run.goes, run.removed, run.held, run.spared, run.soon],
      ['done', 4, 3, 3, 0, 1, 1],
    );
    for (const one of [...going, older]) assert.ok(!(await isThere('event_check_in_records', one)));
    for (const one of [spared, soon, young])
      assert.ok(await isThere('event_check_in_records', one));
    assert.ok(await isThere('events', old), 'the service stays');
    const { last_run } = await read(made);
    assert.deepEqual([last_run.status, last_run.removed], ['done', 3]);
  });

  it('say what is wrong with them', async () => {
    const faults = async (more: object) => {
      const { status, body } = await service.json(PATH, ruling(more), { key: on.officer });
      const all = body.error.errors ?? [body.error];
      return [status, ...all.map((one: Body) => `${one.code} ${one.param}`)];
    };
    assert.deepEqual(await faults({ location: 'loc_x' }), [404, 'resource_missing location']);
    const reply = { resource: 'direct_mail_reply' };
    assert.deepEqual(await faults(reply), [400, 'value_invalid since']);
    assert.deepEqual(
      await faults({ at_least_days: 2000, unless: { visitor_interested_in_pre_planing: true } }),
      [
        400,
        'value_invalid at_least_days',
        'parameter_unknown unless.visitor_interested_in_pre_planing',
      ],
    );
    assert.deepEqual(await faults({ unless: {} }), [400, 'value_invalid unless']);
  });

  it('are paused by a change, listed, and deleted', async () => {
    const made = await enabled({ location });
    assert.equal((await enable(made)).status, 'enabled', 'again does nothing');
    await ran(made);
    const path = pathOf(made);
    const body = { after_days: 900, location: null, at_least_days: 30 };
    const changed = await on.ok(path, body, on.officer, 'PATCH');
    assert.deepEqual([changed.status, changed.after_days], ['paused', 900]);
    assert.deepEqual([changed.preview, changed.location], [null, null]);
    assert.deepEqual([changed.basis, changed.at_least_days], ['policy', 30]);
    await lacksPreview(made);
    assert.deepEqual((await on.read(`${PATH}?limit=1`)).data, [await read(made)]);
    const { body: gone } = await service.send('DELETE', path, { key: on.officer });
    assert.equal(gone.deleted, true);
    assert.equal((await service.get(path, { key: on.officer })).status, 404);
  });

  it('remove services with all that belongs to them, or leave all of it', async () => {
    const event = await serviceOf(500);
    const below = [await visitOf(event), await visitOf(event)];
    const administrator = await on.ok('/v1/event_administrators/upsert', {
      ...{ event_unique_identifier: event.unique_identifier, external_identifier: 'one' },
      ...{ person_full_name: 'Leo Voss', person_phone_number: '+14155550101' },
    });
    const kept = await serviceOf(500);
    const held = await visitOf(kept);
    const free = await visitOf(kept);
    const hold = await on.place({ record: held.unique_identifier });
    const made = await rule({ location, resource: 'event', after_days: 400 });
    const { goes, held: holds, below: with_it } = await previewed(made);
    assert.deepEqual([goes, holds], [1, 1]);
    assert.deepEqual(with_it, { event_administrator: 1, event_check_in_record: 2 });
    await enable(made);
    const run = await ran(made);
    assert.deepEqual([run.status, run.removed, run.held], ['done', 4, 1]);
    assert.ok(!(await isThere('events', event)));
    assert.ok(!(await isThere('event_administrators', administrator)));
    for (const visit of below) assert.ok(!(await isThere('event_check_in_records', visit)));
    for (const visit of [held, free]) assert.ok(await isThere('event_check_in_records', visit));
    assert.ok(await isThere('events', kept));
    await on.release(hold.unique_identifier);
    await move(DAY);
    const next = await ran(made, 2);
    assert.deepEqual([next.status, next.goes, next.removed], ['done', 3, 3]);
    assert.ok(!(await isThere('events', kept)));
  });

  it('stop where twice as much would go, or the clock is far ahead, and remove nothing', async () => {
    const visits = [await visitOf(await serviceOf(300)), await visitOf(await serviceOf(300))];
    const made = await rule({ location, after_days: 200 });
    await previewed(made);
    for (let at = 0; at < 3; at += 1) visits.push(await visitOf(await serviceOf(300)));
    await enable(made);
    const run = await ran(made);
    assert.deepEqual(
      [run.status, run.stopped_because, run.expected, run.goes, run.removed],
      ['stopped', 'twice_the_preview', 2, 5, 0],
    );
    const stopped = await read(made);
    assert.deepEqual([stopped.status, stopped.stopped_because], ['stopped', 'twice_the_preview']);
    for (const visit of visits) assert.ok(await isThere('event_check_in_records', visit));
    assert.ok(((await service.app.store.retention.statuses()).get('stopped') ?? 0) > 0);
    // The first run after a clock has gone wrong.
    const later = await rule({ location, after_days: 250 });
    await previewed(later);
    await move(365 * DAY);
    await lacksPreview(later);
    await move(-365 * DAY);
    await enable(later);
    await ran(later);
    const young = await visitOf(await serviceOf(1));
    await move(365 * DAY);
    const ahead = await ran(later, 2);
    assert.deepEqual([ahead.stopped_because, ahead.removed], ['clock', 0]);
    assert.ok(await isThere('event_check_in_records', young));
    await move(-365 * DAY);
  });

  it('leave no run behind that was killed before its rule was paused, and remove nothing more', async () => {
    const event = await serviceOf(1200);
    const [first, second] = [await visitOf(event), await visitOf(event)];
    const { unique_identifier: id } = await rule({ location });
    // What the process had removed of the slice that it had begun.
    const path = `/v1/event_check_in_records/${first.unique_identifier}`;
    assert.equal((await service.send('DELETE', path)).status, 200);
    const progress = { place: null, going: going(first, second) };
    await putRun(id, { expected: 2, goes: 2, removed: 3, enabled_at: clock.now - 1, progress });
    const ended = await ran({ unique_identifier: id });
    assert.deepEqual([ended.status, ended.stopped_because], ['stopped', 'paused']);
    assert.equal(ended.removed, 4);
    assert.ok(await isThere('event_check_in_records', second));
  });

  it('spare what changed after it was planned, also where another process goes on', async () => {
    const event = await serviceOf(1200);
    const moved = await serviceOf(1200);
    const spares = { visitor_interested_in_pre_planning: true };
    const visits = {
      spared: await visitOf(event),
      young: await visitOf(moved),
      waiting: await visitOf(event),
      planned: await visitOf(event),
      corrected: await visitOf(event),
    };
    const made = await rule({ location, unless: spares });
    await previewed(made);
    // What the process had planned that was killed.
    const place = {
      unique_identifier: event.unique_identifier,
      key: event.event_datetime,
      child: visits.planned.unique_identifier,
    };
    await change('event_check_in_records', visits.corrected, { visitor_full_name: 'Ada' });
    await change('event_check_in_records', visits.spared, spares);
    await change('events', moved, { event_datetime: ago(1) });
    const { retention } = service.app.store;
    // Nobody ends the run before its rule is enabled.
    const abandoned = mock.method(retention, 'abandoned', async () => undefined);
    const progress = { place, going: going(visits.corrected, visits.planned) };
    await putRun(made.unique_identifier, { progress });
    await enable(made);
    abandoned.mock.restore();
    const ended = await ran(made);
    assert.deepEqual([ended.status, ended.removed, ended.spared], ['done', 2, 1]);
    for (const [name, one] of Object.entries(visits)) {
      const stays = name !== 'planned' && name !== 'waiting';
      assert.equal(await isThere('event_check_in_records', one), stays, name);
    }
  });

  it('spare what belongs to a service that moves in the middle of a run', async () => {
    for (const resource of ['event_check_in_record', 'event']) {
      const home = await service.location(`Moving ${resource}`);
      const [moving, staying] = [await serviceOf(1200, home), await serviceOf(1200, home)];
      const visits = [await visitOf(moving), await visitOf(moving)];
      const gone = await visitOf(staying);
      const { erasing } = service.app.store;
      const erase = erasing.erase.bind(erasing);
      let moved = false;
      const begun = mock.method(erasing, 'erase', async (some: Parameters<typeof erase>[0]) => {
        if (!moved) {
          moved = true;
          await change('events', moving, { event_datetime: ago(1) });
        }
        return erase(some);
      });
      const made = await enabled({ location: home, resource });
      const ended = await ran(made);
      begun.mock.restore();
      assert.equal(ended.status, 'done');
      for (const visit of visits) assert.ok(await isThere('event_check_in_records', visit));
      assert.ok(await isThere('events', moving));
      assert.ok(!(await isThere('event_check_in_records', gone)));
      const own = resource === 'event' ? 1 : 2;
      assert.deepEqual([ended.removed, ended.held, ended.spared], [3 - own, 0, own]);
    }
  });

  it('are stopped with the run that stops them', async () => {
    const made = await enabled({ location });
    const { unique_identifier: id } = made;
    await ran(made);
    const { retention } = service.app.store;
    const [last] = await retention.runs(id, '~', 1);
    assert.ok(last !== undefined);
    const because = { status: 'stopped', stopped_because: 'twice_the_preview' } as const;
    await retention.putRun({ ...last, ...because, enabled_at: last.enabled_at - 1 });
    assert.equal((await read(made)).status, 'enabled', 'it was enabled again since');
    await retention.putRun({ ...last, ...because });
    const { status, stopped_because } = await read(made);
    assert.deepEqual([status, stopped_because], ['stopped', 'twice_the_preview']);
  });

  it('leave what is removed for its own age removed, with nothing of it in the log', async () => {
    const MARK = 'Rumpelstilzchen';
    const event = await serviceOf(1);
    const sent = visitorBody(event.unique_identifier, `id of ${location}`);
    const path = '/v1/event_check_in_records/upsert';
    await on.ok(path, { ...sent, visitor_full_name: MARK });
    const visit = await on.ok(path, { ...sent, visitor_full_name: `${MARK} Two` });
    const made = await rule({ location, after_days: 1, since: 'updated_at' });
    await move(2 * DAY);
    await previewed(made);
    await enable(made);
    assert.equal((await ran(made)).removed, 1);
    const again = await service.json(path, { ...sent, visitor_full_name: MARK });
    refused(again, 410, 'record_erased');
    assert.match(again.body.error.message, /for its age/);
    const { data } = (await service.get('/v1/changes?limit=1000')).body;
    const last = data.filter((one: Body) => one.record === visit.unique_identifier).at(-1);
    assert.deepEqual([last.outcome, last.changed], ['deleted', []]);
    const { store } = service.app;
    const { unique_identifier: id } = made;
    await until(async () => (await store.erasing.progress(id)).left === 0);
    const snapshot = await store.snapshot();
    const changes: unknown[] = [];
    for await (const batch of snapshot.changes()) changes.push(...batch);
    await snapshot.close();
    assert.ok(!JSON.stringify(changes).includes(MARK));
    assert.deepEqual(await store.journal.unlisted(10), [], 'the journal has nothing of it');
  });

  it('are reported on for two years', async () => {
    const { retention } = service.app.store;
    await until(async () => (await retention.runs('ret_old', '~', 1)).length === 0);
  });
});
