/** Commands made of operations: options, checks and what is printed follow from the declarations. */
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '../core/errors.ts';
import { presentTime } from '../core/schema/present/present.ts';
import {
  type At,
  type DerivedCommand,
  type DerivedGroup,
  FOLLOW,
  memberOptions,
  mostOf,
  mostOption,
  NDJSON,
  type Options,
  type Printed,
  readMembers,
  type Shown,
} from './derived/members.ts';
import { callEvery, callOperation, namedOperations, type Sent } from './derived/operation.ts';
import type { Performer } from './derived/performer.ts';
import { missing } from './found.ts';
import type { Command } from './help.ts';
import { Mistake } from './mistake.ts';
import { jsonLine, print, printLines, rowsOf, tableOf } from './output.ts';
import { elsewhereOption, plainHttpOption, serviceAt } from './service/elsewhere.ts';

export type * from './derived/members.ts';

export function addDerived(program: Command, group: DerivedGroup): Command {
  const parent = program.command(group.name).description(group.says) as Command;
  const { named, called } = namedOperations(group.operations);
  for (const [name, derived] of Object.entries(group.commands)) {
    const [verb = ''] = name.split(' ');
    const operation = derived.of === undefined ? called(verb) : named(derived.of);
    // Where there is no operation for one, it is looked for in the list.
    const finds = verb === 'show' && !operation.route.includes(':');
    const flags = finds ? {} : memberOptions(operation, derived);
    const command = parent.command(name) as Command;
    command.performs = operation.name;
    const { columns, each, lateMs } = derived;
    const { name: of, id: one } = operation;
    const what = one?.says.replace('Identifies the ', '') ?? group.one ?? 'entry';
    const isList = columns !== undefined || each !== undefined;
    const answered = async ({ id, every, call, missing }: At): Promise<unknown> => {
      if (!isList && !finds) return call(of);
      const all = await every<{ readonly unique_identifier?: string }>(of);
      if (!finds) return all;
      const found = all.find(({ unique_identifier }) => unique_identifier === id);
      if (found === undefined) throw missing(what);
      return found;
    };
    const own = [
      ...Object.values(flags),
      ...(derived.options ?? []),
      ...(lateMs === undefined ? [] : [FOLLOW]),
      ...(each === undefined ? [] : [NDJSON]),
      ...(derived.most === undefined ? [] : [mostOption(derived.most)]),
    ];
    for (const option of [...own, ...(group.options ?? [])]) command.addOption(option);
    const isPublic = operation.route.includes(' /v1/');
    // An endpoint has a URL of its own.
    const service = 'url' in flags ? 'service' : 'url';
    if (isPublic) command.addOption(elsewhereOption(service)).addOption(plainHttpOption());
    command.option('--json', 'Print JSON');
    const calls = name.includes('<') && group.called ? `. ${group.called}` : '';
    const does = finds ? `Show one ${what}` : (operation.summary ?? '');
    command.description((derived.says ?? does) + calls);
    if (derived.short !== undefined) command.summary(derived.short);
    const prefix = one?.prefix ?? operation.on?.fields.unique_identifier?.kind.prefix;
    const examples = derived.examples ?? { [`${prefix}…`]: `See all about one ${what}` };
    command.examples(examples, `ledgerstone ${group.name} ${verb}`);
    command.action(async (...given: readonly unknown[]) => {
      const said = given.length > 2 && given[0] !== undefined ? String(given[0]) : '';
      const options = given.at(-2) as Options;
      const { identify } = group;
      derived.makesStore?.(options);
      const { [service]: address } = options;
      const shown = await (isPublic && address !== undefined
        ? work(
            serviceAt(String(address), { option: service, plainHttp: Boolean(options.plainHttp) }),
          )
        : onStore(command, group, derived, work));
      print(options.json, shown.answer, ...shown.lines);

      async function work(performer: Performer): Promise<Shown> {
        const { directory, here } = performer;
        const at: At = {
          command,
          flags,
          options,
          directory,
          here,
          get id() {
            return sent.id ?? said;
          },
          get members() {
            return sent.members ?? {};
          },
          async read(own) {
            const found = await readMembers(operation, derived, own, at);
            const faults = [...found.faults, ...(derived.lacks?.(at) ?? [])];
            if (faults.length > 0) return { ...found, faults };
            const id = said && identify ? await identify(said, at) : said;
            sent = { flags, id, members: found.members };
            const more = await derived.members?.(own, at);
            return { ...found, members: { ...found.members, ...more } };
          },
          call: (name, more) => callOperation(named(name), performer, { ...sent, ...more }),
          missing: (what) => missing(what, said, directory, group.name),
          every: (name, more) =>
            callEvery(named(name), performer, { ...sent, ...more }, mostOf(options)),
        };
        let sent: Sent = {};
        try {
          const instead = await derived.instead?.(at);
          if (instead !== undefined) return instead;
          const { members, faults } = await at.read(options);
          if (faults.length > 0) throw new Mistake(faults.join('\n'));
          sent = { ...sent, members };
          if (options.follow && lateMs !== undefined) return await follow(at, of, lateMs, derived);
          const answer = await (derived.runs ?? answered)(at);
          return { answer, lines: await linesOf(derived, answer, at) };
        } catch (error) {
          throw isMissing(error) ? at.missing(what) : error;
        }
      }
    });
  }
  return parent;
}

/** Loads what performs operations on a store, and opens that. */
async function onStore<Result>(
  command: Command,
  { takes, callerOf, threads = false }: DerivedGroup,
  { makesStore }: DerivedCommand,
  work: (performer: Performer) => Promise<Result>,
): Promise<Result> {
  const [{ performing }, { withStore }] = await Promise.all([
    import('./derived/here.ts'),
    import('./store.ts'),
  ]);
  const opening = { threads, records: true, create: makesStore !== undefined };
  return withStore(command, opening, (store, audit) =>
    performing({ store, audit, command, takes, callerOf }, work),
  );
}

/** Whether what the path names is not there. */
function isMissing(error: unknown): boolean {
  const { cause } = error as Error;
  return (
    cause instanceof ApiError && cause.code === 'resource_missing' && cause.param === undefined
  );
}

async function linesOf(
  { columns, each, none = 'There are none.', prints, saysWhich }: DerivedCommand,
  answer: unknown,
  at: At,
): Promise<Printed> {
  const both = (name: string, id: string): string => `${name} (${id})`;
  if (columns === undefined && each === undefined) {
    if (prints) return [await prints(answer as never, at.id, at)].flat();
    return rowsOf(await withNames(answer as object, at, both));
  }
  const given = answer as readonly object[];
  if (at.options.ndjson) return given.map(jsonLine);
  const entries: object[] = [];
  const say = saysWhich ? both : undefined;
  for (const entry of given) entries.push(await withNames(entry, at, say));
  if (entries.length === 0) return [none];
  if (columns !== undefined) return tableOf(columns, entries);
  const lines = await Promise.all(entries.map((one) => each?.(one as never, at) ?? []));
  return lines.flat();
}

const PERSON_OR_KEY = /^(?:stf|key)_/;
/** Members by which commands are told what to work on. */
const KEPT = new Set(['unique_identifier', 'record']);

/** An entry with the names of the people and keys in it, as far as they are known. */
async function withNames(
  entry: object,
  { directory }: At,
  say: (name: string, id: string) => string = (name) => name,
): Promise<object> {
  const named: Record<string, unknown> = { ...entry };
  for (const [member, id] of Object.entries(named)) {
    if (KEPT.has(member) || typeof id !== 'string' || !PERSON_OR_KEY.test(id)) continue;
    const name = await directory.who(id);
    if (name !== id) named[member] = say(name, id);
  }
  return named;
}

/** The pause between two looks. */
const LOOK_MS = 1_000;

interface Entry {
  readonly unique_identifier?: string;
  readonly request_id?: string;
}

/** Prints entries of a list as they come, until Ctrl-C. */
async function follow(
  at: At,
  of: string,
  lateMs: number,
  { columns: _, ...byLine }: DerivedCommand,
): Promise<never> {
  if (at.options.json) throw new Mistake('With --follow, use --ndjson in place of --json.');
  const idOf = ({ unique_identifier, request_id }: Entry) => unique_identifier ?? request_id;
  const began = Date.now();
  for (let seen = new Set<string | undefined>(); ; await pause(LOOK_MS)) {
    // Entries are not in order, and a process may write one late.
    const gte = presentTime(Math.max(began, Date.now() - lateMs));
    const found = await at.every<Entry>(of, { members: { ...at.members, time: { gte } } });
    const fresh = found.filter((one) => !seen.has(idOf(one))).toReversed();
    if (fresh.length > 0) printLines(...(await linesOf(byLine, fresh, at)));
    seen = new Set(found.map(idOf));
  }
}
