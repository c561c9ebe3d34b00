/** Retention rules and all that meets them: other rules, erasures, restores, other accounts and processes. */
// needs: both stores with --all, waits
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { EachAccount } from '../../../src/core/each-account.ts';
import { resources } from '../../../src/core/registry.ts';
import { previewing } from '../../../src/features/retention/serves/work.ts';
import { ended } from '../../../src/services/jobs.ts';
import type { StoredRecord } from '../../../src/store/promises/store.ts';
import { until } from '../../support/until.ts';
import { type Aging, AgingGrounds, DAY } from './aging.ts';

const VISIT = 'event_check_in_record';

describe('A retention rule', () => {
  let grounds: AgingGrounds;
  let made: Awaited<ReturnType<AgingGrounds['make']>>;
  let world: Aging;
  let home: StoredRecord;

  beforeEach(async () => {
    grounds = new AgingGrounds();
    made = await grounds.make();
    world = made.world;
    home = await world.location();
  });
  afterEach(() => grounds.close());

  const visits = async (at: StoredRecord, count: number, of = world) => {
    const found: StoredRecord[] = [];
    for (let one = 0; one < count; one += 1)
      found.push(await of.visit(at, `visit ${one} of ${at.external_identifier}`));
    return found;
  };
  const areThere = (records: readonly StoredRecord[], of = world) =>
    Promise.all(records.map((one) => of.isThere(one)));

  it('counts each record once, also where one is removed meanwhile', async () => {
    const service = await world.event(home, 'old', 400);
    const records = await visits(service, 250);
    const rule = await world.rule({ resource: VISIT });
    await world.desk.preview(world.officer, rule);
    const counting = previewing({ store: world.store, resources }, rule);
    await counting.next();
    // Half of them are on the first page, with its last one.
    for (const record of records.slice(40, 60)) assert.equal(await world.erase(record), 'erased');
    await ended(counting);
    const { preview } = await world.desk.find(world.officer, rule);
    assert.deepEqual([preview?.status, preview?.goes], ['ready', 240]);
  });

  it('lets what it removed be sent again where somebody says so, also once it is deleted', async () => {
    const service = await world.event(home, 'service', 10);
    const [one, two, three] = await visits(service, 3);
    assert.ok(one && two && three);
    world.clock.now += 20 * DAY;
    const rule = await world.enabled({ resource: VISIT, since: 'inserted_at', after_days: 5 });
    await world.settle();
    const again = async ({ external_identifier: id }: StoredRecord) => {
      const patch = { visitor_full_name: 'Ida' };
      return (await world.send(VISIT, service, id ?? '', patch)).outcome;
    };
    for (const record of [one, two, three]) assert.equal(await again(record), 'erased');
    const lift = (records?: readonly string[], of = world) =>
      of.desk.lift(of.officer, rule, records);
    const neighbor = await made.neighbor();
    await assert.rejects(lift(undefined, neighbor), { code: 'resource_missing' });
    // One of them is erased at the request of its person meanwhile: that has the last word.
    assert.equal(await world.erase(three), 'erased');
    const some = [one.unique_identifier, three.unique_identifier, 'ecr_other'];
    assert.equal((await lift(some)).lifted, 1);
    assert.deepEqual(
      [await again(one), await again(two), await again(three)],
      ['created', 'erased', 'erased'],
    );
    await world.desk.remove(world.officer, rule);
    assert.equal(await again(two), 'erased', 'deleting it lifts nothing');
    const { lifted, has_more } = await lift();
    assert.deepEqual([lifted, has_more], [1, false]);
    assert.deepEqual([await again(two), await again(three)], ['created', 'erased']);
    await assert.rejects(lift(), { code: 'resource_missing' }, 'nothing is left of it');
  });

  it('removes what a person asks to erase later, and the journal tells of it', async () => {
    const service = await world.event(home, 'service', 400);
    const [marked, unmarked] = await visits(service, 2);
    assert.ok(marked && unmarked);
    const { erasing, journal } = world.store;
    const aging = { resource: VISIT, account: world.account, by: 'ret_1', erasure: 'ret_1' };
    for (const [aged, { unique_identifier: record }] of [
      ['marked', marked],
      ['unmarked', unmarked],
    ] as const)
      assert.deepEqual(await erasing.erase([{ ...aging, record, aged }]), ['erased']);
    assert.deepEqual(await journal.unlisted(10), []);
    world.clock.now += 1_000;
    for (let time = 0; time < 2; time += 1) {
      assert.equal(await world.erase(marked), 'erased');
      // It may be sent again: nothing would know it.
      assert.equal(await world.erase(unmarked), 'missing');
    }
    const [told, ...others] = await journal.unlisted(10);
    assert.deepEqual(others, []);
    assert.deepEqual(
      [told?.record, told?.erasure, told?.erased_at, await journal.listedUpTo('ers_1')],
      [marked.unique_identifier, 'ers_1', world.clock.now, undefined],
    );
    while (await erasing.forget());
    assert.deepEqual(await erasing.progress('ers_1'), { erased: 1, left: 0 });
    assert.deepEqual(await erasing.progress('ret_1'), { erased: 0, left: 0 });
  });

  it('removes a redacted service with all below it, and who was erased stays erased', async () => {
    const service = await world.event(home, 'service', 400);
    const below = await visits(service, 70);
    assert.equal(await world.erase(service, 'event'), 'erased');
    const [first] = below;
    assert.ok(first);
    assert.equal(await world.erase(first), 'erased');
    const rule = await world.enabled({ resource: 'event', since: 'inserted_at', after_days: 1 });
    world.clock.now += 2 * DAY;
    await world.settle();
    const run = await world.lastRun(rule);
    assert.deepEqual([run.status, run.goes, run.removed], ['done', 70, 70]);
    assert.deepEqual(new Set(await areThere([service, ...below])), new Set([false]));
    const known = await world.store.erasing.find(
      [service.unique_identifier, first.unique_identifier],
      [world.account],
    );
    assert.deepEqual([...new Set(known.map(({ erasure }) => erasure))], ['ers_1']);
    assert.equal((await world.store.journal.unlisted(10)).length, 2);
    const { outcome } = await world.send('event', home, 'service', { event_name: 'Again' });
    assert.equal(outcome, 'erased');
    assert.equal((await world.desk.lift(world.officer, rule, undefined)).lifted, 69);
    assert.equal((await world.send('event', home, 'service', {})).outcome, 'erased');
  });

  it('runs again after a restore of an older backup', async () => {
    const service = await world.event(home, 'service', 295);
    const records = await visits(service, 3);
    const rule = await world.enabled({ resource: VISIT });
    await world.settle();
    assert.equal((await world.lastRun(rule)).removed, 0);
    const old = await grounds.copy(world);
    world.clock.now += 7 * DAY;
    await world.settle();
    assert.equal((await world.lastRun(rule)).removed, 3);
    assert.deepEqual(await areThere(records, old), [true, true, true]);
    await old.settle();
    assert.equal((await old.lastRun(rule)).removed, 3);
    assert.deepEqual(await areThere(records, old), [false, false, false]);
    const sent = await old.send(VISIT, service, 'new', { visitor_full_name: 'Ida' });
    assert.equal(sent.outcome, 'erased');
  });

  it('waits for no other account, and one that fails for none: each removes a little in turn', async () => {
    const rules: string[] = [];
    for (let at = 0; at < 3; at += 1) {
      const service = await world.event(home, `service ${at}`, 400 + at);
      await visits(service, 120);
      rules.push(await world.rule({ resource: VISIT, after_days: 400 + at }));
    }
    for (const rule of rules) await world.preview(rule);
    for (const rule of rules) await world.desk.enable(world.officer, rule);
    const neighbor = await made.neighbor();
    const service = await neighbor.event(await neighbor.location(), 'theirs', 400);
    const [theirs] = await visits(service, 1, neighbor);
    const other = await neighbor.rule({ resource: VISIT });
    const failing = await made.neighbor();
    const whole = await neighbor.store.retention.find(other);
    assert.ok(whole && theirs);
    for (const counting_since of [null, 1])
      await world.store.retention.add({
        ...{ ...whole, account: failing.account, resource: 'nothing', status: 'enabled' },
        ...{ unique_identifier: `ret_broken_${counting_since}`, counting_since },
      });
    // Another process than the one that counted.
    world.clock.now += 60_000;
    let [removed, before, failed] = [0, 0, 0];
    const count = () => {
      removed += 1;
    };
    const [previews, runs] = world.work(count, () => {
      assert.ok(removed <= before + 5, 'it pauses after five at the latest');
      before = removed;
      return 0;
    });
    const fail = ({ account }: { readonly account: string }) => {
      assert.equal(account, failing.account);
      failed += 1;
    };
    for (const jobs of [previews, runs])
      jobs?.watched(new EachAccount('retention', { failed: fail }));
    let done = false;
    const work = async (jobs: typeof runs) => {
      while (!done) {
        await jobs?.resume();
        await turn();
      }
    };
    const working = [work(previews)];
    const soon = async (is: () => Promise<boolean>) => {
      while (!(await is())) await turn();
    };
    await neighbor.desk.preview(neighbor.officer, other);
    const isReady = async () =>
      (await neighbor.desk.find(neighbor.officer, other)).preview?.status === 'ready';
    await soon(isReady);
    await neighbor.desk.enable(neighbor.officer, other);
    working.push(work(runs));
    await soon(async () => (await neighbor.runs(other))[0]?.status === 'done');
    assert.ok(!(await neighbor.isThere(theirs)));
    assert.ok(removed < 360, 'the others are not through');
    await soon(async () => {
      const all = await Promise.all(rules.map((rule) => world.runs(rule)));
      return all.every(([run]) => run?.status === 'done');
    });
    done = true;
    await Promise.all(working);
    assert.equal(removed, 361);
    assert.ok(failed > 0);
  });

  it('refuses new records in every process within seconds, and none once it is paused', async () => {
    const service = await world.event(home, 'service', 400);
    const there = await made.another();
    let sent = 0;
    const sends = async (): Promise<string> => {
      sent += 1;
      const patch = { visitor_full_name: 'Ida' };
      return (await there.send('event_check_in_record', service, `${sent}`, patch)).outcome;
    };
    assert.equal(await sends(), 'created');
    const rule = await world.enabled({ resource: 'event_check_in_record' });
    await until(async () => (await sends()) === 'erased');
    await world.desk.pause(world.officer, rule);
    await until(async () => (await sends()) === 'created');
  });

  it('is run by one process of several', async () => {
    const second = await made.another();
    // On SQLite the processes of a machine have agreed before.
    if (second.store.processes === 'one') return;
    const service = await world.event(home, 'service', 400);
    const records = await visits(service, 60);
    const rule = await world.enabled({ resource: VISIT });
    // What counted the preview was another process, too.
    world.clock.now += 60_000;
    let removed = 0;
    const count = (): void => {
      removed += 1;
    };
    await Promise.all([world.settle(world.work(count)), second.settle(second.work(count))]);
    assert.equal(removed, 60);
    assert.deepEqual(new Set(await areThere(records)), new Set([false]));
    const [run, ...others] = await world.runs(rule);
    assert.deepEqual([run?.status, run?.removed, others.length], ['done', 60, 0]);
  });
});
