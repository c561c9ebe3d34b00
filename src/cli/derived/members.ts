/** The declaration of commands that are made of operations, and their options: what these are called, and give as members. */
import { Option } from 'commander';
import type { Room } from '../../app/bag.ts';
import type { ListColumns } from '../../core/objects/own-object.ts';
import { anchorShape } from '../../core/registry.ts';
import type { Kind } from '../../core/schema/fields/kind.ts';
import { isRange } from '../../core/schema/fields/kinds/range.ts';
import { presentTime } from '../../core/schema/present/present.ts';
import { type Directory, locationCalled } from '../directory.ts';
import type { Command, Examples } from '../help.ts';
import { accountsOrOpen, locationsIn, openAccounts } from '../keys/key-scope.ts';
import { Mistake } from '../mistake.ts';
import { readEarlier, readMoment } from '../time.ts';
import type { CallerOf } from './here.ts';
import type { Flags, Sent } from './operation.ts';
import type { CommandOperation, Here } from './performer.ts';

export type Options = Readonly<Record<string, unknown>> & { readonly json?: true };

export type Printed = readonly string[];
export interface DerivedCommand {
  /** The name of the operation, where the command's own does not say it. */
  readonly of?: string;
  /** The description; the summary of the operation by default. */
  readonly says?: string;
  /** A shorter description, for the list of commands. */
  readonly short?: string;
  /** Arguments and options, and what they do; derived for `show`. */
  readonly examples?: Examples;
  /** Flags of members that differ from their names, also with words of their own; `false`: the command has no option for it. */
  readonly flags?: Readonly<Record<string, string | readonly [flag: string, says: string] | false>>;
  /** Members whose options are read in a way of their own. */
  readonly reads?: Readonly<Record<string, ReadOption>>;
  /** Members that the command sets itself, from options of its own. */
  readonly members?: (options: Options, at: At) => object | Promise<object>;
  /** Options that are no members. */
  readonly options?: readonly Option[];
  /** The columns of a list, which is read whole. */
  readonly columns?: ListColumns;
  /** The lines of each entry of a list, where it has no columns or is followed. */
  readonly each?: (entry: never, at: At) => Printed | Promise<Printed>;
  /** The milliseconds after which an entry may still come. `--follow` then prints entries as they come. */
  readonly lateMs?: number;
  /** How many entries of a list are printed unless --limit says otherwise; all where left out. */
  readonly most?: number;
  /** The text printed for an empty list. */
  readonly none?: string;
  /** Whether entries say which key or person it is, beside the name. */
  readonly saysWhich?: true;
  /** The members printed of one object; all of them by default. */
  readonly prints?: (answer: never, id: string, at: At) => string | Printed | Promise<Printed>;
  /** In place of calling the operation once. */
  readonly runs?: (at: At) => Promise<unknown>;
  /** Faults of options that are no members, such as that one is missing. */
  readonly lacks?: (at: At) => readonly string[];
  /** Whether it needs none of the members, as it knows what is left out. */
  readonly partial?: true;
  /** In place of all that, where the options want something else, such as the rows of a file. */
  readonly instead?: (at: At) => Promise<Shown> | undefined;
  /** It makes the store where there is none, after this check of the options. */
  readonly makesStore?: (options: Options) => void;
}

/** Reads what an option was given. Throws a `Mistake`. */
export type ReadOption = (given: never, option: string, options: Options, at: At) => unknown;

/** A command's output: as JSON, or as lines. */
export interface Shown {
  readonly answer: unknown;
  readonly lines: Printed;
}

export interface At {
  readonly command: Command;
  readonly id: string;
  readonly flags: Flags;
  readonly options: Options;
  /** Finds accounts and locations by what people call them, and who did something. */
  readonly directory: Directory;
  /** The store, unless a service elsewhere performs the operations. */
  readonly here: Here | undefined;
  /** Reads the options as members of the operation. */
  readonly members: object;
  /** Reads other options as members, with all their faults. */
  readonly read: (options: Options) => Promise<Found>;
  /** Performs an operation of the group with what the options say, and more. */
  readonly call: <Result>(name: string | CommandOperation, more?: Sent) => Promise<Result>;
  /** The mistake of an identifier that names nothing. */
  readonly missing: (what: string) => Mistake;
  /** All entries of a list. */
  readonly every: <Entry extends object>(
    name: string | CommandOperation,
    more?: Sent,
  ) => Promise<readonly Entry[]>;
}

export interface Found {
  readonly members: Readonly<Record<string, unknown>>;
  readonly faults: readonly string[];
}

export interface DerivedGroup {
  readonly name: string;
  readonly says: string;
  /** One of them, where its operations do not say it. */
  readonly one?: string;
  readonly operations: readonly CommandOperation[];
  /** Options of all of its commands. */
  readonly options?: readonly Option[];
  /** Whether a thread of its own writes, so that progress is shown meanwhile. */
  readonly threads?: boolean;
  /** The services that its operations take on a store. */
  readonly takes: readonly Room[];
  /** Who performs them on a store; an operator where left out. */
  readonly callerOf?: CallerOf;
  /** The identifier of what is called so, and how it can be called, for the help. */
  readonly identify?: (called: string, at: At) => Promise<string>;
  readonly called?: string;
  /** By name and arguments, such as `release <id>`. */
  readonly commands: Readonly<Record<string, DerivedCommand>>;
}

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
    .replaceAll('unique_identifier', 'identifier')
    .replace('identifier', member === 'location' ? 'identifier or external identifier' : '$&');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const TIME = 'date and time';
/** Members that name a time in the past. */
const liesBefore = (member: string): boolean => /^(since|received_at)$/.test(member);

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
      faults.push(error.message);
    }
    async function readList(given: unknown): Promise<unknown> {
      const isScope = 'accounts' in at.flags && /^(accounts|locations)$/.test(member);
      if (!isScope || options.account === undefined) return given;
      const accounts = await openAccounts(at.directory, options.account as readonly string[]);
      if (member === 'accounts') return accounts.map(({ unique_identifier }) => unique_identifier);
      return locationsIn(at.directory, given as readonly string[], accounts);
    }
    async function read(text: string): Promise<unknown> {
      if (member === 'account')
        return (await openAccounts(at.directory, [text]))[0]?.unique_identifier;
      if (member === 'location') return locationNamed(at, text);
      if (kind.name === TIME)
        return presentTime((liesBefore(member) ? readEarlier : readMoment)(text, long, Date.now()));
      const isNumber = (kind.schema as Schema).type === 'integer' && /^-?\d+$/.test(text);
      return isNumber ? Number(text) : text;
    }
  }
  return { members, faults: [...new Set(faults)] };
}

/** The location of that identifier, also of its external one; what looks like the former is sent as it is. */
async function locationNamed({ directory, options }: At, text: string): Promise<string> {
  if (text.startsWith(anchorShape.prefix)) return text;
  const accounts = await accountsOrOpen(directory, options.account as string | undefined);
  const found = await locationCalled(directory, text, accounts);
  if (found !== undefined) return found.unique_identifier;
  throw new Mistake(`--location: there is no ${anchorShape.resource} ${JSON.stringify(text)}.`);
}

/** The bounds of `--since` and `--until`. */
const readRange: ReadOption = (since: string, option, { until, follow: isEndless }) => {
  const now = Date.now();
  const gte = presentTime(readEarlier(since, option, now));
  if (until === undefined) return { gte };
  if (isEndless) throw new Mistake('--until and --follow cannot be used together.');
  const lt = presentTime(readEarlier(String(until), '--until', now));
  if (gte < lt) return { gte, lt };
  throw new Mistake(`--until must be later than --since, and ${lt} is not later than ${gte}.`);
};
