/** Rules remove what a plain model of rules and holds says, no more and no less, however the clock moves; a release finishes. */
// needs: both stores with --all
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { resources } from '../../../src/core/registry.ts';
import { serve } from '../../../src/features/holds/serves.ts';
import type { StoredRecord } from '../../../src/store/promises/store.ts';
import { ALL } from '../../support/all.ts';
import { type Aging, AgingGrounds, DAY } from './aging.ts';

const STEPS = ALL ? 40 : 12;
/** Rules on visitors by their service and by when they came, on services, and one that only keeps. */
const BY_SERVICE = 300;
const BY_ARRIVAL = 200;
const SERVICES = 450;
const KEPT = 60;

interface Visit {
  readonly record: StoredRecord;
  readonly isSpared: boolean;
  readonly arrived: number;
}

interface Service {
  readonly record: StoredRecord;
  readonly location: StoredRecord;
  readonly date: number;
  readonly visits: readonly Visit[];
}

interface Held {
  readonly record: string;
  readonly until: number | null;
}

type Count = Record<'goes' | 'held' | 'spared', number>;

describe('Retention rules', () => {
  const grounds = new AgingGrounds();
  const { clock } = grounds;
  let world: Aging;
  let locations: readonly StoredRecord[];
  before(async () => {
    ({ world } = await grounds.make());
    locations = [await world.location('home'), await world.location('other')];
  });
  after(() => grounds.close());

  let seed = 11;
  const choose = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const pick = <T>(from: readonly T[]): T => from[choose(from.length)] as T;

  let services: readonly Service[] = [];
  const holds = new Map<string, Held>();
  let keeps = true;

  const idOf = ({ record }: { readonly record: StoredRecord }) => record.unique_identifier;
  const isOld = (at: number, days: number) => at <= clock.now - days * DAY;
  const isCovered = (...path: readonly string[]) =>
    [...holds.values()].some(({ record }) => record === world.account || path.includes(record));
  const placeOf = ({ location, record }: Service) => [
    location.unique_identifier,
    record.unique_identifier,
  ];
  const isHeldVisit = (of: Service, visit: Visit) =>
    isCovered(...placeOf(of), idOf(visit)) || (keeps && !isOld(visit.arrived, KEPT));
  const isHeldService = (of: Service) =>
    isCovered(...placeOf(of)) || of.visits.some((visit) => isHeldVisit(of, visit));

  /** What becomes of the records that are old enough for each rule. */
  function judged() {
    const all = services.flatMap((of) => of.visits.map((visit) => ({ of, visit })));
    const verdict = (isSpared: boolean, isHeld: boolean) =>
      isSpared ? 'spared' : isHeld ? 'held' : 'goes';
    const counted = (verdicts: readonly (keyof Count)[]): Count => ({
      goes: verdicts.filter((one) => one === 'goes').length,
      held: verdicts.filter((one) => one === 'held').length,
      spared: verdicts.filter((one) => one === 'spared').length,
    });
    const byService = all
      .filter(({ of }) => isOld(of.date, BY_SERVICE))
      .map(({ of, visit }) => [visit, verdict(visit.isSpared, isHeldVisit(of, visit))] as const);
    const byArrival = all
      .filter(({ of, visit }) => of.location === locations[0] && isOld(visit.arrived, BY_ARRIVAL))
      .map(({ of, visit }) => [visit, verdict(false, isHeldVisit(of, visit))] as const);
    const ofServices = services
      .filter(({ date }) => isOld(date, SERVICES))
      .map((of) => [of, verdict(false, isHeldService(of))] as const);
    const gone = new Set(
      [...byService, ...byArrival, ...ofServices].flatMap(([one, verdict]) =>
        verdict === 'goes' ? [idOf(one)] : [],
      ),
    );
    const left = services
      .filter((of) => !gone.has(idOf(of)))
      .map((of) => ({ ...of, visits: of.visits.filter((visit) => !gone.has(idOf(visit))) }));
    const counts = [byService, byArrival, ofServices].map((one) =>
      counted(one.map(([, verdict]) => verdict)),
    );
    return { left, counts };
  }

  let made = 0;
  async function add(): Promise<void> {
    made += 1;
    const [name, days, location] = [`service ${made}`, choose(600), pick(locations)];
    const patch = { event_name: name, event_datetime: world.ago(days) };
    const outcome = await world.send('event', location, name, patch);
    // It would go at once.
    if (outcome.outcome === 'erased') return assert.ok(days >= SERVICES);
    assert.ok('record' in outcome);
    const { record } = outcome;
    const visits: Visit[] = [];
    for (let left = choose(4); left > 0; left -= 1) {
      const isSpared = choose(3) === 0;
      const wants = { visitor_interested_in_pre_planning: isSpared };
      const sent = { visitor_full_name: 'Ida', public_data: wants };
      const visit = await world.send('event_check_in_record', record, `visit ${left}`, sent);
      if ('record' in visit) visits.push({ record: visit.record, isSpared, arrived: clock.now });
      else assert.ok(days >= BY_SERVICE && !isSpared);
    }
    const date = clock.now - days * DAY;
    services = [...services, { record, location, date, visits }];
  }

  it('remove exactly what the model of them does, and all of it once holds are released', async () => {
    const { service: desk } = serve({ store: world.store, resources, now: () => clock.now });
    const VISIT = 'event_check_in_record';
    const unless = { visitor_interested_in_pre_planning: true };
    const [home] = locations;
    const byArrival = { since: 'inserted_at', location: home?.unique_identifier ?? null } as const;
    const rules = [
      await world.rule({ resource: VISIT, after_days: BY_SERVICE, unless }),
      await world.rule({ resource: VISIT, after_days: BY_ARRIVAL, ...byArrival }),
      await world.rule({ resource: 'event', after_days: SERVICES }),
    ];
    const keeping = await world.rule({
      ...{ resource: VISIT, since: 'inserted_at', after_days: 1_000, at_least_days: KEPT },
    });
    const run = async (): Promise<void> => {
      for (const rule of rules) await world.desk.pause(world.officer, rule);
      const { left, counts } = judged();
      for (const [at, rule] of rules.entries()) {
        const { goes, held, spared } = await world.preview(rule);
        assert.deepEqual({ goes, held, spared }, counts[at], `preview ${at}`);
      }
      for (const rule of rules) await world.desk.enable(world.officer, rule);
      await world.settle();
      for (const rule of rules) assert.equal((await world.lastRun(rule)).status, 'done');
      const those = services.flatMap((of) => [of.record, ...of.visits.map((one) => one.record)]);
      const stays = new Set(left.flatMap((of) => [idOf(of), ...of.visits.map(idOf)]));
      for (const one of those)
        assert.equal(await world.isThere(one), stays.has(one.unique_identifier));
      services = left;
    };
    for (let count = 0; count < 10; count += 1) await add();
    for (let step = 0; step < STEPS; step += 1) {
      for (let count = choose(3); count > 0; count -= 1) await add();
      const places = services.flatMap((of) => [...placeOf(of), ...of.visits.map(idOf)]);
      const record =
        choose(12) === 0 ? world.account : pick([...places, idOf({ record: pick(locations) })]);
      const until = pick([null, clock.now + choose(60) * DAY + 1]);
      if (choose(2) === 0) {
        const hold = { account: world.account, record, matter: 'Case', reason: null, until };
        const { unique_identifier: id } = await desk.place(world.officer, hold);
        holds.set(id, { record, until });
      }
      const [first] = holds.keys();
      if (first !== undefined && choose(3) === 0) {
        await desk.release(world.officer, first, 'over');
        holds.delete(first);
      }
      clock.now += (1 + choose(25)) * DAY;
      await desk.lapse();
      for (const [id, { until }] of holds)
        if (until !== null && until <= clock.now) holds.delete(id);
      await run();
    }
    assert.ok(holds.size > 0 && services.length > 0);
    for (const id of holds.keys()) await desk.release(world.officer, id, 'over');
    holds.clear();
    await world.desk.remove(world.officer, keeping);
    keeps = false;
    clock.now += DAY;
    await run();
    assert.deepEqual(
      judged().counts.map(({ goes, held }) => [goes, held]),
      [
        [0, 0],
        [0, 0],
        [0, 0],
      ],
    );
  });
});
