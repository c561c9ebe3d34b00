/** Records, erasures, holds, retention, syncs, undoing and a restore of yesterday's backup do together what a page of plain code says. */
// needs: both stores with --all, program, long
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import fc from 'fast-check';
import { createLog } from '../../src/core/observe/log.ts';
import { ALL } from '../support/all.ts';
import { programIn } from '../support/cli-program.ts';
import { type Answer, type Body, type Service, startService } from '../support/service.ts';
import { serviceGround, storeEnv } from '../support/service-ground.ts';
import type { Ground } from '../support/store-world.ts';
import { until } from '../support/until.ts';
import { House, type Known, OLD, type Sender } from './house.ts';

const RUNS = ALL ? 60 : 5;
const LONGEST_MS = ALL ? 600_000 : 240_000;
const longest = { timeout: LONGEST_MS + 60_000 };
const EVENTS = '/v1/events';
const VISITS = '/v1/event_check_in_records';
const log = createLog('silent');
/** Rules of retention judge services by today. */
const YEAR = new Date().getUTCFullYear();

/** A service of its own, whose store is replaced by a restored one. */
class Real {
  readonly #folder = mkdtempSync(join(tmpdir(), 'ledgerstone house '));
  readonly #secret = join(this.#folder, 'secret-key');
  readonly #journal = join(this.#folder, 'journal');
  #ground: Ground | undefined;
  #service: Service | undefined;
  #backups = 0;
  /** As made first: a restored store has them, too. */
  account = '';
  location = '';
  keys: Record<Sender | 'officer' | 'keeper', string> = {
    ...{ county: '', tablet: '', officer: '', keeper: '' },
  };

  async begin(): Promise<void> {
    mkdirSync(this.#journal);
    writeFileSync(this.#secret, `${randomBytes(32).toString('base64')}\n`);
    this.#ground = await serviceGround();
    const service = await this.#start();
    const key = async (name: string, more = {}) => (await service.newKey({ name, ...more })).secret;
    this.account = service.account.unique_identifier;
    this.location = await service.location();
    this.keys = {
      county: await key('County'),
      tablet: await key('Tablet'),
      officer: await key('Officer', { permissions: ['read'], allow: ['erase'] }),
      keeper: await key('Keeper', { permissions: ['read'], allow: ['hold'] }),
    };
  }

  async #start(): Promise<Service> {
    const settings = { secret_key_file: this.#secret, erasures_to: this.#journal };
    this.#service = await startService({ ground: this.#ground as Ground, settings, log });
    return this.#service;
  }

  send(method: string, path: string, key: string, body?: object, headers = {}): Promise<Answer> {
    const service = this.#service as Service;
    const type = { 'Content-Type': 'application/json', ...headers };
    return body === undefined
      ? service.send(method, path, { key, headers })
      : service.send(method, path, { key, headers: type, body: JSON.stringify(body) });
  }

  async ok(method: string, path: string, key: string, body?: object, headers = {}): Promise<Body> {
    const answer = await this.send(method, path, key, body, headers);
    assert.equal(answer.status, 200, `${method} ${path} ${answer.text}`);
    return answer.body;
  }

  /** The names of all that is there, by identifier. */
  async there(): Promise<ReadonlyMap<string, string>> {
    const all = await Promise.all(
      [EVENTS, VISITS].map((path) => this.ok('GET', `${path}?limit=1000`, this.keys.county)),
    );
    return new Map(
      all.flatMap(({ data }) =>
        data.map((one: Body) => [one.unique_identifier, one.event_name ?? one.visitor_full_name]),
      ),
    );
  }

  /** How many lifts the copy of the journal has. */
  lifted(): number {
    const text = readFileSync(join(this.#journal, 'erasures.ndjson'), 'utf8');
    return text.split('"did":"lifted"').length - 1;
  }

  #program(ground: Ground) {
    const env = { ...storeEnv(ground), SECRET_KEY_FILE: this.#secret, ERASURES_TO: this.#journal };
    return programIn(this.#folder, env);
  }

  async backUp(): Promise<string> {
    this.#backups += 1;
    const file = join(this.#folder, `${this.#backups}.backup`);
    const { code, stderr } = await this.#program(this.#ground as Ground).run('backup', file);
    assert.equal(code, 0, stderr);
    return file;
  }

  async restore(file: string): Promise<void> {
    await this.#service?.stop();
    await this.#ground?.remove();
    this.#ground = await serviceGround();
    const { code, stderr } = await this.#program(this.#ground).run('restore', file);
    assert.equal(code, 0, stderr);
    await this.#start();
    await until(async () => (await this.send('GET', '/readyz', '')).status === 200);
  }

  async end(): Promise<void> {
    await this.#service?.stop();
    await this.#ground?.remove();
    rmSync(this.#folder, { recursive: true });
  }
}

/** The house, and yesterday's. */
interface Model {
  house: House;
  yesterday: { readonly house: House; readonly file: string } | undefined;
}

/** One thing that is done to both. `at` chooses among what there is. */
abstract class Does implements fc.AsyncCommand<Model, Real> {
  readonly #at: number;
  readonly says: string;

  constructor(at: number, more = '') {
    this.#at = at;
    this.says = `${this.constructor.name}(${at}${more})`;
  }

  protected one<T>(from: readonly T[]): T | undefined {
    return from[this.#at % Math.max(1, from.length)];
  }

  check(model: Readonly<Model>): boolean {
    return this.can(model.house);
  }

  protected can(_house: House): boolean {
    return true;
  }

  async run(model: Model, real: Real): Promise<void> {
    await this.does(model.house, real, model);
    const { house } = model;
    const names = new Map(house.there().map(({ id, name }) => [id, name]));
    const sorted = (map: ReadonlyMap<string, string>) => [...map].sort();
    await until(async () => {
      const all: Body = await real.ok('GET', '/v1/erasures?open=true', real.keys.officer);
      return all.data.every(({ status }: Body) => status !== 'running');
    });
    assert.deepEqual(sorted(await real.there()), sorted(names), this.says);
  }

  abstract does(house: House, real: Real, model: Model): Promise<void>;

  toString(): string {
    return this.says;
  }
}

class UpsertService extends Does {
  readonly #key: string;
  readonly #name: string;

  constructor(key: string, name: string) {
    super(0, ` ${key} ${name}`);
    this.#key = key;
    this.#name = name;
  }

  async does(house: House, real: Real): Promise<void> {
    const answer = await real.send('POST', `${EVENTS}/upsert`, real.keys.county, {
      ...{ location_unique_identifier: real.location, external_identifier: this.#key },
      ...{
        event_name: this.#name,
        event_datetime: `${YEAR + (this.#key === OLD ? -9 : 1)}-03-20T14:30:00Z`,
      },
    });
    const isNew = house.named(this.#key, undefined) === undefined;
    const isRefused = isNew && house.isRefused(this.#key);
    assert.equal(answer.status, isRefused ? 410 : 200, answer.text);
    if (!isRefused)
      house.upsert(answer.body.unique_identifier, this.#key, undefined, this.#name, 'county');
  }
}

class UpsertVisitor extends Does {
  readonly #visitor: string;
  readonly #name: string;
  readonly #by: Sender;

  constructor(at: number, visitor: string, name: string, by: Sender) {
    super(at, ` ${visitor} ${name} ${by}`);
    this.#visitor = visitor;
    this.#name = name;
    this.#by = by;
  }

  protected override can(house: House): boolean {
    return house.known.some(({ parent }) => parent === undefined);
  }

  async does(house: House, real: Real): Promise<void> {
    const parent = this.one(house.known.filter((one) => one.parent === undefined)) as Known;
    const key = `${parent.key}/${this.#visitor}`;
    const answer = await real.send('POST', `${VISITS}/upsert`, real.keys[this.#by], {
      ...{ event_unique_identifier: parent.id, external_identifier: this.#visitor },
      ...{ visitor_full_name: this.#name, visitor_phone_number: '+14155550100' },
    });
    const isThere = parent.state === 'there';
    const isNew = house.named(key, parent) === undefined;
    const isRefused = isNew && (house.isRefused(key) || house.isPast(parent));
    const wanted = isThere ? [isRefused ? 410 : 200] : [404, 410];
    assert.ok(wanted.includes(answer.status), `${wanted} ${answer.text}`);
    if (answer.status === 200)
      house.upsert(answer.body.unique_identifier, key, parent, this.#name, this.#by);
  }
}

class Delete extends Does {
  readonly #cascade: boolean;

  constructor(at: number, cascade: boolean) {
    super(at, ` ${cascade}`);
    this.#cascade = cascade;
  }

  protected override can(house: House): boolean {
    return house.there().length > 0;
  }

  async does(house: House, real: Real): Promise<void> {
    const one = this.one(house.there()) as Known;
    const path = `${one.parent === undefined ? EVENTS : VISITS}/${one.id}`;
    const answer = await real.send('DELETE', `${path}?cascade=${this.#cascade}`, real.keys.county);
    const hasBelow = !this.#cascade && house.below(one).length > 0;
    const stays = house.isHeldBelow(one) || hasBelow;
    assert.equal(answer.status, stays ? 409 : 200, answer.text);
    if (stays) return;
    const id = answer.headers.get('Ledgerstone-Removal') ?? '';
    house.removals.push({ id, by: 'removals', of: house.remove(one) });
  }
}

class Undo extends Does {
  protected override can(house: House): boolean {
    return house.removals.length > 0;
  }

  async does(house: House, real: Real): Promise<void> {
    const removal = this.one(house.removals) as (typeof house.removals)[number];
    const back = house.undo(removal);
    if (removal.by === 'syncs') {
      let done: Body;
      await until(async () => {
        done = await real.ok('POST', `/v1/syncs/${removal.id}/undo`, real.keys.county);
        return done.status === 'undone';
      });
      return;
    }
    const path = `/v1/removals/${removal.id}/restore`;
    const answer = await real.send('POST', path, real.keys.county);
    assert.ok(
      answer.status === 200 ? answer.body.restored === back : answer.status === 404 && back === 0,
      `${back} ${answer.text}`,
    );
  }
}

class Hold extends Does {
  async does(house: House, real: Real): Promise<void> {
    const on = this.one([undefined, ...house.there()]);
    const hold = { account: real.account, record: on?.id, matter: 'Case' };
    const { unique_identifier: id } = await real.ok('POST', '/v1/holds', real.keys.keeper, hold);
    house.holds.push({ id, on });
  }
}

class Release extends Does {
  protected override can(house: House): boolean {
    return house.holds.length > 0;
  }

  async does(house: House, real: Real): Promise<void> {
    const hold = this.one(house.holds) as (typeof house.holds)[number];
    const path = `/v1/holds/${hold.id}/release`;
    await real.ok('POST', path, real.keys.keeper, { reason: 'over' });
    house.holds = house.holds.filter((one) => one !== hold);
    house.goOn();
    await settled(house, real);
  }
}

class Erase extends Does {
  protected override can(house: House): boolean {
    return this.#among(house).length > 0;
  }

  #among(house: House): readonly Known[] {
    const waiting = new Set(house.waiting.values());
    return house.known.filter(
      (one) => one.state !== 'erased' && !one.isSealed && !waiting.has(one),
    );
  }

  async does(house: House, real: Real): Promise<void> {
    const one = this.one(this.#among(house)) as Known;
    const records = [one.id];
    const { officer } = real.keys;
    const about = { account: real.account, records };
    const { unique_identifier: id } = await real.ok('POST', '/v1/erasures', officer, about);
    await real.ok('POST', `/v1/erasures/${id}/run`, officer, { records });
    house.erase(id, one);
    await settled(house, real);
  }
}

class Lift extends Does {
  protected override can(house: House): boolean {
    return house.erased.length > 0;
  }

  async does(house: House, real: Real): Promise<void> {
    const { erasure, one } = this.one(house.erased) as (typeof house.erased)[number];
    const path = `/v1/erasures/${erasure}/lift`;
    await real.ok('POST', path, real.keys.officer, { record: one.id });
    house.lift(one);
    // The copy of the journal follows: a lift is answered before.
    await until(
      () => real.lifted() === house.journal.filter(({ does }) => does === 'lifted').length,
    );
  }
}

/** A new rule in place of the last one removes the visitors of old services, and refuses new ones. */
class Retain extends Does {
  async does(house: House, real: Real): Promise<void> {
    const { officer } = real.keys;
    const rules = '/v1/retention_rules';
    if (house.rule !== undefined) await real.ok('DELETE', `${rules}/${house.rule.id}`, officer);
    const wanted = { resource: 'event_check_in_record', after_days: 365, since: 'event_datetime' };
    const rule = { account: real.account, basis: 'Policy', ...wanted };
    const { unique_identifier: id } = await real.ok('POST', rules, officer, rule);
    await real.ok('POST', `${rules}/${id}/preview`, officer);
    await until(async () => {
      const { preview } = await real.ok('GET', `${rules}/${id}`, officer);
      return preview?.status === 'ready';
    });
    await real.ok('POST', `${rules}/${id}/enable`, officer);
    await until(async () => {
      const { data } = await real.ok('GET', `${rules}/${id}/runs`, officer);
      return data[0]?.status === 'done';
    });
    house.retain(id);
  }
}

class Pause extends Does {
  protected override can({ rule }: House): boolean {
    return rule?.isEnabled === true;
  }

  async does({ rule }: House, real: Real): Promise<void> {
    assert.ok(rule !== undefined);
    await real.ok('POST', `/v1/retention_rules/${rule.id}/pause`, real.keys.officer);
    rule.isEnabled = false;
  }
}

/** A sync of all visitors of the location, which sends every other one of those that are there. */
class Sync extends Does {
  async does(house: House, real: Real): Promise<void> {
    const { county } = real.keys;
    const about = { resource: 'event_check_in_record', location: real.location, at_most: '100%' };
    const { unique_identifier: id } = await real.ok('POST', '/v1/syncs', county, about);
    const own = house.there(({ parent, madeBy }) => parent !== undefined && madeBy === 'county');
    const isOdd = this.one([0, 1]) === 1;
    const sent = own.filter((_, at) => (at % 2 === 1) === isOdd);
    const rows = sent.map(({ parent, key, name }) => ({
      ...{ event_unique_identifier: parent?.id, external_identifier: key.split('/')[1] },
      ...{ visitor_full_name: name, visitor_phone_number: '+14155550100' },
    }));
    if (rows.length > 0)
      await real.ok('POST', `${VISITS}/upsert_many`, county, rows, { 'Ledgerstone-Sync': id });
    const finish = () => real.ok('POST', `/v1/syncs/${id}/finish`, county, {});
    let done = await finish();
    await until(async () => {
      if (done.status === 'finishing') done = await finish();
      return done.status !== 'finishing';
    });
    const left = house.left(sent);
    const gone = left.filter((one) => one.changedBy === 'county' && !house.isHeld(one));
    const counts = gone.length === 0 ? {} : { event_check_in_record: gone.length };
    assert.deepEqual([done.removed, done.left_count], [counts, left.length - gone.length]);
    for (const one of gone) house.remove(one);
    if (gone.length > 0) house.removals.push({ id, by: 'syncs', of: gone });
  }
}

class BackUp extends Does {
  async does(house: House, real: Real, model: Model): Promise<void> {
    model.yesterday = { house: house.copy(), file: await real.backUp() };
  }
}

class Restore extends Does {
  override check({ yesterday }: Readonly<Model>): boolean {
    return yesterday !== undefined;
  }

  async does(house: House, real: Real, model: Model): Promise<void> {
    const { house: before, file } = model.yesterday as NonNullable<Model['yesterday']>;
    await real.restore(file);
    model.house = before.copy();
    model.house.setBackFrom(house);
    await settled(model.house, real);
  }
}

/** Until erasures have gone as far as the model's have. */
async function settled(house: House, real: Real): Promise<void> {
  await until(async () => {
    const { status, text, body } = await real.send(
      'GET',
      '/v1/erasures?open=true',
      real.keys.officer,
    );
    // What was erased since is erased again first, and requests are to be sent again meanwhile.
    if (status === 503 && body.error.code === 'store_set_back') return false;
    assert.equal(status, 200, text);
    const open = body.data.map((one: Body) => one.unique_identifier).sort();
    return `${open}` === `${[...house.waiting.keys()].sort()}`;
  });
}

it('what is there follows the model, whatever is done in whatever order', longest, async () => {
  const at = fc.nat(11);
  const name = fc.constantFrom('Ann', 'Ben');
  const visitor = fc.constantFrom('visitor 1', 'visitor 2');
  const by = fc.constantFrom<Sender[]>('county', 'county', 'tablet');
  const service = fc
    .tuple(fc.constantFrom('case 1', 'case 2'), name)
    .map((one) => new UpsertService(...one));
  const visit = fc.tuple(at, visitor, name, by).map((one) => new UpsertVisitor(...one));
  const removal = fc.tuple(at, fc.boolean()).map((one) => new Delete(...one));
  const erasure = at.map((one) => new Erase(one));
  const undoing = at.map((one) => new Undo(one));
  const commands = [
    ...[service, visit, visit, removal, removal, erasure, erasure, undoing, undoing],
    ...[Hold, Release, Lift, Retain, Pause, Sync].map((Does) => at.map((one) => new Does(one))),
    fc.constant(0).map((one) => new BackUp(one)),
    fc.constant(0).map((one) => new Restore(one)),
  ];
  const first = [
    ...['case 1', 'case 2'].map((key) => new UpsertService(key, 'Ann')),
    ...[0, 1].flatMap((at) => [
      new UpsertVisitor(at, 'visitor 1', 'Ann', 'county'),
      new UpsertVisitor(at, 'visitor 2', 'Ann', at === 0 ? 'county' : 'tablet'),
    ]),
  ];
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { size: 'max', maxCommands: 30 }), async (all) => {
      const real = new Real();
      try {
        await real.begin();
        const model: Model = { house: new House(), yesterday: undefined };
        await fc.asyncModelRun(() => ({ model, real }), [...first, ...all]);
      } finally {
        await real.end();
      }
    }),
    {
      numRuns: RUNS,
      endOnFailure: process.env.TEST_SHRINK === undefined,
      interruptAfterTimeLimit: LONGEST_MS,
    },
  );
});
