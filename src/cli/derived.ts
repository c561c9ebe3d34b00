/** Commands made of operations: options, checks and what is printed follow from the declarations. */
import { Option } from 'commander';
import { ApiError } from '../core/errors.ts';
import type { Kind } from '../core/schema/fields/kind.ts';
import { presentTime } from '../core/schema/present/present.ts';
import type { JsonObject } from '../core/schema/values.ts';
import type { Operation, Services } from '../edge/operations/operation.ts';
import { operatorOf } from '../records/auth/operator.ts';
import type { Principal } from '../records/auth/principal.ts';
import type { Store } from '../store/promises/store.ts';
import { allAccounts } from './found.ts';
import type { Command } from './help.ts';
import { openAccounts } from './keys/key-scope.ts';
import { Mistake } from './mistake.ts';
import { namedOperations, type OperationDesk, type Sent } from './operation.ts';
import { align, print, table } from './output.ts';
import { headingOf } from './own-view.ts';
import { withStore } from './store.ts';
import { readMoment, readPast } from './time.ts';

export type Options = Readonly<Record<string, unknown>> & { readonly json?: true };

type Lines = readonly string[];
/** The columns of a list: members, or headings with a member or the content of a cell. */
export type ListColumns = readonly (
  | string
  | readonly [heading: string, cell: string | ((one: never) => unknown)]
)[];

export interface DerivedCommand {
  /** The name of the operation. */
  readonly of: string;
  /** What it does; the summary of the operation by default. */
  readonly says?: string;
  readonly examples: readonly (readonly [command: string, does: string])[];
  /** Flags of members that differ from their names; `false`: the command has no option for it. */
  readonly flags?: Readonly<Record<string, string | false>>;
  /** Members that the command sets itself, from options of its own. */
  readonly members?: (options: Options, at: At) => object | Promise<object>;
  /** Options that are no members. */
  readonly options?: readonly Option[];
  /** Of a list, which is read whole. */
  readonly columns?: ListColumns;
  /** How many entries of a list are printed unless --limit says otherwise; all where left out. */
  readonly most?: number;
  /** What an empty list prints. */
  readonly none?: string;
  /** What is printed of one; all of its members by default. */
  readonly prints?: (answer: never, id: string, at: At) => Lines | Promise<Lines>;
  /** In place of calling the operation once. */
  readonly runs?: (at: At) => Promise<unknown>;
}

export interface At extends OperationDesk {
  readonly store: Store;
  readonly command: Command;
  readonly id: string;
  readonly options: Options;
  /** What the options say, as members of the operation. */
  readonly members: object;
  /** Calls an operation of the group with what the options say, and more. The audit has the first call of each. */
  readonly call: <Result>(name: string, more?: Sent) => Promise<Result>;
  /** The mistake of an identifier that names nothing. */
  readonly missing: (what: string) => Mistake;
  /** All entries of a list. */
  readonly every: <Entry extends Listed>(name: string) => Promise<readonly Entry[]>;
}

interface Listed {
  readonly unique_identifier: string;
}

interface Opened {
  readonly services: Partial<Services>;
  readonly caller?: Principal;
  readonly close?: () => void;
}

export interface DerivedGroup {
  readonly name: string;
  readonly says: string;
  readonly operations: readonly Operation[];
  /** Options of all of its commands. */
  readonly options?: readonly Option[];
  /** Whether a thread of its own writes, so that progress is shown meanwhile. */
  readonly threads?: boolean;
  readonly open: (store: Store, command: Command) => Opened | Promise<Opened>;
  /** By name and arguments, such as `release <id>`. */
  readonly commands: Readonly<Record<string, DerivedCommand>>;
}

/** Members of pages: a list is read whole. */
const PAGING = ['limit', 'starting_after'];

export function addDerived(program: Command, group: DerivedGroup): Command {
  const parent = program.command(group.name).description(group.says) as Command;
  const named = namedOperations(group.operations);
  for (const [name, derived] of Object.entries(group.commands)) {
    const operation = named.named(derived.of);
    const flags = flagsOf(operation, derived);
    const command = parent.command(name) as Command;
    for (const [member, flag] of Object.entries(flags))
      command.addOption(new Option(flag, wordsOf(operation, member)));
    const most = derived.most === undefined ? [] : [mostOption(derived.most)];
    for (const option of [...(derived.options ?? []), ...most, ...(group.options ?? [])])
      command.addOption(option);
    command.option('--json', 'Print JSON');
    command.description(derived.says ?? operation.summary);
    command.examples(...derived.examples);
    command.action(async (...given: readonly unknown[]) => {
      const id = given.length > 2 ? String(given[0]) : '';
      const options = given.at(-2) as Options;
      const { threads = false } = group;
      const shown = await withStore(command, { threads, records: true }, async (store, audit) => {
        const opened = await group.open(store, command);
        const { services, caller = operatorOf(await allAccounts(store)) } = opened;
        const desk = { services, caller };
        const called = new Set<string>();
        const at: At = {
          ...{ services, caller, store, command, id, options },
          get members() {
            return sent.members ?? {};
          },
          call: (name, more) => {
            const again = called.has(name);
            called.add(name);
            return named.call(again ? desk : { ...desk, audit }, name, { ...sent, ...more });
          },
          missing: (what) =>
            new Mistake(
              `There is no ${what} ${JSON.stringify(id)} in ${store.place}: "ledgerstone ${group.name} list" shows those that exist.`,
            ),
          every: (name) => named.every({ ...desk, audit }, name, sent, mostOf(options)),
        };
        let sent: Sent = { id, flags };
        try {
          const read = await readMembers(operation, flags, at);
          const members = { ...read, ...(await derived.members?.(options, at)) };
          sent = { id, flags, members };
          const answer = await (derived.runs?.(at) ??
            (derived.columns ? at.every(derived.of) : at.call(derived.of)));
          return { answer, lines: await linesOf(derived, answer, at) };
        } catch (error) {
          const what = operation.id?.says.replace('Identifies the ', '') ?? 'entry';
          throw isMissing(error) ? at.missing(what) : error;
        } finally {
          opened.close?.();
        }
      });
      print(options.json, shown.answer, ...shown.lines);
    });
  }
  return parent;
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
  { query, body }: Operation,
  { flags: own = {}, columns }: DerivedCommand,
): Readonly<Record<string, string>> {
  const flags: Record<string, string> = {};
  for (const [member, { kind, says }] of Object.entries({ ...query, ...body })) {
    const { [member]: flag = flagOf(member, kind, says) } = own;
    if (flag !== false && !(columns && PAGING.includes(member))) flags[member] = flag;
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

function wordsOf({ query, body }: Operation, member: string): string {
  const { kind, says } = { ...query, ...body }[member] as NonNullable<Operation['body']>[string];
  if (member === 'account') return 'The account, by identifier or name';
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

/** The members that options give: accounts by name, times as people write them, numbers. All faults of them at once. */
async function readMembers(
  { query, body }: Operation,
  flags: Readonly<Record<string, string>>,
  { options, store }: At,
): Promise<object> {
  const found: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [member, { kind, required, omittable }] of Object.entries({ ...query, ...body })) {
    if (!(member in flags)) continue;
    const option = new Option(flags[member] ?? '');
    const { long = '' } = option;
    const value = options[option.attributeName()];
    if (value === undefined) {
      if (required && omittable !== true) faults.push(`${long} is required.`);
      continue;
    }
    try {
      found[member] = typeof value === 'string' ? await read(value) : value;
    } catch (error) {
      if (!(error instanceof Mistake)) throw error;
      faults.push(error.message);
    }
    async function read(text: string): Promise<unknown> {
      if (member === 'account')
        return openAccounts(store, await store.accounts.list(), [text])[0].unique_identifier;
      if (kind.name === TIME)
        return presentTime((isPast(member) ? readPast : readMoment)(text, long ?? '', Date.now()));
      const isNumber = (kind.schema as Schema).type === 'integer' && /^-?\d+$/.test(text);
      return isNumber ? Number(text) : text;
    }
  }
  if (faults.length > 0) throw new Mistake(faults.join('\n'));
  return found;
}

function linesOf(
  { columns, none = 'There are none.', prints }: DerivedCommand,
  answer: unknown,
  at: At,
): Lines | Promise<Lines> {
  if (columns === undefined)
    return prints?.(answer as never, at.id, at) ?? rowsOf(answer as JsonObject);
  const entries = answer as readonly Readonly<Record<string, unknown>>[];
  if (entries.length === 0) return [none];
  const cells = columns.map((one) => {
    const [heading, cell] = typeof one === 'string' ? [headingOf(one).toUpperCase(), one] : one;
    return { heading, cell };
  });
  const rows = entries.map((one) =>
    cells.map(
      ({ cell }) => textOf(typeof cell === 'string' ? one[cell] : cell(one as never)) || '-',
    ),
  );
  return table(
    cells.map(({ heading }) => heading),
    rows,
  );
}

/** All members of an answer that say something, each under its heading. */
export function rowsOf(answer: JsonObject): readonly string[] {
  return align(
    Object.entries(answer)
      .filter(([name, value]) => name !== 'object' && textOf(value) !== '')
      .map(([name, value]) => [headingOf(name), textOf(value)]),
  );
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(textOf).join(' ');
  if (typeof value !== 'object') return String(value);
  return Object.entries(value)
    .map(([name, one]) => [headingOf(name).toLowerCase(), textOf(one)])
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${name} ${text}`)
    .join(', ');
}
