/** The options of commands that are made of operations: their flags and words, and what they give as members. */
import { Option } from 'commander';
import type { Kind } from '../../core/schema/fields/kind.ts';
import { isRange } from '../../core/schema/fields/kinds/range.ts';
import { presentTime } from '../../core/schema/present/present.ts';
import { locationsIn, openAccounts } from '../keys/key-scope.ts';
import { Mistake } from '../mistake.ts';
import { StoreNeeded } from '../service/elsewhere.ts';
import { readMoment, readPast } from '../time.ts';
import type { At, DerivedCommand, Found, Options, ReadOption } from './command.ts';
import type { CommandOperation } from './operation.ts';

/** Members of pages: a list is read whole. */
const PAGING = ['limit', 'starting_after'];

export const FOLLOW = new Option(
  '--follow',
  'Keep running and print what comes from now on, until Ctrl-C',
);

export const NDJSON = new Option('--ndjson', 'Print each as a line of JSON');

const MOST = 100_000;

export function mostOption(most: number): Option {
  return new Option('--limit <number>', 'How many at most').default(String(most));
}

/** How many entries of a list are wanted. */
export function mostOf({ limit }: Options): number | undefined {
  if (limit === undefined) return undefined;
  const most = /^\d{1,6}$/.test(String(limit)) ? Number(limit) : 0;
  if (most >= 1 && most <= MOST) return most;
  throw new Mistake(
    `--limit must be a whole number from 1 to ${MOST}, not ${JSON.stringify(limit)}.`,
  );
}

/** The options of an operation's members, by their names; `--until` goes with a range. */
export function memberOptions({ query, body }: CommandOperation, { flags = {} }: DerivedCommand) {
  const options: Record<string, Option> = {};
  for (const [member, { kind, says }] of Object.entries({ ...query, ...body })) {
    const isPaging = query !== undefined && member in query && PAGING.includes(member);
    const { [member]: own = !isPaging && flagOf(member, kind, says) } = flags;
    if (own === false) continue;
    const [flag, words] = typeof own === 'string' ? [own, wordsOf(member, kind, says)] : own;
    options[member] = new Option(flag, words);
    if (!isRange(kind)) continue;
    options[member].default('24h');
    options.until = new Option('--until <when>', 'Only what was before');
  }
  return options;
}

/** `records` of a list: `--record <id...>`. */
function flagOf(member: string, kind: Kind<unknown>, says: string): string {
  const { type, enum: choices } = kind.schema as Schema;
  const name = member.replaceAll('_', '-');
  if (isRange(kind)) return '--since <when>';
  if (type === 'boolean') return `--${name}`;
  const isId = member === 'account' || says.includes('unique_identifier');
  const value = isId ? 'id' : kind.name === TIME ? 'when' : type === 'integer' ? 'number' : 'text';
  if (type === 'array') return `--${name.replace(/((?<=ss)e)?s$/, '')} <${value}...>`;
  const words = choices?.join('|') ?? value;
  return `--${name} <${words.length > 30 ? 'name' : words}>`;
}

interface Schema {
  readonly type?: unknown;
  readonly enum?: readonly string[];
}

function wordsOf(member: string, kind: Kind<unknown>, says: string): string {
  if (isRange(kind)) return 'How far back: a duration such as 1h or 7d, a time, or a date';
  if (member === 'account') return 'The account, by identifier or name';
  if (member === 'accounts') return 'The accounts, by identifier or name';
  const more = kind.name === TIME ? '; a time, a date, or a duration such as 90d' : '';
  const choices = (kind.schema as Schema).enum?.join(', ') ?? '';
  const which = choices.length > 30 && choices.length < 200 ? `: ${choices}` : '';
  const words = (says + which + more)
    .replaceAll('`', '')
    .replaceAll('unique_identifier', 'identifier');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const TIME = 'date and time';
/** Members that name a time in the past. */
const isPast = (member: string): boolean => /^(since|received_at)$/.test(member);

/** The members that options give: accounts by name, times as people write them, numbers. */
export async function readMembers(
  { query, body }: CommandOperation,
  { reads = {}, partial }: DerivedCommand,
  options: Options,
  at: At,
): Promise<Found> {
  const members: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [member, { kind, required, omittable }] of Object.entries({ ...query, ...body })) {
    const option = at.flags[member];
    if (option === undefined) continue;
    const long = option.long ?? '';
    const value = options[option.attributeName()];
    if (value === undefined) {
      if (required && omittable !== true && !partial) faults.push(`${long} is required.`);
      continue;
    }
    const { [member]: own = isRange(kind) ? readRange : undefined } = reads;
    try {
      if (own !== undefined) members[member] = await own(value as never, long, options, at);
      else members[member] = await (typeof value === 'string' ? read(value) : readList(value));
    } catch (error) {
      if (!(error instanceof Mistake)) throw error;
      // A service elsewhere knows things by their identifiers.
      if (error instanceof StoreNeeded) members[member] = value;
      else faults.push(error.message);
    }
    async function readList(given: unknown): Promise<unknown> {
      const isScope = 'accounts' in at.flags && /^(accounts|locations)$/.test(member);
      if (!isScope || options.account === undefined) return given;
      const accounts = await openAccounts(at.store, options.account as readonly string[]);
      if (member === 'accounts') return accounts.map(({ unique_identifier }) => unique_identifier);
      return locationsIn(at.store, given as readonly string[], accounts);
    }
    async function read(text: string): Promise<unknown> {
      if (member === 'account') return (await openAccounts(at.store, [text]))[0]?.unique_identifier;
      if (kind.name === TIME)
        return presentTime((isPast(member) ? readPast : readMoment)(text, long, Date.now()));
      const isNumber = (kind.schema as Schema).type === 'integer' && /^-?\d+$/.test(text);
      return isNumber ? Number(text) : text;
    }
  }
  return { members, faults: [...new Set(faults)] };
}

/** The bounds of `--since` and `--until`. */
const readRange: ReadOption = (since: string, option, { until, follow: isEndless }) => {
  const now = Date.now();
  const gte = presentTime(readPast(since, option, now));
  if (until === undefined) return { gte };
  if (isEndless) throw new Mistake('--until and --follow cannot be used together.');
  const lt = presentTime(readPast(String(until), '--until', now));
  if (gte < lt) return { gte, lt };
  throw new Mistake(`--until must be later than --since, and ${lt} is not later than ${gte}.`);
};
