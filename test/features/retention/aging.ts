/** Stores with the real resources, and retention rules that work a piece at a time: no service runs, and a test moves the clock. */
import assert from 'node:assert/strict';
import { resources, shapes } from '../../../src/core/registry.ts';
import type { JsonObject } from '../../../src/core/schema/values.ts';
import { createRetention } from '../../../src/features/retention/serves/work.ts';
import { createRetentionService, type WantedRule } from '../../../src/features/retention/serves.ts';
import { operatorOf } from '../../../src/records/auth/principal.ts';
import { createRefuseTooOld } from '../../../src/records/ingest/drafts.ts';
import { partsOf } from '../../../src/services/backup/parts.ts';
import { openStore } from '../../../src/store/open.ts';
import type { RefuseTooOld, Store, StoredRecord } from '../../../src/store/promises/store.ts';
import { backUp, restore } from '../../support/backups.ts';
import { serviceGround } from '../../support/service-ground.ts';
import { type Ground, newAccount, within, written } from '../../support/store-world.ts';

export const DAY = 86_400_000;
const parts = partsOf(resources);

export type Rule = Partial<WantedRule> & { readonly resource: string };

/** An account of a store, and what is done in it. */
export class Aging {
  readonly store: Store;
  readonly account: string;
  readonly desk: ReturnType<typeof createRetentionService>;
  readonly officer: ReturnType<typeof operatorOf>;
  readonly clock: { now: number };
  /** The process that does the work of all rules. */
  readonly worker: ReturnType<typeof createRetention>;
  readonly #refuseTooOld: RefuseTooOld;

  constructor(store: Store, account: string, clock: { now: number }) {
    this.store = store;
    this.account = account;
    this.clock = clock;
    this.#refuseTooOld = createRefuseTooOld(store, shapes, () => clock.now);
    this.desk = createRetentionService({
      ...{ store, resources, now: () => clock.now, isKeyed: true },
    });
    this.officer = operatorOf([account]);
    this.worker = this.work();
  }

  /** The text of the time that many days ago. */
  ago(days: number): string {
    return `${new Date(this.clock.now - days * DAY).toISOString().slice(0, 19)}Z`;
  }

  location(name = 'home'): Promise<StoredRecord> {
    const at = { unique_identifier: this.account, anchor: null };
    return this.put('location', at, name, {});
  }

  event(at: StoredRecord, name: string, days: number): Promise<StoredRecord> {
    return this.put('event', at, name, { event_name: name, event_datetime: this.ago(days) });
  }

  visit(at: StoredRecord, name: string, patch: JsonObject = {}): Promise<StoredRecord> {
    return this.put('event_check_in_record', at, name, { visitor_full_name: name, ...patch });
  }

  async put(...sent: Parameters<Aging['send']>): Promise<StoredRecord> {
    return written(await this.send(...sent)).record;
  }

  async send(
    resource: string,
    { unique_identifier: parent, anchor }: Pick<StoredRecord, 'unique_identifier' | 'anchor'>,
    external_identifier: string,
    patch: JsonObject,
  ) {
    const { shape } = resourceOf(resource);
    const place = { account: this.account, parent, anchor: anchor ?? undefined };
    const drafts = await this.#refuseTooOld([{ shape, ...place, external_identifier, patch }]);
    const [outcome] = await this.store.commit(drafts);
    assert.ok(outcome !== undefined);
    return outcome;
  }

  async isThere({ unique_identifier: id }: StoredRecord): Promise<boolean> {
    const { shape } = resources.find(({ prefix }) => id.startsWith(prefix)) ?? resourceOf('event');
    return (await this.store.find(shape, id, within(this.account))) !== undefined;
  }

  async rule({ resource, ...wanted }: Rule): Promise<string> {
    const made = await this.desk.make(this.officer, this.account, {
      ...{ location: null, after_days: 300, since: 'event_datetime', unless: null },
      ...{ at_least_days: null, basis: 'policy', resource, ...wanted },
    });
    return made.unique_identifier;
  }

  work(removed: (resource: string) => void = () => {}, pauseMs = () => 0) {
    return createRetention({
      ...{ store: this.store, resources, now: () => this.clock.now, isKeyed: true },
      ...{ holds: async () => true, removed, pauseMs },
    });
  }

  /** Until nothing is left to count or to run today. */
  async settle(worker = this.worker): Promise<void> {
    while ((await Promise.all(worker.map((one) => one.resume()))).includes(true));
  }

  async preview(rule: string) {
    await this.desk.preview(this.officer, rule);
    await this.settle();
    const { preview } = await this.desk.find(this.officer, rule);
    assert.equal(preview?.status, 'ready');
    return preview;
  }

  /** A rule that is enabled and has not run yet. */
  async enabled(rule: Rule): Promise<string> {
    const made = await this.rule(rule);
    await this.preview(made);
    await this.desk.enable(this.officer, made);
    return made;
  }

  runs(rule: string) {
    return this.desk.runs(this.officer, rule, undefined, 100);
  }

  async lastRun(rule: string) {
    const [run] = await this.runs(rule);
    assert.ok(run !== undefined);
    return run;
  }

  async erase({ unique_identifier: record }: StoredRecord, resource = 'event_check_in_record') {
    const request = { resource, account: this.account, record, erasure: 'ers_1', by: 'key_1' };
    return (await this.store.erasing.erase([request]))[0];
  }
}

function resourceOf(name: string) {
  const found = resources.find((one) => one.name === name);
  assert.ok(found !== undefined);
  return found;
}

/** Makes stores, and removes them with `close`. */
export class AgingGrounds {
  readonly #after: (() => Promise<void>)[] = [];
  readonly clock = { now: Date.parse('2027-01-10T12:00:00Z') };

  async close(): Promise<void> {
    for (const one of this.#after.splice(0).reverse()) await one();
  }

  /** A new store with an account, and another opening of it, as a second process has it. */
  async make() {
    const ground = await this.#ground();
    const store = await this.#open(ground);
    const unique_identifier = await newAccount(store, 'Us');
    return {
      world: new Aging(store, unique_identifier, this.clock),
      another: async () => new Aging(await this.#open(ground), unique_identifier, this.clock),
      /** One more account of it. */
      neighbor: async () => {
        const other = await store.accounts.create({ name: 'They', livemode: false });
        return new Aging(store, other.unique_identifier, this.clock);
      },
    };
  }

  /** The store as it is now, somewhere else. */
  async copy({ store, account }: Aging): Promise<Aging> {
    const { bytes } = await backUp(store, parts);
    const ground = await this.#ground();
    await restore(ground, bytes, { parts, of: shapes, now: () => this.clock.now });
    return new Aging(await this.#open(ground), account, this.clock);
  }

  async #ground(): Promise<Ground> {
    const ground = await serviceGround();
    this.#after.push(() => ground.remove());
    return ground;
  }

  async #open({ remove: _, ...where }: Ground): Promise<Store> {
    const keyed = { erasureKeys: [new Uint8Array(32).fill(7)] };
    const now = () => this.clock.now;
    const store = await openStore({ ...where, ...keyed, shapes, now, create: true, serve: false });
    this.#after.push(() => store.close());
    return store;
  }
}
