/** Groups of commands that follow from their operations: verbs, options, columns, examples and sentences. */
import type { Room } from '../../app/bag.ts';
import { resources } from '../../core/registry.ts';
import { capitalised } from '../../core/schema/present/words.ts';
import type { Operation } from '../../edge/operations/operation.ts';
import { addDerived } from '../derived.ts';
import type { Command, Examples } from '../help.ts';
import { rowsOf } from '../output.ts';
import { withSources } from '../sources/names.ts';
import type { FeatureOperations } from './feature.ts';
import type { At, DerivedCommand, DerivedGroup } from './members.ts';

interface WholeGroup
  extends Pick<DerivedGroup, 'name' | 'says' | 'takes'>,
    Partial<Pick<DerivedGroup, 'callerOf' | 'options'>> {
  readonly operations: readonly Operation[];
  /** Differences from what follows, by the verb. */
  readonly but?: Readonly<Record<string, DerivedCommand>>;
  /** Commands beside those, by name and arguments. */
  readonly more?: DerivedGroup['commands'];
}

export function addWhole(
  program: Command,
  { operations, but = {}, more, ...group }: WholeGroup,
): Command {
  const performed = operations.filter(({ uncommanded }) => uncommanded === undefined);
  const commands = performed.map((one): [string, DerivedCommand] => {
    const words = wordsOf(one);
    const [verb = ''] = words.split(' ');
    const { [verb]: differs = {} } = but;
    return [words, { of: one.name, ...commandOf(one, words, differs), ...differs }];
  });
  const isShown = commands.some(([words]) => words.startsWith('show '));
  return addDerived(program, {
    ...group,
    one: operations.find(({ on }) => on !== undefined)?.on?.name.replaceAll('_', ' ') ?? 'entry',
    says: group.says.replace(/\.$/, ''),
    operations,
    commands: {
      ...Object.fromEntries(commands),
      // Where there is no operation for one, it is looked for in the list.
      ...(isShown ? {} : { 'show <id>': { ...but.show } }),
      ...more,
    },
  });
}

/** The commands of a feature. */
export function addFeature(
  program: Command,
  {
    name,
    service,
    tag,
    operations,
    takes = [],
    ...own
  }: FeatureOperations & { readonly name: string; readonly service: Room } & Partial<
      Pick<WholeGroup, 'but' | 'callerOf' | 'more' | 'options'>
    >,
): Command {
  return addWhole(program, {
    ...own,
    name,
    says: tag.description,
    operations: operations(resources),
    takes: [...takes, service],
  });
}

const VERBS: Readonly<Record<string, string>> = { PATCH: 'change', DELETE: 'delete', GET: 'show' };

/** `list`, `place`, `show <id>`, `release <id>`: by the route, and of what is made by the first word of the name. */
function wordsOf({ name, route, command }: Operation): string {
  if (command !== undefined) return command;
  const [method = '', path = ''] = route.split(' ');
  const last = path.split('/').at(-1) ?? '';
  const [first = ''] = name.split('_');
  if (!path.includes(':')) return method === 'GET' ? 'list' : first;
  const verb = last.startsWith(':') ? (VERBS[method] ?? first) : last.replaceAll('_', '-');
  return `${verb} <id>`;
}

function commandOf(
  operation: Operation,
  words: string,
  { flags }: Pick<DerivedCommand, 'flags'>,
): DerivedCommand {
  const { summary, description, on } = operation;
  const told = plainly(description, { ...operation.query, ...operation.body }, flags);
  const says = {
    says: told.startsWith(summary) ? told : `${summary}. ${told}`,
    short: summary,
    examples: examplesOf(operation, words),
  };
  const argument = /[<[]([a-z_]+)/.exec(words)?.[1] ?? '';
  const isMember = argument in { ...operation.query, ...operation.body };
  const given: DerivedCommand = isMember
    ? { flags: { [argument]: false }, members: (_, { id }) => ({ [argument]: id }) }
    : {};
  const { none } = on?.printed ?? {};
  if (operation.name.startsWith('list_'))
    return {
      ...says,
      ...given,
      columns: columnsOf(on),
      ...(none && { none }),
      ...(namesSource(on) && { runs: (at) => withSources(at, operation.name) }),
    };
  if (operation.route.startsWith('GET ')) return { ...says, ...given };
  return { ...says, ...given, runs: acted(operation.name), prints: toldOf(on) };
}

/** The members of an answer that a sentence can say. */
interface Acted {
  readonly unique_identifier?: string;
  readonly status?: string;
  readonly state?: string;
  readonly deleted?: boolean;
  /** How many an act left as they were: the exit status says if there are any. */
  readonly left_count?: number;
}

const acted =
  (name: string) =>
  async ({ call }: At): Promise<Acted> => {
    const answer = await call<Acted>(name);
    if ((answer.left_count ?? 0) > 0) process.exitCode = 2;
    return answer;
  };

const toldOf =
  (on: Operation['on']) =>
  (answer: Acted): string | readonly string[] => {
    const { unique_identifier: id, deleted, status, state } = answer;
    if (deleted === true) return `${id} is deleted.`;
    const isOne = (answer as { readonly object?: string }).object === on?.name;
    if (isOne && on?.printed?.told !== undefined) return on.printed.told(answer as never);
    const is = status ?? state;
    return id === undefined || is === undefined ? rowsOf(answer) : `${id} is ${is}.`;
  };

const MOST_COLUMNS = 7;

/** The columns that the object declares, or else its first members that are short. */
function columnsOf(on: Operation['on']): NonNullable<DerivedCommand['columns']> {
  const { printed, fields = {} } = on ?? {};
  if (printed?.columns !== undefined) return printed.columns;
  return Object.entries(fields)
    .filter(([, { is, to, kind }]) => is !== 'secret' && is !== 'local' && !to && !kind.isJson)
    .map(([name, { as = name }]) => as)
    .slice(0, MOST_COLUMNS);
}

/** Whether each of them has the source that it is about. */
function namesSource(on: Operation['on']): boolean {
  return Object.entries(on?.fields ?? {}).some(
    ([name, { as = name, kind }]) => as === 'source' && kind.prefix === 'src_',
  );
}

/** The text with options in place of members. */
function plainly(text: string, members: object, flags: DerivedCommand['flags'] = {}): string {
  const optionOf = (member: string): string => {
    const { [member]: flag = `--${member.replaceAll('_', '-')}` } = flags;
    const [option] = [flag].flat();
    return member in members && option ? (option.split(' ')[0] ?? member) : member;
  };
  return text
    .replace(/`(\w+)`/g, (_, name) => optionOf(name))
    .replaceAll('`', '')
    .replaceAll('unique_identifier', 'identifier')
    .replace(/\.$/, '');
}

/** One that gives what has to be given, as the reference shows it. */
function examplesOf({ id, body = {}, sends = {}, summary }: Operation, words: string): Examples {
  const argument = /[<[]([a-z_]+)/.exec(words)?.[1];
  const given = Object.entries(body).flatMap(([member, { required, example }]) => {
    const value = sends[member] ?? example;
    if (!required || typeof value === 'object' || value === undefined) return [];
    const text = String(value).replace(/^([a-z]+_)[0-9A-Za-z]{22}$/, '$1…');
    const word = /[\s"'$*]/.test(text) ? JSON.stringify(text) : text;
    return member === argument ? word : `--${member.replaceAll('_', '-')} ${word}`;
  });
  const first = argument === 'id' ? [`${id?.prefix ?? ''}…`] : [];
  return { [[...first, ...given].join(' ')]: capitalised(summary) };
}
