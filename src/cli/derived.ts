/** Commands made of operations: options, checks and what is printed follow from the declarations. */
import { Option } from 'commander';
import { ApiError } from '../core/errors.ts';
import type { Kind } from '../core/schema/fields/kind.ts';
import { presentTime } from '../core/schema/present/present.ts';
import { operatorOf } from '../records/auth/operator.ts';
import type { Principal } from '../records/auth/principal.ts';
import type { Account, Store } from '../store/promises/store.ts';
import type { CommandAudit } from './audit/record-command.ts';
import { allAccounts } from './found.ts';
import type { Command } from './help.ts';
import { locationsIn, openAccounts } from './keys/key-scope.ts';
import { Mistake } from './mistake.ts';
import {
  type CommandOperation,
  namedOperations,
  type OperationDesk,
  type Sent,
} from './operation.ts';
import { print } from './output.ts';
import { type ListColumns, rowsOf, tableOf } from './own-view.ts';
import { elsewhereOption, StoreNeeded, serviceAt, storeAt } from './service/elsewhere.ts';
import { withStore } from './store.ts';
import { readMoment, readPast } from './time.ts';

export type Options = Readonly<Record<string, unknown>> & { readonly json?: true };

type Lines = readonly string[];
export interface DerivedCommand {
  /** The name of the operation, where the command's own does not say it. */
  readonly of?: string;
  /** The description; the summary of the operation by default. */
  readonly says?: string;
  /** Arguments and options, and what they do; derived for `show`. */
  readonly examples?: readonly (readonly [options: string, does: string])[];
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
  /** How many entries of a list are printed unless --limit says otherwise; all where left out. */
  readonly most?: number;
  /** The text printed for an empty list. */
  readonly none?: string;
  /** The members printed of one object; all of them by default. */
  readonly prints?: (answer: never, id: string, at: At) => Lines | Promise<Lines>;
  /** In place of calling the operation once. */
  readonly runs?: (at: At) => Promise<unknown>;
  /** Whether it needs none of the members, as it knows what is left out. */
  readonly partial?: true;
  /** Whether it cannot work on a service elsewhere. */
  readonly works?: 'here';
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
  readonly lines: Lines;
}

export interface At extends OperationDesk {
  readonly store: Store;
  readonly audit: CommandAudit;
  readonly command: Command;
  readonly id: string;
  readonly flags: Readonly<Record<string, string>>;
  readonly options: Options;
  /** Reads the options as members of the operation. */
  readonly members: object;
  /** Reads other options as members, with all their faults. */
  readonly read: (options: Options) => Promise<Found>;
  /** Calls an operation of the group with what the options say, and more. The audit has the first call of each. */
  readonly call: <Result>(name: string, more?: Sent) => Promise<Result>;
  /** The mistake of an identifier that names nothing. */
  readonly missing: (what: string) => Mistake;
  /** All entries of a list. */
  readonly every: <Entry extends Listed>(name: string) => Promise<readonly Entry[]>;
}

interface Found {
  readonly members: Readonly<Record<string, unknown>>;
  readonly faults: readonly string[];
}

interface Listed {
  readonly unique_identifier: string;
}

interface Opened {
  readonly services: OperationDesk['services'];
  readonly caller?: Principal;
  readonly close?: () => void;
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
  readonly open: (store: Store, command: Command) => Opened | Promise<Opened>;
  /** The identifier of what is called so, and how it can be called, for the help. */
  readonly identify?: (called: string, at: At) => Promise<string>;
  readonly called?: string;
  /** By name and arguments, such as `release <id>`. */
  readonly commands: Readonly<Record<string, DerivedCommand>>;
}

/** Members of pages: a list is read whole. */
const PAGING = ['limit', 'starting_after'];

export function addDerived(program: Command, group: DerivedGroup): Command {
  const parent = program.command(group.name).description(group.says) as Command;
  const named = namedOperations(group.operations);
  for (const [name, derived] of Object.entries(group.commands)) {
    const [verb = ''] = name.split(' ');
    const operation = derived.of === undefined ? named.called(verb) : named.named(derived.of);
    // Where there is no operation for one, it is looked for in the list.
    const finds = verb === 'show' && !operation.route.includes(':');
    const flags = finds ? {} : flagsOf(operation, derived);
    const command = parent.command(name) as Command;
    for (const [member, flag] of Object.entries(flags))
      command.addOption(new Option(flag, wordsOf(operation, derived, member)));
    const { columns } = derived;
    const { name: of, id: one } = operation;
    const what = one?.says.replace('Identifies the ', '') ?? group.one ?? 'entry';
    const answered = async ({ id, every, call, missing }: At): Promise<unknown> => {
      if (columns === undefined && !finds) return call(of);
      const all = await every(of);
      if (!finds) return all;
      const found = all.find(({ unique_identifier }) => unique_identifier === id);
      if (found === undefined) throw missing(what);
      return found;
    };
    const most = derived.most === undefined ? [] : [mostOption(derived.most)];
    for (const option of [...(derived.options ?? []), ...most, ...(group.options ?? [])])
      command.addOption(option);
    const isPublic = operation.route.includes(' /v1/') && derived.works !== 'here';
    // An endpoint has a URL of its own.
    const service = 'url' in flags ? 'service' : 'url';
    if (isPublic) command.addOption(elsewhereOption(service));
    command.option('--json', 'Print JSON');
    const calls = name.includes('<') && group.called ? `. ${group.called}` : '';
    command.description((derived.says ?? operation.summary ?? '') + calls);
    const shown = [`${one?.prefix}…`, `See all about one ${what}`] as const;
    for (const [sent, does] of derived.examples ?? [shown])
      command.examples([`ledgerstone ${group.name} ${verb} ${sent}`.trimEnd(), does]);
    command.action(async (...given: readonly unknown[]) => {
      const called = given.length > 2 && given[0] !== undefined ? String(given[0]) : '';
      const options = given.at(-2) as Options;
      const { threads = false, identify } = group;
      derived.makesStore?.(options);
      const opening = { threads, records: true, create: derived.makesStore !== undefined };
      const { [service]: address } = options;
      const url = isPublic && address !== undefined ? String(address) : undefined;
      const elsewhere = url === undefined ? undefined : serviceAt(url);
      const shown = await (url !== undefined && elsewhere !== undefined
        ? work(storeAt(url, elsewhere))
        : withStore(command, opening, work));
      print(options.json, shown.answer, ...shown.lines);

      async function work(store: Store, audit?: CommandAudit): Promise<Shown> {
        const opened: Opened = elsewhere ? { services: {} } : await group.open(store, command);
        const { services, caller = operatorOf(elsewhere ? [] : await allAccounts(store)) } = opened;
        const desk = { services, caller, elsewhere };
        const audited = audit === undefined ? desk : { ...desk, audit };
        const done = new Set<string>();
        const at: At = {
          ...{ services, caller, store, command, flags, options },
          get audit() {
            if (audit !== undefined) return audit;
            throw new StoreNeeded('This works on the store itself: leave out --url.');
          },
          get id() {
            return sent.id ?? called;
          },
          get members() {
            return sent.members ?? {};
          },
          async read(own) {
            const found = await readMembers(operation, derived, flags, own, at);
            if (found.faults.length > 0) return found;
            const id =
              called && identify ? await identify(called, at).catch(orElse(called)) : called;
            sent = { flags, id, members: found.members };
            const more = await derived.members?.(own, at);
            return { ...found, members: { ...found.members, ...more } };
          },
          call: (name, more) => {
            const again = done.has(name);
            done.add(name);
            return named.call(again ? desk : audited, name, { ...sent, ...more });
          },
          missing: (what) =>
            new Mistake(
              `There is no ${what} ${JSON.stringify(called)} in ${store.place}: "ledgerstone ${group.name} list" shows those that exist.`,
            ),
          every: (name) => named.every(audited, name, sent, mostOf(options)),
        };
        let sent: Sent = {};
        try {
          const instead = await derived.instead?.(at);
          if (instead !== undefined) return instead;
          const { members, faults } = await at.read(options);
          if (faults.length > 0) throw new Mistake(faults.join('\n'));
          sent = { ...sent, members };
          const answer = await (derived.runs ?? answered)(at).catch((error: unknown) => {
            // A list goes without what the store says more of it.
            if (!(error instanceof StoreNeeded && columns && !options.follow)) throw error;
            return answered(at);
          });
          const lines = async () => linesOf(derived, answer, at);
          return { answer, lines: await lines().catch(orElse(rowsOf(answer as object))) };
        } catch (error) {
          throw isMissing(error) ? at.missing(what) : error;
        } finally {
          opened.close?.();
        }
      }
    });
  }
  return parent;
}

/** Gives that where the store is needed; throws any other error. */
function orElse<T>(instead: T) {
  return (error: unknown): T => {
    if (error instanceof StoreNeeded) return instead;
    throw error;
  };
}

/** Whether what the path names is not there. */
function isMissing(error: unknown): boolean {
  const { cause } = error as Error;
  return (
    cause instanceof ApiError && cause.code === 'resource_missing' && cause.param === undefined
  );
}

const MOST = 100_000;

function mostOption(most: number): Option {
  return new Option('--limit <number>', 'How many at most').default(String(most));
}

/** How many entries of a list are wanted. */
function mostOf({ limit }: Options): number | undefined {
  if (limit === undefined) return undefined;
  const most = /^\d{1,6}$/.test(String(limit)) ? Number(limit) : 0;
  if (most >= 1 && most <= MOST) return most;
  throw new Mistake(
    `--limit must be a whole number from 1 to ${MOST}, not ${JSON.stringify(limit)}.`,
  );
}

function flagsOf(
  { query, body }: CommandOperation,
  { flags: own = {}, columns }: DerivedCommand,
): Readonly<Record<string, string>> {
  const flags: Record<string, string> = {};
  for (const [member, { kind, says }] of Object.entries({ ...query, ...body })) {
    const { [member]: flag = flagOf(member, kind, says) } = own;
    if (flag === false || (columns && PAGING.includes(member))) continue;
    flags[member] = typeof flag === 'string' ? flag : flag[0];
  }
  return flags;
}

/** `records` of a list: `--record <id...>`. */
function flagOf(member: string, kind: Kind<unknown>, says: string): string {
  const { type, enum: choices } = kind.schema as Schema;
  const name = member.replaceAll('_', '-');
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

function wordsOf(
  { query, body }: CommandOperation,
  { flags }: DerivedCommand,
  member: string,
): string {
  const own = flags?.[member];
  if (typeof own === 'object') return own[1];
  const { kind, says } = { ...query, ...body }[member] as NonNullable<
    CommandOperation['body']
  >[string];
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
async function readMembers(
  { query, body }: CommandOperation,
  { reads = {}, partial }: DerivedCommand,
  flags: Readonly<Record<string, string>>,
  options: Options,
  at: At,
): Promise<Found> {
  const members: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [member, { kind, required, omittable }] of Object.entries({ ...query, ...body })) {
    if (!(member in flags)) continue;
    const option = new Option(flags[member] ?? '');
    const long = option.long ?? '';
    const value = options[option.attributeName()];
    if (value === undefined) {
      if (required && omittable !== true && !partial) faults.push(`${long} is required.`);
      continue;
    }
    const { [member]: own } = reads;
    try {
      if (own !== undefined) members[member] = await own(value as never, long, options, at);
      else members[member] = await (typeof value === 'string' ? read(value) : readList(value));
    } catch (error) {
      if (!(error instanceof Mistake)) throw error;
      faults.push(error.message);
    }
    async function readList(given: unknown): Promise<unknown> {
      const isScope = 'accounts' in flags && /^(accounts|locations)$/.test(member);
      if (!isScope || options.account === undefined) return given;
      const accounts = await accountsIn(options.account as readonly string[], at);
      if (member === 'accounts') return accounts.map(({ unique_identifier }) => unique_identifier);
      return locationsIn(at.store, given as readonly string[], accounts);
    }
    async function read(text: string): Promise<unknown> {
      if (member === 'account') return (await accountsIn([text], at))[0]?.unique_identifier;
      if (kind.name === TIME)
        return presentTime((isPast(member) ? readPast : readMoment)(text, long, Date.now()));
      const isNumber = (kind.schema as Schema).type === 'integer' && /^-?\d+$/.test(text);
      return isNumber ? Number(text) : text;
    }
  }
  return { members, faults: [...new Set(faults)] };
}

const accountsIn = async (given: readonly string[], { store }: At): Promise<readonly Account[]> =>
  openAccounts(store, await store.accounts.list(), given);

function linesOf(
  { columns, none = 'There are none.', prints }: DerivedCommand,
  answer: unknown,
  at: At,
): Lines | Promise<Lines> {
  if (columns === undefined)
    return prints?.(answer as never, at.id, at) ?? rowsOf(answer as object);
  const entries = answer as readonly object[];
  return entries.length === 0 ? [none] : tableOf(columns, entries);
}
