/** Operations as commands call them: with members that options give, and faults in terms of these options. */
import type { Option } from 'commander';
import { ApiError } from '../../core/errors.ts';
import { Mistake } from '../mistake.ts';
import type { CommandOperation, Performer } from './performer.ts';

/** The members of an operation that options give, each with its option. */
export type Flags = Readonly<Record<string, Option>>;

export interface Sent {
  /** The identifier of the path. */
  readonly id?: string;
  /** Other parts of the path, by their names. */
  readonly inPath?: Readonly<Record<string, string>>;
  /** Members of the query or the body, by their names. */
  readonly members?: object;
  /** The account, where members do not say it. */
  readonly account?: string | undefined;
  /** For faults. */
  readonly flags?: Flags;
}

/** Performs the operation and gives its answer. Throws what the interface would answer, in terms of the options. */
export async function callOperation<Answer>(
  operation: CommandOperation,
  { perform }: Pick<Performer, 'perform'>,
  given: Sent,
): Promise<Answer> {
  const { id = '', inPath = {}, members = {}, account, flags = {} } = given;
  const sent = Object.entries(members).filter(([, value]) => value !== undefined);
  const { query = {} } = operation;
  const inQuery = sent
    .filter(([name]) => name in query)
    .flatMap(([name, one]) => pairsOf(name, one));
  const body = Object.fromEntries(sent.filter(([name]) => !(name in query)));
  const about = { ...(account === undefined ? {} : { account }), ...Object.fromEntries(sent) };
  try {
    return (await perform(operation, { id, inPath, query: inQuery, body, about })) as Answer;
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
  performer: Pick<Performer, 'perform'>,
  sent: Sent,
  most = Number.POSITIVE_INFINITY,
): Promise<readonly Entry[]> {
  const all: Entry[] = [];
  const { query, answers } = operation;
  const { maximum: limit } = (query?.limit?.kind.schema ?? {}) as { readonly maximum?: number };
  for (let starting_after: string | undefined; ; ) {
    const members = { limit: limit && Math.min(limit, most), ...sent.members, starting_after };
    const page = await callOperation<ListPage<Entry>>(operation, performer, { ...sent, members });
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
    // A name without an underscore may be any word, but where a message begins with it.
    const text = said.reduce(
      (text, [name, option]) =>
        text.replace(
          name.includes('_')
            ? new RegExp(`(?<![\\w-])${name}(\\.\\w+)*(?!\\w)`, 'g')
            : new RegExp(`^${name}(\\.\\w+)*(?!\\w)`),
          option,
        ),
      message,
    );
    const own = flags[member]?.long;
    return own === undefined || own === null || text.includes(own) ? text : `${own}: ${text}`;
  });
  return new Mistake(messages.join('\n'), { cause: error });
}
