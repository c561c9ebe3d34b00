/** Retention rules, as those see and change them who may erase. */
import { ApiError, Faults } from '../../core/errors.ts';
import { realPace } from '../../core/pace.ts';
import type { Resource } from '../../core/schema/define.ts';
import { createIdentifiers, LAST_IDENTIFIER } from '../../core/schema/id.ts';
import { presentTime } from '../../core/schema/present/present.ts';
import { inThousands } from '../../core/schema/present/words.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import type { Principal } from '../../records/auth/principal.ts';
import type { Served, ServeParts } from '../../services/served.ts';
import { yielding } from '../../services/upkeep.ts';
import type { AgedLifted } from '../../store/promises/erasing/book.ts';
import { accountsFor, foundIn, noSuchAs } from '../../store/promises/refusals.ts';
import type { Store } from '../../store/promises/store.ts';
import type { StoredRetentionRun } from './declares/run.ts';
import { isStoredTime, type RetentionRuleView, type StoredRetentionRule } from './declares.ts';
import { readUnless, sparesOf } from './serves/judge.ts';
import { datedBy } from './serves/walk.ts';
import { changeRule, createRetention } from './serves/work.ts';

/** The most rules of an account. */
export const MAX_RULES = 100;
const DAY_MS = 86_400_000;

/** The part of a rule that a person decides. */
export interface WantedRule
  extends Pick<
    StoredRetentionRule,
    'location' | 'after_days' | 'since' | 'at_least_days' | 'basis'
  > {
  readonly unless: JsonObject | null;
}

/** The resources that rules are about: what is at a location. */
export function ruled(resources: readonly Resource[]): readonly Resource[] {
  return resources.filter(({ parent, anchor }) => parent !== undefined && anchor !== true);
}

export const serve = (parts: ServeParts) => {
  const { store, resources, now, isKeyed = false, trustsClock, pace = realPace, figure } = parts;
  const removed = new Map(ruled(resources).map(({ name }) => [name, 0]));
  figure?.(
    {
      name: 'ledgerstone_retention_rules',
      help: 'Retention rules by status, of all accounts; stopped: a run would have removed twice as much as was to be expected. All processes over one database show the same.',
      label: 'status',
      always: ['paused', 'enabled', 'stopped'],
    },
    () => store.retention.statuses(),
  );
  figure?.(
    {
      name: 'ledgerstone_retention_removed_total',
      type: 'counter',
      label: 'resource',
      help: 'Records that retention rules have removed, by resource.',
    },
    () => removed,
  );
  const slowly = yielding(5, 200);
  return {
    service: new RetentionService(parts),
    upkeep: [
      {
        piece: () => store.retention.purge(now()),
        failure: 'old reports of retention rules were not removed',
      },
    ],
    jobs: createRetention({
      store,
      resources,
      now,
      isKeyed,
      holds: async () => (await trustsClock?.()) ?? true,
      removed: (resource) => removed.set(resource, (removed.get(resource) ?? 0) + 1),
      // No more than 200 records a second, so that webhooks keep up. Fewer where requests need the time.
      pauseMs: () => pace(slowly()),
    }),
  } satisfies Served;
};

export class RetentionService {
  readonly #store: Store;
  readonly #parts: ServeParts;
  readonly #identify: (prefix: string) => string;

  constructor(parts: ServeParts) {
    this.#store = parts.store;
    this.#parts = parts;
    this.#identify = createIdentifiers(parts.now);
  }

  now(): number {
    return this.#parts.now();
  }

  async make(
    { key: made_by, scope }: Principal,
    account: string,
    wanted: WantedRule & Pick<StoredRetentionRule, 'resource'>,
  ): Promise<RetentionRuleView> {
    const { retention } = this.#store;
    const [{ shape }] = this.#parts.resources as readonly [Resource];
    accountsFor(scope, shape, account);
    const rule = await this.#checked(account, wanted.resource, wanted);
    if ((await retention.count(account)) >= MAX_RULES) {
      throw new ApiError('retention_rules_too_many', {
        message: `The account has ${inThousands(MAX_RULES)} retention rules.`,
      });
    }
    const now = this.#parts.now();
    const made: StoredRetentionRule = {
      unique_identifier: this.#identify('ret_'),
      account,
      resource: wanted.resource,
      ...rule,
      ...PAUSED,
      made_by,
      revision: 0,
      inserted_at: now,
      updated_at: now,
    };
    await retention.add(made);
    return { ...made, run: undefined };
  }

  /** Throws `resource_missing`. */
  async find(caller: Principal, id: string): Promise<RetentionRuleView> {
    return this.#viewOf(await this.#find(caller, id));
  }

  async list(
    { scope }: Principal,
    before = LAST_IDENTIFIER,
    limit = MAX_RULES,
  ): Promise<readonly RetentionRuleView[]> {
    const found = await this.#store.retention.list([...scope.accounts], before, limit);
    return Promise.all(found.map((rule) => this.#viewOf(rule)));
  }

  /** Changes a rule; members that are left out stay. A changed rule is paused, and needs a new preview. */
  async change(
    caller: Principal,
    id: string,
    changed: Partial<WantedRule>,
  ): Promise<RetentionRuleView> {
    const before = await this.#find(caller, id);
    const { account, resource } = before;
    const rule = await this.#checked(account, resource, { ...before, ...changed });
    return this.#change(id, (now) => ({ ...now, ...rule, ...PAUSED }));
  }

  async remove(caller: Principal, id: string): Promise<StoredRetentionRule> {
    const found = await this.#find(caller, id);
    await this.#store.retention.remove(id);
    return found;
  }

  /** It is counted in the background. */
  async preview(caller: Principal, id: string): Promise<RetentionRuleView> {
    await this.#find(caller, id);
    const at = this.#parts.now();
    return this.#change(id, (rule) => ({
      ...rule,
      preview: { ...NOTHING, status: 'counting', at: presentTime(at) },
      counting_since: at,
    }));
  }

  async enable(caller: Principal, id: string): Promise<RetentionRuleView> {
    await this.#find(caller, id);
    if (this.#parts.isKeyed !== true) throw new ApiError('erasure_keyless');
    return this.#change(id, (rule) => {
      if (rule.status === 'enabled') return rule;
      const { preview } = rule;
      const now = this.#parts.now();
      const isFresh =
        preview?.status === 'ready' && Math.abs(now - Date.parse(preview.at)) <= DAY_MS;
      if (!isFresh) throw new ApiError('preview_missing');
      return {
        ...rule,
        status: 'enabled',
        stopped_because: null,
        enabled_by: caller.key,
        enabled_at: now,
      };
    });
  }

  async pause(caller: Principal, id: string): Promise<RetentionRuleView> {
    await this.#find(caller, id);
    return this.#change(id, (rule) =>
      rule.status === 'paused' ? rule : { ...rule, status: 'paused', stopped_because: null },
    );
  }

  /** Lets records be sent again that it removed, also where the rule is deleted; throws `resource_missing`. */
  async lift(
    caller: Principal,
    id: string,
    records: readonly string[] | undefined,
  ): Promise<AgedLifted> {
    const lifted = await this.#store.erasing.liftAged(id, [...caller.scope.accounts], records);
    if (lifted.account !== undefined) return lifted;
    return { ...lifted, account: (await this.#find(caller, id)).account };
  }

  async runs(
    caller: Principal,
    id: string,
    {
      before = LAST_IDENTIFIER,
      limit,
    }: { readonly before?: string | undefined; readonly limit: number },
  ): Promise<readonly StoredRetentionRun[]> {
    await this.#find(caller, id);
    return this.#store.retention.runs(id, before, limit);
  }

  async #find({ scope }: Principal, id: string): Promise<StoredRetentionRule> {
    return foundIn(scope, 'retention_rule', await this.#store.retention.find(id));
  }

  async #viewOf(rule: StoredRetentionRule): Promise<RetentionRuleView> {
    const [run] = await this.#store.retention.runs(rule.unique_identifier, LAST_IDENTIFIER, 1);
    return { ...rule, run };
  }

  async #change(
    id: string,
    change: (rule: StoredRetentionRule) => StoredRetentionRule,
  ): Promise<RetentionRuleView> {
    const changed = await changeRule(this.#store.retention, id, (rule) => {
      const next = change(rule);
      return next === rule ? rule : { ...next, updated_at: this.#parts.now() };
    });
    if (changed === undefined) throw new ApiError('resource_missing');
    return this.#viewOf(changed);
  }

  /** Throws one error with every fault. */
  async #checked(account: string, name: string, wanted: WantedRule): Promise<Checked> {
    const { resources } = this.#parts;
    const faults = new Faults();
    const { location, after_days, since, at_least_days, basis } = wanted;
    const resource = resources.find((one) => one.name === name);
    if (resource === undefined) throw new TypeError(`There is no resource ${name}.`);
    if (!isStoredTime(since) && datedBy(resource) === undefined) {
      const message = `since cannot be ${since}: a ${name} belongs to no service. Send inserted_at or updated_at.`;
      faults.add('since', 'value_invalid', message);
    }
    if (at_least_days !== null && at_least_days > after_days) {
      const message = `at_least_days is more than after_days, ${after_days}: send at most as many.`;
      faults.add('at_least_days', 'value_invalid', message);
    }
    const unless = wanted.unless === null ? null : readUnless(resource, wanted.unless, faults);
    const anchor = resources.find((one) => one.anchor);
    if (location !== null && anchor !== undefined) {
      const scope = { accounts: new Set([account]), anchors: undefined };
      const found = await this.#store.find(anchor.shape, location, scope);
      if (found === undefined)
        faults.add('location', 'resource_missing', noSuchAs(anchor.shape, location));
    }
    faults.throwIfAny();
    const spares = sparesOf(resource, unless);
    return { location, after_days, since, at_least_days, basis, unless, spares };
  }
}

type Checked = Pick<
  StoredRetentionRule,
  'location' | 'after_days' | 'since' | 'unless' | 'spares' | 'at_least_days' | 'basis'
>;

const PAUSED = {
  status: 'paused',
  stopped_because: null,
  preview: null,
  counting_since: null,
  enabled_by: null,
  enabled_at: null,
} as const;

const NOTHING = { goes: 0, held: 0, spared: 0, below: {}, soon: 0, counts: [] };
