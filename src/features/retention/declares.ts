/** A retention rule: records of an account go by themselves when they are old enough, as a person decided once. */
import {
  count,
  counts,
  identifier,
  json,
  openChoice,
  resourceName,
  time,
} from '../../core/objects/kinds.ts';
import {
  arrayOf,
  derived,
  field,
  nullable,
  type ObjectOf,
  objectOf,
  ownObject,
} from '../../core/objects/own-object.ts';
import { boolean, text } from '../../core/schema/fields/index.ts';
import type { JsonObject } from '../../core/schema/values.ts';

/** How far a run has come; a process that is killed meanwhile goes on from there. */
export interface RetentionProgress {
  /** Where the walk goes on; `null`: it has not begun. */
  readonly place: RetentionPlace | null;
  /** The place of a record of which no more than these descendants are removed next. */
  readonly part?: RetentionPlace;
  /** The resources to remove, in this order. */
  readonly going: readonly RetentionRemoval[];
}

export interface RetentionRemoval {
  readonly resource: string;
  readonly record: string;
  /** The version that was judged: a record that has changed since stays. */
  readonly version: number;
  /** That of what it belongs to, whose date decides for it. */
  readonly parent_version?: number | undefined;
}

/** The place of a record; where children are found by their services: of a service, and of a child of it. */
export interface RetentionPlace {
  readonly unique_identifier: string;
  readonly key?: string;
  readonly child?: string;
}

const inside = { to: [] } as const;
const NONE = { example: null };

const staying = {
  held: field(
    count(),
    'How many stay because a hold or `at_least_days` keeps them, or something that belongs to them',
    { example: 3 },
  ),
  spared: field(count(), 'How many stay because of `unless`', { example: 96 }),
};

export const retentionRun = ownObject({
  name: 'retention_run',
  says: 'A run of a retention rule. Kept for two years.',
  path: '/v1/retention_rules/{ret_}/runs',
  table: 'retention_run',
  key: ['account', 'unique_identifier'],
  indexes: {
    rule: 'rule, unique_identifier',
    ended: 'ended_at',
    running: "rule WHERE status = 'running'",
  },
  goesWith: 'account',
  backup: 'retention_runs',
  ends: true,
  holds: 'What runs of retention rules removed and left: counts, and what is removed next',
  goes: 'After two years, or when the rule or the account is removed',
  identifiers: 'progress',
  nothing: 'stopped_because',
  printed: {
    columns: [
      ['BEGAN', 'began_at'],
      ...['status', 'removed', 'held', 'spared', 'seconds'],
      ['WHY', 'stopped_because'],
    ],
    none: 'It has not run yet.',
  },
  fields: {
    unique_identifier: field(identifier('rtr_'), 'Identifies the run'),
    account: field(identifier('acct_'), 'The account of the rule'),
    rule: field(identifier('ret_'), 'The rule', { as: 'retention_rule' }),
    status: field(
      openChoice('running', 'done', 'stopped'),
      '`running`; `done`: all that was old enough and not kept is removed; `stopped` before that',
      { example: 'done' },
    ),
    stopped_because: nullable(
      text(),
      'Why it stopped: `twice_the_preview` or `clock`, as of the rule; or `paused`: the rule was paused or changed meanwhile',
      NONE,
    ),
    expected: field(count(), 'How many records were expected to go at most', { example: 1244 }),
    goes: field(count(), 'How many it found that go, with what belongs to them', { example: 1204 }),
    removed: field(count(), 'How many records it removed, with what belongs to them', {
      example: 1204,
    }),
    ...staying,
    soon: field(
      count(),
      'How many more may go within 31 days: they become old enough then, or are held',
      { example: 40 },
    ),
    seconds: derived(
      count(),
      'How long it took, in seconds',
      (
        { began_at, ended_at }: { readonly began_at: number; readonly ended_at: number | null },
        now,
      ) => Math.max(0, Math.round(((ended_at ?? now) - began_at) / 1_000)),
      { example: 8 },
    ),
    began_at: field(time(), 'When it began, in UTC: what was old enough at that moment goes', {
      example: '2026-11-21T00:00:04Z',
    }),
    ended_at: nullable(time(), 'When it ended, in UTC', { example: '2026-11-21T00:00:12Z' }),
    enabled_at: field(time(), 'When the rule was enabled that it runs', inside),
    progress: nullable(json<RetentionProgress>(), 'How far it has come', inside),
  },
});

export type StoredRetentionRun = ObjectOf<typeof retentionRun.fields>;

/** When a record was stored. */
export const STORED_TIMES = ['inserted_at', 'updated_at'] as const;
/** A time of a record, or the key by which it, or what it belongs to, ages. */
export const RETENTION_SINCE = ['event_datetime', ...STORED_TIMES] as const;

export function isStoredTime(since: string): since is (typeof STORED_TIMES)[number] {
  return STORED_TIMES.some((one) => one === since);
}

const counted = {
  goes: field(count(), 'How many records would go', { example: 1204 }),
  ...staying,
};

const ofYear = {
  year: field(count(), 'The year, in UTC, of the date that their age is counted from', {
    example: 2021,
  }),
  location: nullable(
    identifier('loc_'),
    'The location; `null`: all others, after the first 1,000 entries',
    { example: 'loc_0350hLTg4Qw7ghih1EWE8N' },
  ),
  ...counted,
};

const preview = {
  status: field(
    openChoice('counting', 'ready'),
    '`counting` goes on in the background: read the rule again; `ready`: it is through',
    { example: 'ready' },
  ),
  at: field(
    json<string>({ type: 'string', format: 'date-time' }),
    'When it was asked for, in UTC: what is old enough at that moment would go',
    { example: '2026-11-20T14:30:00Z' },
  ),
  ...counted,
  below: field(counts(), 'How many records that belong to them would go with them, by resource', {
    example: {},
  }),
  soon: field(
    count(),
    'How many more may go within 31 days, with what belongs to them: they become old enough then, or are held',
    { example: 40 },
  ),
  counts: field(
    arrayOf('Records of a year at a location.', ofYear),
    'Counts by year and location',
    {
      example: [
        { year: 2021, location: 'loc_0350hLTg4Qw7ghih1EWE8N', goes: 1204, held: 3, spared: 96 },
      ] as never,
    },
  ),
};

export type RetentionPreview = ObjectOf<typeof preview>;
export type RetentionCount = ObjectOf<typeof ofYear>;

interface ShownRule {
  readonly unique_identifier: string;
  readonly status: string;
  readonly stopped_because: string | null;
  readonly after_days: number;
  readonly last_run: { readonly status: string; readonly removed: number } | null;
}

function statusOf({ status, stopped_because: why }: ShownRule): string {
  return why === null ? status : `${status} (${why})`;
}

export const retentionRule = ownObject({
  name: 'retention_rule',
  says: 'A retention rule: records of a resource that are removed by themselves when they are old enough.',
  path: '/v1/retention_rules',
  table: 'retention_rule',
  key: ['account', 'unique_identifier'],
  indexes: {
    identifier: 'unique_identifier',
    asked: "account WHERE status = 'enabled' OR at_least_days IS NOT NULL",
    enabled: "account WHERE status = 'enabled'",
    counting: 'account WHERE counting_since IS NOT NULL',
  },
  goesWith: 'account',
  backup: 'retention_rules',
  holds: 'Rules by which records go when they are old enough',
  goes: 'When the rule or the account is removed',
  content: 'unless spares',
  identifiers: 'preview made_by enabled_by',
  nothing: 'stopped_because',
  removable: true,
  printed: {
    columns: [
      'unique_identifier',
      ['STATUS', statusOf],
      'resource',
      ['AFTER', ({ after_days: days }: ShownRule) => `${days}d`],
      ['COUNTED FROM', 'since'],
      'location',
      [
        'LAST RUN',
        ({ last_run: run }: ShownRule) => run && `${run.status}, ${run.removed} removed`,
      ],
      'basis',
    ],
    none: 'There are no rules.',
    told: (one: ShownRule) => `${one.unique_identifier} is ${statusOf(one)}.`,
  },
  fields: {
    unique_identifier: field(identifier('ret_'), 'Identifies the rule'),
    account: field(identifier('acct_'), 'The account of the records'),
    location: nullable(
      identifier('loc_'),
      'The location of the records; `null`: all of the account',
      NONE,
    ),
    resource: field(resourceName(2), 'The resource of the records', {
      example: 'event_check_in_record',
    }),
    after_days: field(count(1), 'How many days old they are when they go', { example: 1095 }),
    since: field(
      openChoice(...RETENTION_SINCE),
      'What their age is counted from: `event_datetime`, the date of the service or of the one that they belong to; `inserted_at`; or `updated_at`',
      { example: 'event_datetime' },
    ),
    unless: nullable(
      json<JsonObject>({ type: 'object', additionalProperties: true }),
      'Filters of the list of the resource: records that it would find stay',
      NONE,
    ),
    at_least_days: nullable(
      count(1),
      'Such records are not removed in any way before they are that many days old, also while the rule is paused',
      NONE,
    ),
    basis: field(text(), 'Why: the law, the contract or the policy', {
      example: 'Privacy policy, section 4',
      personal: true,
    }),
    spares: nullable(
      json<readonly unknown[]>(),
      'The same as conditions, as lists of the store take them',
      { to: [] },
    ),
    status: field(
      openChoice('paused', 'enabled', 'stopped'),
      '`enabled` runs each day; `stopped`: the service has paused it, see `stopped_because`; a new preview, and enabling it again, go on',
      { example: 'enabled' },
    ),
    stopped_because: nullable(
      text(),
      'Why the service paused it: `twice_the_preview`, a run would have removed twice of what was to be expected; `clock`, more than 31 days had passed since what was expected was counted',
      NONE,
    ),
    preview: nullable(
      objectOf(preview),
      'What it would remove; `null`: there was none since it was changed',
      NONE,
    ),
    last_run: derived(
      objectOf({
        unique_identifier: field(identifier('rtr_'), 'The run', {
          example: 'rtr_036Vq1rXbU9kTqPpLw3aZc',
        }),
        status: field(text(), 'What became of it', { example: 'done' }),
        removed: field(count(), 'How many records it removed', { example: 1204 }),
      }),
      'The last run; `null`: there was none',
      ({ run }: { readonly run?: StoredRetentionRun | undefined }) =>
        run === undefined
          ? null
          : { unique_identifier: run.unique_identifier, status: run.status, removed: run.removed },
      { nullable: true, example: null },
    ),
    made_by: field(text(), 'Who made it: an API key, a person, or the operator', {
      example: 'key_036Vq1rXbU9kTqPpLw3aZc',
    }),
    enabled_by: nullable(text(), 'Who enabled it', NONE),
    enabled_at: nullable(time(), 'When it was enabled, in UTC', NONE),
    counting_since: nullable(time(), 'Since when its preview has been counted', { to: [] }),
    revision: field(count(), 'How often it was changed', { to: [] }),
    inserted_at: field(time(), 'When it was made, in UTC', { example: '2026-11-20T14:30:00Z' }),
    updated_at: field(time(), 'When it was last changed, in UTC', {
      example: '2026-11-20T14:30:00Z',
    }),
  },
});

export type StoredRetentionRule = ObjectOf<typeof retentionRule.fields>;

export type RetentionRuleView = StoredRetentionRule & {
  readonly run: StoredRetentionRun | undefined;
};

export const retentionLift = ownObject({
  name: 'retention_lift',
  says: 'That records which a retention rule removed may be sent again.',
  fields: {
    retention_rule: field(identifier('ret_'), 'The rule, also one that was deleted'),
    lifted: field(count(), 'How many records may be sent again now', { example: 1000 }),
    has_more: field(
      boolean(),
      'Whether there may be more: repeat the request until there are none',
      { example: false },
    ),
  },
});

export const objects = [retentionRule, retentionRun, retentionLift];
export const tables = [retentionRule, retentionRun];
