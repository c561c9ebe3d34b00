/** A run of a retention rule: what it removed on one day, and what it left. */
import { count, identifier, json, openChoice, time } from '../../../core/objects/kinds.ts';
import {
  derived,
  field,
  nullable,
  type ObjectOf,
  ownObject,
} from '../../../core/objects/own-object.ts';
import { text } from '../../../core/schema/fields/index.ts';

/** How far a run has come; a process that is killed meanwhile goes on from there. */
export interface RetentionProgress {
  /** Where the walk goes on; `null`: it has not begun. */
  readonly place: RetentionPlace | null;
  /** The place of a record of which no more than these descendants are removed next. */
  readonly part?: RetentionPlace;
  /** The resources to remove, in this order. */
  readonly going: readonly RetentionGoing[];
}

export interface RetentionGoing {
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

export const staying = {
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
  holds: 'What runs of retention rules removed and left: counts, and what is removed next',
  goes: 'After two years, or when the rule or the account is removed',
  identifiers: 'progress',
  nothing: 'stopped_because',
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
      { example: null },
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
