/** `ledgerstone retention`: rules by which records go when they are old enough. */
import { setTimeout as pause } from 'node:timers/promises';
import type { RetentionLift, RetentionRule } from '../../../client/src/generated/objects.d.ts';
import { type At, addDerived, type DerivedCommand } from '../../cli/derived.ts';
import type { Command } from '../../cli/help.ts';
import { Mistake } from '../../cli/mistake.ts';
import { align, count } from '../../cli/output.ts';
import { shortOption } from '../../cli/service/settings.ts';
import { sealerOf } from '../../cli/store.ts';
import { resources } from '../../core/registry.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import { ended } from '../../services/jobs.ts';
import { operations } from './operations.ts';
import { previewing } from './serves/work.ts';
import { serve } from './serves.ts';

/** Between two pieces of a preview, so that a service beside it gets on. */
const PAUSE_MS = 5;
/** Between two looks at a preview that a service elsewhere counts. */
const LOOK_MS = 500;

/** Ages and filters are written shorter than in the API. */
const OWN: Pick<DerivedCommand, 'flags' | 'reads'> = {
  flags: {
    after_days: ['--after <age>', 'How old records are when they go: days, or years such as 3y'],
    at_least_days: ['--at-least <age>', 'Records are kept that long, also while it is paused'],
    unless: ['--unless <filter...>', 'What stays: filters of the list, such as name=value'],
    since: '--counted-from <what>',
  },
  reads: { after_days: readDays, at_least_days: readDays, unless: readFilters },
};

export function add(program: Command): void {
  addDerived(program, {
    name: 'retention',
    says: 'Rules by which records are removed when they are old enough',
    operations: operations(resources),
    open: (store, command) => {
      const isKeyed = command.name() === 'enable' && sealerOf(command) !== undefined;
      const { service } = serve({ store, resources, now: Date.now, isKeyed });
      return { services: { retention: service, store } };
    },
    commands: {
      create: {
        says: 'Make a rule, which is paused: preview it, look, and enable it',
        ...OWN,
        examples: {
          '--account acct_… --resource event_check_in_record --after 3y --counted-from event_datetime --unless visitor_interested_in_pre_planning=true --basis "Privacy policy, section 4"':
            'Visitors go three years after the service',
        },
        prints: ({ unique_identifier: id }) =>
          `${id} is paused: look at "ledgerstone retention preview ${id}".`,
      },
      list: {
        says: 'List the rules of all accounts, newest first',
        examples: { '': 'See what goes by itself, and what is stopped' },
        none: 'There are no rules.',
        columns: [
          'unique_identifier',
          ['STATUS', statusOf],
          'resource',
          ['AFTER', (one: RetentionRule) => `${one.after_days}d`],
          ['COUNTED FROM', 'since'],
          'location',
          [
            'LAST RUN',
            ({ last_run: run }: RetentionRule) => run && `${run.status}, ${run.removed} removed`,
          ],
          'basis',
        ],
      },
      'show <id>': { says: 'Show a rule, with its last preview and its last run' },
      'change <id>': {
        says: 'Change a rule, which is paused then: preview it again. What you leave out stays',
        ...OWN,
        examples: { 'ret_… --after 4y': 'Keep records longer' },
        prints: (_, id) => `${id} is paused: look at "ledgerstone retention preview ${id}".`,
      },
      'preview <id>': {
        says: 'Count what a rule would remove now, by year and location; removes nothing',
        examples: { 'ret_…': 'Before you enable it' },
        runs: previewed,
        prints: previewLines,
      },
      'enable <id>': {
        says: 'Let a rule run, now and each day; wants a preview of the last day',
        options: [shortOption('secret_key_file')],
        examples: { 'ret_…': 'After you looked at the preview' },
        prints: (_, id) => `${id} is enabled: the service runs it within a minute, and each day.`,
      },
      'pause <id>': {
        says: 'Stop a rule, also in the middle of a run',
        examples: { 'ret_…': 'While you find out' },
        prints: (_, id) => `${id} is paused.`,
      },
      'runs <id>': {
        says: 'List what the runs of a rule removed and left, newest first',
        examples: { 'ret_…': 'What went this week' },
        none: 'It has not run yet.',
        columns: [
          ['BEGAN', 'began_at'],
          ...['status', 'removed', 'held', 'spared', 'seconds'],
          ['WHY', 'stopped_because'],
        ],
      },
      'lift <id>': {
        says: 'Let what a rule removed be sent again, after a mistake; also of a deleted rule',
        examples: { 'ret_…': 'Its senders bring it back' },
        runs: lifted,
        prints: ({ lifted: all }) => `${count(all, 'record')} may be sent again.`,
      },
      'delete <id>': {
        says: 'Delete a rule and the reports of its runs; what it removed stays removed',
        examples: { 'ret_…': 'When a policy ends' },
        prints: (_, id) => `Deleted ${id}.`,
      },
    },
  });
}

async function previewed({ call, store, elsewhere, id }: At): Promise<RetentionRule> {
  await call('preview_retention_rule');
  if (elsewhere === undefined)
    await ended(previewing({ store, resources }, id), () => pause(PAUSE_MS));
  for (;;) {
    const rule = await call<RetentionRule>('get_retention_rule');
    if (elsewhere === undefined || rule.preview?.status !== 'counting') return rule;
    await pause(LOOK_MS);
  }
}

async function lifted({ call }: At): Promise<RetentionLift> {
  for (let before = 0; ; ) {
    const some = await call<RetentionLift>('lift_retention_rule');
    before += some.lifted;
    if (!some.has_more) return { ...some, lifted: before };
  }
}

function previewLines({ unique_identifier: id, preview }: RetentionRule): readonly string[] {
  if (preview?.status !== 'ready') return [`${id} was changed meanwhile: preview it again.`];
  const below = Object.entries(preview.below).map(([name, many]) => `, with ${many} ${name}`);
  const rows = preview.counts.map(({ year, location, ...one }) => [
    ...[`${year || 'others'}`, location ?? 'others'],
    ...[`${one.goes}`, `${one.held}`, `${one.spared}`],
  ]);
  return [
    `${count(preview.goes, 'record')} would go${below.join('')}; ${preview.held} held, ${preview.spared} spared.`,
    `${preview.soon} more may go within 31 days.`,
    ...(rows.length === 0 ? [] : align([['YEAR', 'LOCATION', 'GOES', 'HELD', 'SPARED'], ...rows])),
    `To let it run: ledgerstone retention enable ${id}`,
  ];
}

function statusOf({ status, stopped_because }: RetentionRule): string {
  return stopped_because === null ? status : `${status} (${stopped_because})`;
}

const DAYS_PER_YEAR = 365;

/** Days, as `1095`, `1095d` or `3y`. */
function readDays(text: string, option: string): number {
  const [, number, unit] = /^(\d{1,5})([dy]?)$/.exec(text) ?? [];
  if (number !== undefined) return Number(number) * (unit === 'y' ? DAYS_PER_YEAR : 1);
  throw new Mistake(`${option} must be a number of days or years, such as 1095 or 3y.`);
}

/** Filters as `name=value`, also `name[gte]=value`. */
function readFilters(filters: readonly string[]): JsonObject {
  const read: Record<string, JsonObject | string | boolean> = {};
  for (const filter of filters) {
    const [, name = '', inside, sent] = /^([^=[]+)(?:\[([^\]]+)\])?=(.*)$/s.exec(filter) ?? [];
    if (sent === undefined) throw new Mistake('--unless must be a filter, such as name=value.');
    const value = sent === 'true' ? true : sent;
    const known = read[name];
    if (inside === undefined) read[name] = value;
    else read[name] = { ...(typeof known === 'object' ? known : {}), [inside]: value };
  }
  return read;
}
