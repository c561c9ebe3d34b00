/** Commands made of operations: options, checks and what is printed follow from the declarations. */
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '../core/errors.ts';
import { presentTime } from '../core/schema/present/present.ts';
import { operatorOf } from '../records/auth/principal.ts';
import type { Store } from '../store/promises/store.ts';
import type { CommandAudit } from './audit/record-command.ts';
import {
  type At,
  type DerivedCommand,
  type DerivedGroup,
  FOLLOW,
  memberOptions,
  mostOf,
  mostOption,
  NDJSON,
  type Opened,
  type Options,
  type Printed,
  readMembers,
  type Shown,
} from './derived/members.ts';
import {
  type CommandOperation,
  callEvery,
  callOperation,
  namedOperations,
  type OperationContext,
  type Sent,
} from './derived/operation.ts';
import { allAccounts, missing } from './found.ts';
import type { Command } from './help.ts';
import { Mistake } from './mistake.ts';
import { print, printLines, rowsOf, tableOf } from './output.ts';
import { createWho } from './records/who.ts';
import { elsewhereOption, orElse, StoreNeeded, serviceAt, storeAt } from './service/elsewhere.ts';
import { withStore } from './store.ts';

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
    if (isPublic) command.addOption(elsewhereOption(service));
    command.option('--json', 'Print JSON');
    const calls = name.includes('<') && group.called ? `. ${group.called}` : '';
    command.description((derived.says ?? operation.summary ?? '') + calls);
    const examples = derived.examples ?? { [`${one?.prefix}…`]: `See all about one ${what}` };
    command.examples(examples, `ledgerstone ${group.name} ${verb}`);
    command.action(async (...given: readonly unknown[]) => {
      const said = given.length > 2 && given[0] !== undefined ? String(given[0]) : '';
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
        const context = { services, caller, elsewhere };
        const audited = audit === undefined ? context : { ...context, audit };
        const done = new Set<unknown>();
        const contextFor = (name: string | CommandOperation): OperationContext => {
          const again = done.has(name);
          done.add(name);
          return again ? context : audited;
        };
        const at: At = {
          services,
          caller,
          store,
          command,
          flags,
          options,
          elsewhere,
          get audit() {
            if (audit !== undefined) return audit;
            throw new StoreNeeded('This works on the store itself: leave out --url.');
          },
          get id() {
            return sent.id ?? said;
          },
          get members() {
            return sent.members ?? {};
          },
          async read(own) {
            const found = await readMembers(operation, derived, own, at);
            if (found.faults.length > 0) return found;
            const id = said && identify ? await identify(said, at).catch(orElse(said)) : said;
            sent = { flags, id, members: found.members };
            const more = await derived.members?.(own, at);
            return { ...found, members: { ...found.members, ...more } };
          },
          call: (name, more) => callOperation(named(name), contextFor(name), { ...sent, ...more }),
          who: createWho(store),
          missing: (what) => missing(what, said, store, group.name),
          every: (name, more) =>
            callEvery(named(name), contextFor(name), { ...sent, ...more }, mostOf(options)),
        };
        let sent: Sent = {};
        try {
          const instead = await derived.instead?.(at);
          if (instead !== undefined) return instead;
          const { members, faults } = await at.read(options);
          if (faults.length > 0) throw new Mistake(faults.join('\n'));
          sent = { ...sent, members };
          if (options.follow && lateMs !== undefined) return await follow(at, of, lateMs, derived);
          const answer = await (derived.runs ?? answered)(at).catch((error: unknown) => {
            // A list goes without what the store says more of it.
            if (!(error instanceof StoreNeeded && isList)) throw error;
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

/** Whether what the path names is not there. */
function isMissing(error: unknown): boolean {
  const { cause } = error as Error;
  return (
    cause instanceof ApiError && cause.code === 'resource_missing' && cause.param === undefined
  );
}

async function linesOf(
  { columns, each, none = 'There are none.', prints }: DerivedCommand,
  answer: unknown,
  at: At,
): Promise<Printed> {
  if (columns === undefined && each === undefined)
    return [(await prints?.(answer as never, at.id, at)) ?? rowsOf(answer as object)].flat();
  const entries = answer as readonly object[];
  if (at.options.ndjson) return entries.map((one) => JSON.stringify(one));
  if (entries.length === 0) return [none];
  if (columns !== undefined) return tableOf(columns, entries);
  const lines = await Promise.all(entries.map((one) => each?.(one as never, at) ?? []));
  return lines.flat();
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
