/** `ledgerstone retention`: rules by which records go when they are old enough. */
import { setTimeout as pause } from 'node:timers/promises';
import type { RetentionLift, RetentionRule } from '../../../client/src/generated/objects.d.ts';
import { addFeature } from '../../cli/derived/whole.ts';
import type { At, DerivedCommand } from '../../cli/derived.ts';
import type { Command } from '../../cli/help.ts';
import { Mistake } from '../../cli/mistake.ts';
import { align, count } from '../../cli/output.ts';
import { shortOption } from '../../cli/service/settings.ts';
import { sealerOf } from '../../cli/store.ts';
import { resources } from '../../core/registry.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import { ended } from '../../services/jobs.ts';
import * as feature from './operations.ts';
import { previewing } from './serves/work.ts';

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
  addFeature(program, {
    ...feature,
    name: 'retention',
    service: 'retention',
    options: [shortOption('secret_key_file')],
    but: {
      create: { ...OWN, examples: CREATION },
      change: { ...OWN, examples: { 'ret_… --after 4y': 'Keep records longer' } },
      preview: { runs: previewed, prints: previewLines },
      enable: { runs: enabled },
      lift: {
        runs: lifted,
        prints: ({ lifted: all }) => `${count(all, 'record')} may be sent again.`,
      },
    },
  });
}

const CREATION = {
  '--account acct_… --resource event_check_in_record --after 3y --counted-from event_datetime --unless visitor_interested_in_pre_planning=true --basis "Privacy policy, section 4"':
    'Visitors go three years after the service',
};

/** A key that cannot be read is a mistake here, and no rule without one. */
async function enabled({ call, here, command }: At): Promise<RetentionRule> {
  if (here !== undefined) sealerOf(command);
  return call('enable_retention_rule');
}

async function previewed({ call, here, id }: At): Promise<RetentionRule> {
  await call('preview_retention_rule');
  if (here !== undefined)
    await ended(previewing({ store: here.store, resources }, id), () => pause(PAUSE_MS));
  for (;;) {
    const rule = await call<RetentionRule>('get_retention_rule');
    if (here !== undefined || rule.preview?.status !== 'counting') return rule;
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
