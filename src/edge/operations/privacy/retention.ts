/** The operations on retention rules: records go by themselves when they are old enough. */

import { present } from '../../../core/objects/own-object.ts';
import { retentionLift } from '../../../core/objects/records/retention-lift.ts';
import {
  RETENTION_SINCE,
  type RetentionRuleView,
  retentionRule,
} from '../../../core/objects/records/retention-rule.ts';
import { retentionRun } from '../../../core/objects/records/retention-run.ts';
import type { Resource } from '../../../core/schema/define.ts';
import { optional, required } from '../../../core/schema/fields/kind.ts';
import { choice } from '../../../core/schema/fields/kinds/choice.ts';
import { content } from '../../../core/schema/fields/kinds/content.ts';
import { text } from '../../../core/schema/fields/kinds/text.ts';
import { wholeNumber } from '../../../core/schema/fields/kinds/whole-number.ts';
import { list } from '../../../core/schema/fields/list.ts';
import { MAX_RULES, ruled } from '../../../services/retention/rules.ts';
import { type Operation, operation, pageOf } from '../operation.ts';

const PATH = '/v1/retention_rules';
const PAGE = 50;
const DAYS = { min: 1, max: 36_500 };

const all = {
  tag: 'Retention rules',
  needs: { permission: 'read', right: 'erase', whole: true },
} as const;
/** A person confirms it, and the audit has it before it is done. */
const CONFIRMED = { confirms: true, audits: 'administer' } as const;
const one = {
  id: { says: 'Identifies the rule', prefix: 'ret_' },
  answers: { schema: 'RetentionRule', says: 'The rule.' },
} as const;
const NO_KEY = 'Retention rules take no Idempotency-Key: send the request without it.';

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

const shown = (view: RetentionRuleView, now: number): object =>
  present(retentionRule, view, 'api', now);

export function retentionOperations(resources: readonly Resource[]): readonly Operation[] {
  const [first = '', ...names] = ruled(resources).map(({ name }) => name);
  return [
    operation({
      ...all,
      name: 'create_retention_rule',
      ...CONFIRMED,
      route: `POST ${PATH}`,
      summary: 'Create a retention rule',
      description: `Records of a resource are to go when they are old enough. The rule begins \`paused\`: ask for a preview, look at it, and enable the rule. An account has at most ${MAX_RULES} rules.`,
      body: {
        account: required(text({}), 'unique_identifier of the account'),
        resource: required(choice(first, ...names), 'The resource of the records'),
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
      answers: one.answers,
      errors: ['resource_missing', 'value_invalid', 'retention_rules_too_many'],
      refusesIdempotencyKey: NO_KEY,
      run: async ({ retention }, { caller, params, done }) => {
        const { account, location = null, unless = null, at_least_days = null, ...rest } = params();
        const made = await retention.make(caller, account, {
          ...{ ...rest, location, unless, at_least_days },
        });
        done({ unique_identifier: made.unique_identifier, account });
        return shown(made, retention.now());
      },
    }),
    operation({
      ...all,
      name: 'list_retention_rules',
      audits: 'list',
      route: `GET ${PATH}`,
      summary: 'List retention rules',
      description: 'The rules of the accounts of the key, newest first.',
      query: {
        limit: optional(
          wholeNumber({ min: 1, max: PAGE }),
          `How many rules to return at most; ${PAGE} where it is left out`,
        ),
        starting_after: optional(text({}), 'unique_identifier of the last one of the page before'),
      },
      defaults: { limit: PAGE },
      answers: { schema: 'RetentionRuleList', says: 'The rules.' },
      run: async ({ retention }, { caller, params }) => {
        const { limit = PAGE, starting_after } = params();
        const found = await retention.list(caller, starting_after, limit + 1);
        return pageOf(
          PATH,
          found.map((rule) => shown(rule, retention.now())),
          limit,
        );
      },
    }),
    operation({
      ...all,
      ...one,
      name: 'get_retention_rule',
      audits: 'read',
      route: `GET ${PATH}/:unique_identifier`,
      summary: 'Read a retention rule',
      description: 'Answers the rule, with its last preview and its last run.',
      errors: ['resource_missing'],
      run: async ({ retention }, { caller, id, done }) => {
        const found = await retention.find(caller, id);
        done({ account: found.account });
        return shown(found, retention.now());
      },
    }),
    operation({
      ...all,
      ...one,
      name: 'change_retention_rule',
      ...CONFIRMED,
      route: `PATCH ${PATH}/:unique_identifier`,
      summary: 'Change a retention rule',
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
      refusesIdempotencyKey: NO_KEY,
      run: async ({ retention }, { caller, id, params, done }) => {
        const sent = Object.entries(params()).filter(
          ([name, value]) => value !== undefined && (value !== null || name in limits),
        );
        const changed = await retention.change(caller, id, { ...Object.fromEntries(sent) });
        done({ account: changed.account });
        return shown(changed, retention.now());
      },
    }),
    operation({
      ...all,
      ...one,
      name: 'delete_retention_rule',
      ...CONFIRMED,
      route: `DELETE ${PATH}/:unique_identifier`,
      summary: 'Delete a retention rule',
      description:
        'The rule ends, and the reports of its runs go. What it removed stays removed, and refused where it is sent again by a rule of its own times: see `lift`.',
      answers: { schema: 'RemovedRetentionRule', says: 'The rule is gone.' },
      errors: ['resource_missing'],
      refusesIdempotencyKey: NO_KEY,
      run: async ({ retention }, { caller, id, done }) => {
        const { account } = await retention.remove(caller, id);
        done({ account });
        return { object: 'retention_rule', unique_identifier: id, deleted: true };
      },
    }),
    operation({
      ...all,
      ...one,
      name: 'preview_retention_rule',
      audits: 'search',
      route: `POST ${PATH}/:unique_identifier/preview`,
      summary: 'Preview a retention rule',
      description:
        'Counts what the rule would remove now, by year and location, and removes nothing. It is counted in the background: read the rule until the `status` of its `preview` is `ready`.',
      errors: ['resource_missing'],
      refusesIdempotencyKey: NO_KEY,
      run: async ({ retention }, { caller, id, done }) => {
        const rule = await retention.preview(caller, id);
        done({ account: rule.account });
        return shown(rule, retention.now());
      },
    }),
    operation({
      ...all,
      ...one,
      name: 'enable_retention_rule',
      ...CONFIRMED,
      route: `POST ${PATH}/:unique_identifier/enable`,
      summary: 'Enable a retention rule',
      description:
        'The rule runs within a minute, and then once a day. It needs a preview of the last day. A run that finds twice as much as was to be expected removes nothing: the rule is `stopped` then.',
      errors: ['resource_missing', 'preview_missing', 'erasure_keyless'],
      refusesIdempotencyKey: NO_KEY,
      run: async ({ retention }, { caller, id, done }) => {
        const rule = await retention.enable(caller, id);
        done({ account: rule.account });
        return shown(rule, retention.now());
      },
    }),
    operation({
      ...all,
      ...one,
      name: 'pause_retention_rule',
      ...CONFIRMED,
      route: `POST ${PATH}/:unique_identifier/pause`,
      summary: 'Pause a retention rule',
      description: 'A run that is under way stops within seconds. Pausing it again does nothing.',
      errors: ['resource_missing'],
      refusesIdempotencyKey: NO_KEY,
      run: async ({ retention }, { caller, id, done }) => {
        const rule = await retention.pause(caller, id);
        done({ account: rule.account });
        return shown(rule, retention.now());
      },
    }),
    operation({
      ...all,
      ...one,
      name: 'lift_retention_rule',
      ...CONFIRMED,
      route: `POST ${PATH}/:unique_identifier/lift`,
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
      refusesIdempotencyKey: NO_KEY,
      run: async ({ retention }, { caller, id, params, done }) => {
        const { records } = params();
        const { account = '', ...lifted } = await retention.lift(caller, id, records ?? undefined);
        done({ account });
        return present(retentionLift, { retention_rule: id, ...lifted }, 'api', retention.now());
      },
    }),
    operation({
      ...all,
      ...one,
      name: 'list_retention_runs',
      audits: 'list',
      route: `GET ${PATH}/:unique_identifier/runs`,
      summary: 'List runs of a retention rule',
      description: 'What the runs of a rule removed and left, newest first.',
      query: {
        limit: optional(
          wholeNumber({ min: 1, max: PAGE }),
          `How many runs to return at most; ${PAGE} where it is left out`,
        ),
        starting_after: optional(text({}), 'unique_identifier of the last one of the page before'),
      },
      defaults: { limit: PAGE },
      answers: { schema: 'RetentionRunList', says: 'The runs.' },
      errors: ['resource_missing'],
      run: async ({ retention }, { caller, id, params }) => {
        const { limit = PAGE, starting_after: before } = params();
        const found = await retention.runs(caller, id, { before, limit: limit + 1 });
        const runs = found.map((run) => present(retentionRun, run, 'api', retention.now()));
        return pageOf(`${PATH}/${id}/runs`, runs, limit);
      },
    }),
  ];
}
