/** Operations as commands call them: in this process, on the store that the command has opened. */
import type { Option } from 'commander';
import { ApiError } from '../../core/errors.ts';
import { Timing } from '../../core/observe/timing.ts';
import { parseStored } from '../../core/schema/json/json.ts';
import { readerOf } from '../../core/schema/parse/parse.ts';
import type { Administration } from '../../edge/console/session/administrator.ts';
import type { OperationCall, Runnable, Services } from '../../edge/operations/operation.ts';
import type { Principal } from '../../records/auth/principal.ts';
import type { CommandAudit } from '../audit/record-command.ts';
import { Mistake } from '../mistake.ts';
import type { CallService } from '../service/elsewhere.ts';

/** The members of an operation that options give, each with its option. */
export type Flags = Readonly<Record<string, Option>>;

export interface Sent {
  /** The identifier of the path. */
  readonly id?: string;
  /** Other parts of the path, by their names. */
  readonly inPath?: Readonly<Record<string, string>>;
  /** Members of the query or the body, by their names. */
  readonly members?: object;
  /** For faults. */
  readonly flags?: Flags;
}

/** An operation of the interface or of administrators. */
export interface CommandOperation extends Runnable<never> {
  readonly name: string;
  readonly summary?: string;
  readonly answers?: { readonly cursor?: string };
  readonly id?: { readonly says: string; readonly prefix: string };
}

/** Who calls operations, and on what. */
export interface OperationContext {
  readonly caller: Principal;
  readonly services: Partial<Services & Administration>;
  /** Left out where the same was recorded before. */
  readonly audit?: CommandAudit;
  /** The service that does it, if not this process. */
  readonly elsewhere?: CallService | undefined;
}

/** Does the operation and gives its answer. Throws what the interface would answer, in terms of the options. */
export async function callOperation<Answer>(
  operation: CommandOperation,
  { caller, services, audit, elsewhere }: OperationContext,
  { id = '', inPath = {}, members = {}, flags = {} }: Sent,
): Promise<Answer> {
  const sent = Object.entries(members).filter(([, value]) => value !== undefined);
  const { query = {} } = operation;
  const inQuery = sent
    .filter(([name]) => name in query)
    .flatMap(([name, one]) => pairsOf(name, one));
  const body = Object.fromEntries(sent.filter(([name]) => !(name in query)));
  const params = readerOf(operation, {
    encoding: 'json',
    unknown: 'refuse',
    query: String(new URLSearchParams(inQuery)),
    body: Buffer.from(JSON.stringify(body)),
  });
  const named = Object.fromEntries(
    sent.filter(([name, value]) => typeof value === 'string' || name === 'accounts'),
  );
  try {
    if (elsewhere !== undefined)
      return (await elsewhere(operation, { id, inPath, query: inQuery, body })) as Answer;
    const work = async (done: OperationCall<never>['done']): Promise<Answer> => {
      const answer = await operation.run?.(services as never, {
        caller,
        id,
        inPath,
        params,
        conditions: () => ({}),
        timing: new Timing(),
        isGone: () => false,
        authenticate: async () => caller,
        done,
        // The audit has it already.
        grants: async () => {},
        header: () => {},
      });
      return (typeof answer === 'string' ? parseStored(answer) : answer) as Answer;
    };
    return await (audit?.perform(operation, { caller, id, ...named }, work) ?? work(() => {}));
  } catch (error) {
    throw asMistake(error, flags);
  }
}

/** A member of a query, as its pairs of names and texts. */
function pairsOf(name: string, value: unknown): readonly [string, string][] {
  if (typeof value !== 'object' || value === null) return [[name, String(value)]];
  return Object.entries(value).map(([key, one]) => [
    Array.isArray(value) ? `${name}[]` : `${name}[${key}]`,
    String(one),
  ]);
}

/** Finds operations by their names. */
export function namedOperations(operations: readonly CommandOperation[]) {
  const named = (name: string | CommandOperation): CommandOperation => {
    const found = typeof name === 'string' ? operations.find((one) => one.name === name) : name;
    if (found === undefined) throw new TypeError(`${name} is no operation.`);
    return found;
  };
  /** The operation that a command's name says: of a list, of one entry, or by the last word of its path. */
  const called = (verb: string): CommandOperation => {
    const route = ROUTES[verb] ?? new RegExp(`/${verb.replace('-', '_')}$`);
    const found = operations.find((one) => route.test(one.route));
    if (found === undefined && verb === 'show') return called('list');
    return found ?? named(verb);
  };
  return { named, called };
}

/** Reads a list page by page, up to a number of entries. */
export async function callEvery<Entry extends object>(
  operation: CommandOperation,
  context: OperationContext,
  sent: Sent,
  most = Number.POSITIVE_INFINITY,
): Promise<readonly Entry[]> {
  const all: Entry[] = [];
  const { query, answers } = operation;
  const { maximum: limit } = (query?.limit?.kind.schema ?? {}) as { readonly maximum?: number };
  const { audit: _, ...again } = context;
  for (let starting_after: string | undefined; ; ) {
    const members = { limit: limit && Math.min(limit, most), ...sent.members, starting_after };
    const calling = all.length === 0 ? context : again;
    const page = await callOperation<ListPage<Entry>>(operation, calling, { ...sent, members });
    all.push(...page.data);
    if (!page.has_more || all.length >= most) return all.slice(0, most);
    const cursor = answers?.cursor ?? 'unique_identifier';
    starting_after = page.position ?? all.at(-1)?.[cursor as never];
  }
}

const ROUTES: Readonly<Record<string, RegExp>> = {
  list: /^GET [^:]+$/,
  create: /^POST [^:]+$/,
  show: /^GET .*:unique_identifier$/,
  change: /^PATCH /,
  delete: /^DELETE /,
};

export interface ListPage<Entry> {
  readonly data: readonly Entry[];
  readonly has_more: boolean;
  readonly position?: string | null;
}

/** The faults in the words of the command line: options in place of members. Throws any other error. */
export function asMistake(error: unknown, flags: Flags): Mistake {
  if (!(error instanceof ApiError)) throw error;
  const options = Object.entries(flags).map(
    ([member, { long }]) => [member, long ?? member] as const,
  );
  const messages = error.faults.map(({ param = '', message }) => {
    const [member = ''] = param.split('.');
    const others = options.filter(([name]) => name !== member && name.includes('_'));
    const isSaid = others.some(([name]) => message.includes(name));
    const said = options.filter(([name]) => isSaid || name === member);
    return said.reduce(
      (text, [name, option]) =>
        text.replace(
          new RegExp(
            `(?<![\\w-])${name}(\\.\\w+)*(?!\\w)`,
            isSaid || name.includes('_') ? 'g' : '',
          ),
          option,
        ),
      message,
    );
  });
  return new Mistake(messages.join('\n'), { cause: error });
}
