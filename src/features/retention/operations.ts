/** The operations on retention rules: records go by themselves when they are old enough. */
import { present } from '../../core/objects/own-object.ts';
import type { Resource } from '../../core/schema/define.ts';
import {
  choice,
  content,
  list,
  optional,
  required,
  text,
  wholeNumber,
} from '../../core/schema/fields/index.ts';
import { type Operation, operation } from '../../edge/operations/operation.ts';
import { operationsOn } from '../../edge/operations/own.ts';
import {
  RETENTION_SINCE,
  type RetentionRuleView,
  retentionLift,
  retentionRule,
  retentionRun,
  type StoredRetentionRun,
} from './declares.ts';
import { MAX_RULES, ruled } from './serves.ts';

export const tag = {
  name: 'Retention rules',
  description: 'Records go by themselves when they are old enough.',
};

const PAGE = 50;
const RULE = { says: 'Identifies the rule', prefix: 'ret_' } as const;
const DAYS = { min: 1, max: 36_500 };

/** A person confirms it, and the audit has it before it is done. */
const CONFIRMED = { confirms: true, audits: 'administer' } as const;
const all = {
  tag: tag.name,
  needs: { permission: 'read', right: 'erase', whole: true },
} as const;

const on = operationsOn(retentionRule, {
  ...all,
  show: (rule: RetentionRuleView, { retention }) =>
    present(retentionRule, rule, 'api', retention.now()),
});
const onRuns = operationsOn(retentionRun, {
  ...all,
  show: (run: StoredRetentionRun, { retention }) =>
    present(retentionRun, run, 'api', retention.now()),
});

const limits = {
  location: optional(
    text({}),
    'unique_identifier of a location: only records there; the whole account where it is left out',
  ),
  unless: optional(
    content({ maxBytes: 2_000 }),
    'Filters of the list of the resource: records that it would find stay',
    { visitor_interested_in_pre_planning: true },
  ),
  at_least_days: optional(
    wholeNumber(DAYS),
    'Its records are not removed in any other way, either, before they are that many days old, also while the rule is paused; at most `after_days`',
  ),
};
const after = 'How many days old records are when they go';
const since =
  'What their age is counted from: `event_datetime`, the date of the service or of the one that they belong to; `inserted_at`; or `updated_at`';
const basis = 'Why: the law, the contract or the policy; no name';

export const operations = (resources: readonly Resource[]): readonly Operation[] => {
  const names = ruled(resources).map(({ name }) => name);
  return [
    on.create({
      ...CONFIRMED,
      description: `Records of a resource are to go when they are old enough. The rule begins \`paused\`: ask for a preview, look at it, and enable the rule. An account has at most ${MAX_RULES} rules.`,
      body: {
        account: required(text({}), 'unique_identifier of the account'),
        resource: required(choice(...names), 'The resource of the records'),
        after_days: required(wholeNumber(DAYS), after, 1095),
        since: required(choice(...RETENTION_SINCE), since),
        basis: required(text({ max: 500 }), basis, 'Privacy policy, section 4'),
        ...limits,
      },
      sends: {
        account: 'acct_036Vq1rXbU9kTqPpLw3aZc',
        resource: 'event_check_in_record',
        after_days: 1095,
        since: 'event_datetime',
        unless: { visitor_interested_in_pre_planning: true },
        basis: 'Privacy policy, section 4',
      },
      errors: ['resource_missing', 'value_invalid', 'retention_rules_too_many'],
      run: ({ retention }, { caller, params }) => {
        const { account, location = null, unless = null, at_least_days = null, ...rest } = params();
        return retention.make(caller, account, { ...rest, location, unless, at_least_days });
      },
    }),
    on.list({
      audits: 'list',
      description: 'The rules of the accounts of the key, newest first.',
      limit: PAGE,
      find: ({ retention }, { caller }, { after, limit }) => retention.list(caller, after, limit),
    }),
    on.get({
      audits: 'read',
      description: 'Answers the rule, with its last preview and its last run.',
      run: ({ retention }, { caller, id }) => retention.find(caller, id),
    }),
    on.change({
      ...CONFIRMED,
      description:
        'What you leave out stays; `null` takes `location`, `unless` or `at_least_days` away. The rule is `paused` then, and needs a new preview.',
      body: {
        after_days: optional(wholeNumber(DAYS), after),
        since: optional(choice(...RETENTION_SINCE), since),
        basis: optional(text({ max: 500 }), basis),
        ...limits,
      },
      sends: { after_days: 1460 },
      errors: ['resource_missing', 'value_invalid'],
      run: ({ retention }, { caller, id, params }) => {
        const sent = Object.entries(params()).filter(
          ([name, value]) => value !== undefined && (value !== null || name in limits),
        );
        return retention.change(caller, id, Object.fromEntries(sent));
      },
    }),
    on.remove({
      ...CONFIRMED,
      description:
        'The rule ends, and the reports of its runs go. What it removed stays removed, and refused where it is sent again by a rule of its own times: see `lift`.',
      run: ({ retention }, { caller, id }) => retention.remove(caller, id),
    }),
    on.act('preview', {
      audits: 'search',
      summary: 'Preview a retention rule',
      description:
        'Counts what the rule would remove now, by year and location, and removes nothing. It is counted in the background: read the rule until the `status` of its `preview` is `ready`.',
      run: ({ retention }, { caller, id }) => retention.preview(caller, id),
    }),
    on.act('enable', {
      ...CONFIRMED,
      summary: 'Enable a retention rule',
      description:
        'The rule runs within a minute, and then once a day. It needs a preview of the last day. A run that finds twice as much as was to be expected removes nothing: the rule is `stopped` then.',
      errors: ['resource_missing', 'preview_missing', 'erasure_keyless'],
      run: ({ retention }, { caller, id }) => retention.enable(caller, id),
    }),
    on.act('pause', {
      ...CONFIRMED,
      summary: 'Pause a retention rule',
      description: 'A run that is under way stops within seconds. Pausing it again does nothing.',
      run: ({ retention }, { caller, id }) => retention.pause(caller, id),
    }),
    operation({
      ...all,
      ...CONFIRMED,
      name: 'lift_retention_rule',
      id: RULE,
      route: 'POST /v1/retention_rules/:unique_identifier/lift',
      summary: 'Let removed records be sent again',
      description:
        'For records that a rule by `inserted_at` or `updated_at` removed by mistake, also after the rule was changed or deleted. What they held is gone, and comes back only when their sender sends it again. Up to 1,000 records with each request, and none that a run is removing at this moment.',
      body: {
        records: optional(
          list(text({}), { min: 1, max: 1_000 }),
          'unique_identifiers of records that it removed; all of them where it is left out',
        ),
      },
      sends: {},
      answers: { schema: 'RetentionLift', says: 'How many records may be sent again.' },
      errors: ['resource_missing'],
      refusesIdempotencyKey:
        'Retention rules take no Idempotency-Key: send the request without it.',
      run: async ({ retention }, { caller, id, params, done }) => {
        const { records } = params();
        const { account = '', ...lifted } = await retention.lift(caller, id, records ?? undefined);
        done({ account });
        return present(retentionLift, { retention_rule: id, ...lifted }, 'api', retention.now());
      },
    }),
    onRuns.list({
      name: 'list_retention_runs',
      audits: 'list',
      id: RULE,
      summary: 'List runs of a retention rule',
      description: 'What the runs of a rule removed and left, newest first.',
      limit: PAGE,
      errors: ['resource_missing'],
      find: ({ retention }, { caller, id }, { after, limit }) =>
        retention.runs(caller, id, after, limit),
    }),
  ];
};
