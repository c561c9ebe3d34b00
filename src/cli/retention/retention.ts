/** `ledgerstone retention`: rules by which records go when they are old enough. */
import { setTimeout as pause } from 'node:timers/promises';
import type {
  RetentionLift,
  RetentionRule,
  RetentionRun,
} from '../../../client/src/generated/objects.d.ts';
import { resources } from '../../core/registry.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import { retentionOperations } from '../../edge/operations/privacy/retention.ts';
import { officerOf } from '../../records/auth/operator.ts';
import { RetentionDesk } from '../../services/retention/rules.ts';
import { previewing } from '../../services/retention/work.ts';
import type { Store } from '../../store/promises/store.ts';
import { allAccounts } from '../found.ts';
import type { Command } from '../help.ts';
import { openAccounts } from '../keys/key-scope.ts';
import { Mistake } from '../mistake.ts';
import { addMembers, namedOperations, type OperationDesk } from '../operation.ts';
import { count, print, table } from '../output.ts';
import { settingOption } from '../service/settings.ts';
import { sealerOf, withStore } from '../store.ts';

interface Json {
  readonly json?: true;
}

const SET = {
  location: '--location <id>',
  resource: '--resource <name>',
  since: '--since <what>',
  basis: '--basis <text>',
};
const LIFT = { records: '--record <id...>' };
const RULES = ['RULE', 'STATUS', 'RESOURCE', 'AFTER', 'SINCE', 'LOCATION', 'LAST RUN', 'BASIS'];
const RUNS = ['BEGAN', 'STATUS', 'REMOVED', 'HELD', 'SPARED', 'SECONDS', 'WHY'];
/** Between two pieces of a preview, so that a service beside it gets on. */
const PAUSE_MS = 5;

const { named, call, every } = namedOperations(retentionOperations(resources));

interface SetOptions extends Json {
  readonly account: string;
  readonly after: string;
  readonly unless?: readonly string[];
  readonly atLeast?: string;
}

export function addRetention(program: Command): void {
  const retention = program
    .command('retention')
    .description('Rules by which records are removed when they are old enough');
  addMembers(made(retention, 'set'), named('create_retention_rule'), SET)
    .description('Make a rule, which is paused: preview it, look, and enable it')
    .requiredOption('--account <id>', 'The account, by identifier or name')
    .requiredOption('--after <age>', 'How old records are when they go: days, or years such as 3y')
    .option('--unless <filter...>', 'What stays: filters of the list, such as name=value')
    .option(
      '--at-least <age>',
      'Records are kept that long by all means, also while the rule is paused',
    )
    .examples([
      'ledgerstone retention set --account acct_… --resource event_check_in_record --after 3y --since event_datetime --unless visitor_interested_in_pre_planning=true --basis "Privacy policy, section 4"',
      'Visitors go three years after the service',
    ])
    .action(async (options: SetOptions, command: Command) => {
      const { after, atLeast, unless } = options;
      const members = {
        after_days: readDays(after, '--after'),
        ...(atLeast === undefined ? {} : { at_least_days: readDays(atLeast, '--at-least') }),
        ...(unless === undefined ? {} : { unless: readFilters(unless) }),
      };
      const rule = await atDesk(command, async (desk, store) => {
        const [{ unique_identifier: account }] = openAccounts(store, await store.accounts.list(), [
          options.account,
        ]);
        const sent = { members: { ...members, account }, flags: SET, options };
        return call<RetentionRule>(desk, 'create_retention_rule', sent);
      });
      const { unique_identifier: id } = rule;
      print(options.json, rule, `${id} is paused: look at "ledgerstone retention preview ${id}".`);
    });
  made(retention, 'list')
    .description('List the rules of all accounts, newest first')
    .examples(['ledgerstone retention list', 'See what goes by itself, and what is stopped'])
    .action(async ({ json }: Json, command: Command) => {
      const all = await atDesk(command, (desk) =>
        every<RetentionRule>(desk, 'list_retention_rules'),
      );
      const rows = all.map((one) => [
        ...[one.unique_identifier, statusOf(one), one.resource, `${one.after_days}d`, one.since],
        one.location ?? '-',
        one.last_run === null ? '-' : `${one.last_run.status}, ${one.last_run.removed} removed`,
        one.basis,
      ]);
      print(json, all, ...(rows.length === 0 ? ['There are no rules.'] : table(RULES, rows)));
    });
  made(retention, 'preview <id>')
    .description('Count what a rule would remove now, by year and location; removes nothing')
    .examples(['ledgerstone retention preview ret_…', 'Before you enable it'])
    .action(async (id: string, { json }: Json, command: Command) => {
      const rule = await atDesk(command, async (desk, store) => {
        await call(desk, 'preview_retention_rule', { id });
        const asked = await store.retention.find(id);
        const piece = asked?.counting_since && previewing({ store, resources }, asked);
        while (piece && !(await piece())) await pause(PAUSE_MS);
        return call<RetentionRule>(desk, 'get_retention_rule', { id });
      });
      print(json, rule, ...previewLines(rule));
    });
  made(retention, 'enable <id>')
    .description('Let a rule run, now and each day; wants a preview of the last day')
    .addOption(settingOption('secret_key_file'))
    .examples(['ledgerstone retention enable ret_…', 'After you looked at the preview'])
    .action(async (id: string, { json }: Json, command: Command) => {
      const rule = await atDesk(command, (desk) => call(desk, 'enable_retention_rule', { id }));
      print(json, rule, `${id} is enabled: the service runs it within a minute, and each day.`);
    });
  made(retention, 'pause <id>')
    .description('Stop a rule, also in the middle of a run')
    .examples(['ledgerstone retention pause ret_…', 'While you find out'])
    .action(async (id: string, { json }: Json, command: Command) => {
      const rule = await atDesk(command, (desk) => call(desk, 'pause_retention_rule', { id }));
      print(json, rule, `${id} is paused.`);
    });
  made(retention, 'runs <id>')
    .description('List what the runs of a rule removed and left, newest first')
    .examples(['ledgerstone retention runs ret_…', 'What went this week'])
    .action(async (id: string, { json }: Json, command: Command) => {
      const all = await atDesk(command, (desk) =>
        every<RetentionRun>(desk, 'list_retention_runs', { id }),
      );
      const rows = all.map((one) => [
        ...[one.began_at, one.status, `${one.removed}`, `${one.held}`, `${one.spared}`],
        ...[`${one.seconds}`, one.stopped_because ?? '-'],
      ]);
      print(json, all, ...(rows.length === 0 ? ['It has not run yet.'] : table(RUNS, rows)));
    });
  addMembers(made(retention, 'lift <id>'), named('lift_retention_rule'), LIFT)
    .description('Let what a rule removed be sent again, after a mistake; also of a removed rule')
    .examples(['ledgerstone retention lift ret_…', 'Its senders bring it back'])
    .action(async (id: string, options: Json, command: Command) => {
      const lifted = await atDesk(command, async (desk) => {
        const sent = { id, flags: LIFT, options };
        for (let before = 0; ; ) {
          const some = await call<RetentionLift>(desk, 'lift_retention_rule', sent);
          before += some.lifted;
          if (!some.has_more) return { ...some, lifted: before };
        }
      });
      print(options.json, lifted, `${count(lifted.lifted, 'record')} may be sent again.`);
    });
  made(retention, 'remove <id>')
    .description('Remove a rule and the reports of its runs; what it removed stays removed')
    .examples(['ledgerstone retention remove ret_…', 'When a policy ends'])
    .action(async (id: string, { json }: Json, command: Command) => {
      const removed = await atDesk(command, (desk) => call(desk, 'delete_retention_rule', { id }));
      print(json, removed, `Removed ${id}.`);
    });
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
    ...(rows.length === 0 ? [] : table(['YEAR', 'LOCATION', 'GOES', 'HELD', 'SPARED'], rows)),
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

function atDesk<Result>(
  command: Command,
  work: (desk: OperationDesk, store: Store) => Promise<Result>,
): Promise<Result> {
  return withStore(command, { records: true }, async (store, audit) => {
    const isKeyed = command.name() === 'enable' && sealerOf(command) !== undefined;
    const retention = new RetentionDesk(store, { resources, now: Date.now, isKeyed });
    const caller = officerOf(await allAccounts(store));
    return work({ services: { retention, store }, caller, audit }, store);
  });
}

function made(retention: Command, name: string): Command {
  return (retention.command(name) as Command).option(
    '--json',
    'Print JSON, as in the API',
  ) as Command;
}
