/** Performs operations on the store that the command has opened. */
import { type Bag, createBag, type Room, type Taken } from '../../app/bag.ts';
import { Timing } from '../../core/observe/timing.ts';
import { parseStored, stringify } from '../../core/schema/json/json.ts';
import { readerOf } from '../../core/schema/parse/parse.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import type { OperationCall } from '../../edge/operations/operation.ts';
import { operatorOf, type Principal } from '../../records/auth/principal.ts';
import type { Store } from '../../store/promises/store.ts';
import type { CommandAudit } from '../audit/record-command.ts';
import { directoryOf } from '../directory.ts';
import { createConcerned } from '../found.ts';
import type { Command } from '../help.ts';
import { addressFor } from '../service/address.ts';
import { settingsFor } from '../service/settings.ts';
import { keySettings, sealerOf, usableSealer } from '../store.ts';
import type { CommandOperation, Here, OperationRequest, Performer } from './performer.ts';

/** Who calls, given the accounts that it is about; an operator where left out. */
export type CallerOf = (
  store: Store,
  command: Command,
  accounts: () => Promise<readonly string[]>,
) => Principal | Promise<Principal>;

const byOperator: CallerOf = async (_store, _command, accounts) => operatorOf(await accounts());

interface OnStore {
  readonly store: Store;
  readonly audit: CommandAudit;
  readonly command: Command;
  readonly takes: readonly Room[];
  readonly callerOf: CallerOf | undefined;
}

/** Works with what performs on the store, and closes what was made for that. */
export async function performing<Result>(
  { store, audit, command, takes, callerOf = byOperator }: OnStore,
  work: (performer: Performer) => Promise<Result>,
): Promise<Result> {
  const bag = bagFor(store, command);
  try {
    const services = await bag.take(takes);
    const concerned = createConcerned(store);
    const caller: Here['caller'] = async ({ id, about }) =>
      callerOf(store, command, () => concerned({ id, members: about }));
    const take: Here['take'] = async (rooms) => {
      Object.assign(services, await bag.take(rooms));
    };
    const here: Here = { store, audit, services, take, caller };
    return await work({ directory: directoryOf(store), perform: performOn(here), here });
  } finally {
    bag.close();
  }
}

/** The services on a store, by what the command was given. */
export function bagFor(store: Store, command: Command): Bag {
  return createBag({
    store,
    sealer: () => sealerOf(command),
    isKeyed: () => usableSealer(command) !== undefined,
    allowed: () => keySettings(command).webhook_allow,
    journal: async () => (await import('../erasures/journal-for.ts')).journalFor(command, store),
    backupKeepMs: () => {
      const { backup_to, backup_keep } = settingsFor(command, 'backup_to', 'backup_keep');
      return backup_to === undefined ? undefined : backup_keep;
    },
    origin: () => addressFor(command),
  });
}

function performOn({ services, audit, caller: callerOf }: Here): Performer['perform'] {
  /** The audit has the first call of each. */
  const done = new Set<string>();
  return async (operation, request) => {
    const { id, about } = request;
    const caller = await callerOf(request);
    const work = (did: OperationCall<never>['done']) =>
      performed(operation, services, request, caller, did);
    if (done.has(operation.name)) return work(() => {});
    done.add(operation.name);
    const named = Object.entries(about).filter(
      ([name, value]) => typeof value === 'string' || name === 'accounts',
    );
    return audit.perform(operation, { caller, id, ...Object.fromEntries(named) }, work);
  };
}

/** Does the work of an operation. Throws the `ApiError` that the interface would answer. */
export async function performed(
  operation: CommandOperation,
  services: Taken,
  { id, inPath, query, body }: OperationRequest,
  caller: Principal,
  done: OperationCall<never>['done'] = () => {},
): Promise<unknown> {
  const { run, rows } = operation;
  const call: OperationCall<JsonObject> = {
    caller,
    id,
    inPath,
    params: readerOf(operation, {
      encoding: 'json',
      unknown: 'refuse',
      query: String(new URLSearchParams(query.map(([name, value]) => [name, value]))),
      body: Buffer.from(JSON.stringify(body)),
    }),
    conditions: () => ({}),
    timing: new Timing(),
    isGone: () => false,
    authenticate: async () => caller,
    done,
    // The audit has it already.
    grants: async () => {},
    header: () => {},
  };
  if (run !== undefined) {
    const answer = await run(services as never, call);
    return typeof answer === 'string' ? parseStored(answer) : answer;
  }
  const lines: string[] = [];
  const pages = rows?.(services as never, call);
  for (let page = await pages?.next(call.caller); page; page = await pages?.next(call.caller))
    lines.push(...Iterator.from(page).map((row) => stringify(row)));
  return lines;
}
