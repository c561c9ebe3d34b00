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
import { accountsFor, foundIn, noSuchAs } from '../../store/promises/refusals.ts';
import { wholeAccount } from '../../store/promises/store.ts';
import { isStoredTime, type RetentionRuleView, type StoredRetentionRule } from './declares.ts';
import { readUnless, sparesOf } from './serves/judge.ts';
import { datedBy, resourceOf } from './serves/walk.ts';
import { changeRule, createRetention } from './serves/work.ts';

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
    service: createRetentionService(parts),
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

export function createRetentionService({ store, resources, now, isKeyed }: ServeParts) {
  const { retention } = store;
  const identify = createIdentifiers(now);

  async function make(
    { key: made_by, scope }: Principal,
    account: string,
    wanted: WantedRule & Pick<StoredRetentionRule, 'resource'>,
  ): Promise<RetentionRuleView> {
    const [{ shape }] = resources as readonly [Resource];
    accountsFor(scope, shape, account);
    const rule = await checked(account, wanted.resource, wanted);
    if ((await retention.count(account)) >= MAX_RULES) {
      throw new ApiError('retention_rules_too_many', {
        message: `The account has ${inThousands(MAX_RULES)} retention rules.`,
      });
    }
    const inserted_at = now();
    const made: StoredRetentionRule = {
      unique_identifier: identify('ret_'),
      account,
      resource: wanted.resource,
      ...rule,
      ...PAUSED,
      made_by,
      revision: 0,
      inserted_at,
      updated_at: inserted_at,
    };
    await retention.add(made);
    return { ...made, run: undefined };
  }

  /** Throws `resource_missing`. */
  async function find(caller: Principal, id: string): Promise<RetentionRuleView> {
    return viewOf(await ruleOf(caller, id));
  }

  async function list({ scope }: Principal, before = LAST_IDENTIFIER, limit = MAX_RULES) {
    const found = await retention.list([...scope.accounts], before, limit);
    return Promise.all(found.map(viewOf));
  }

  /** Changes a rule; members that are left out stay. A changed rule is paused, and needs a new preview. */
  async function change(caller: Principal, id: string, changed: Partial<WantedRule>) {
    const before = await ruleOf(caller, id);
    const rule = await checked(before.account, before.resource, { ...before, ...changed });
    return changeOne(id, (one) => ({ ...one, ...rule, ...PAUSED }));
  }

  async function remove(caller: Principal, id: string): Promise<StoredRetentionRule> {
    const found = await ruleOf(caller, id);
    await retention.remove(id);
    return found;
  }

  /** It is counted in the background. */
  async function preview(caller: Principal, id: string): Promise<RetentionRuleView> {
    await ruleOf(caller, id);
    const counting_since = now();
    const preview = { ...NOTHING, status: 'counting', at: presentTime(counting_since) } as const;
    return changeOne(id, (rule) => ({ ...rule, preview, counting_since }));
  }

  async function enable(caller: Principal, id: string): Promise<RetentionRuleView> {
    await ruleOf(caller, id);
    if (isKeyed !== true) throw new ApiError('erasure_keyless');
    return changeOne(id, (rule) => {
      if (rule.status === 'enabled') return rule;
      const { preview } = rule;
      const enabled_at = now();
      const isFresh =
        preview?.status === 'ready' && Math.abs(enabled_at - Date.parse(preview.at)) <= DAY_MS;
      if (!isFresh) throw new ApiError('preview_missing');
      const enabled = { status: 'enabled', stopped_because: null, enabled_at } as const;
      return { ...rule, ...enabled, enabled_by: caller.key };
    });
  }

  async function pause(caller: Principal, id: string): Promise<RetentionRuleView> {
    await ruleOf(caller, id);
    return changeOne(id, (rule) =>
      rule.status === 'paused' ? rule : { ...rule, status: 'paused', stopped_because: null },
    );
  }

  /** Lets records be sent again that it removed, also where the rule is deleted; throws `resource_missing`. */
  async function lift(caller: Principal, id: string, records: readonly string[] | undefined) {
    const lifted = await store.erasing.liftAged(id, [...caller.scope.accounts], records);
    if (lifted.account !== undefined) return lifted;
    return { ...lifted, account: (await ruleOf(caller, id)).account };
  }

  async function runs(caller: Principal, id: string, before: string | undefined, limit: number) {
    await ruleOf(caller, id);
    return retention.runs(id, before ?? LAST_IDENTIFIER, limit);
  }

  async function ruleOf({ scope }: Principal, id: string): Promise<StoredRetentionRule> {
    return foundIn(scope, 'retention_rule', await retention.find(id));
  }

  async function viewOf(rule: StoredRetentionRule): Promise<RetentionRuleView> {
    const [run] = await retention.runs(rule.unique_identifier, LAST_IDENTIFIER, 1);
    return { ...rule, run };
  }

  async function changeOne(id: string, change: (rule: StoredRetentionRule) => StoredRetentionRule) {
    const changed = await changeRule(retention, id, (rule) => {
      const next = change(rule);
      return next === rule ? rule : { ...next, updated_at: now() };
    });
    if (changed === undefined) throw new ApiError('resource_missing');
    return viewOf(changed);
  }

  /** Throws one error with every fault. */
  async function checked(account: string, name: string, wanted: WantedRule) {
    const faults = new Faults();
    const { location, after_days, since, at_least_days, basis } = wanted;
    const resource = resourceOf(resources, name);
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
      const found = await store.find(anchor.shape, location, wholeAccount(account));
      if (found === undefined)
        faults.add('location', 'resource_missing', noSuchAs(anchor.shape, location));
    }
    faults.throwIfAny();
    const spares = sparesOf(resource, unless);
    return { location, after_days, since, at_least_days, basis, unless, spares };
  }

  return { now, make, find, list, change, remove, preview, enable, pause, lift, runs };
}

const PAUSED = {
  status: 'paused',
  stopped_because: null,
  preview: null,
  counting_since: null,
  enabled_by: null,
  enabled_at: null,
} as const;

const NOTHING = { goes: 0, held: 0, spared: 0, below: {}, soon: 0, counts: [] };
