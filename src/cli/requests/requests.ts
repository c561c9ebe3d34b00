/** `ledgerstone requests` and `activity`: refused requests with their reasons, and counts of all requests. */
import type { Activity, RefusedRequest } from '../../../client/src/generated/objects.d.ts';
import { catalogue } from '../../core/errors.ts';
import { listActivity, listRequests } from '../../edge/operations/log/requests.ts';
import { MAX_REFUSED } from '../../store/promises/requests.ts';
import { type At, addDerived, type ReadOption } from '../derived.ts';
import { keyCalled } from '../found.ts';
import type { Command } from '../help.ts';
import { Mistake } from '../mistake.ts';
import { align, plain, say } from '../output.ts';
import { shortOption } from '../service/settings.ts';

interface Completeness {
  readonly complete: boolean;
  readonly complete_since: string;
}

const KEY = [
  '--key <key>',
  'Only requests of this key, by its identifier, its name or the last four characters of its secret, or of this person, stf_…',
] as const;
const reads: Readonly<Record<string, ReadOption>> = {
  /** The identifier of a key; a person goes by theirs. */
  key: async (called: string, _, __, { here }) => {
    // A service elsewhere knows keys by their identifiers.
    if (here === undefined || called.startsWith('stf_')) return called;
    return keyCalled(await here.store.keys.list(), called, here.store).unique_identifier;
  },
};

export function addRequests(program: Command): void {
  addDerived(program, {
    name: 'requests',
    says: 'See which requests were refused, and why',
    operations: [listRequests],
    options: [shortOption('secret_key_file')],
    takes: ['query', 'store'],
    commands: {
      list: {
        says: 'List refused requests, newest first: time, key, address, path, error codes, parameters and row numbers, but no submitted values. They are kept for 30 days, 10,000 per key, and appear within seconds',
        flags: { key: KEY, request_id: '--request <id>', code: '--code <code>' },
        reads: { ...reads, code: readCode },
        most: 100,
        lateMs: 15_000,
        // One request is looked up in the whole log, unless a start is given.
        members: async ({ request, identifier }, { command, here }) => {
          // Only who asks for an identifier needs the key of its fingerprints.
          if (identifier !== undefined) await here?.take(['fingerprints']);
          return request !== undefined && command.getOptionValueSource('since') === 'default'
            ? { time: undefined }
            : {};
        },
        runs: async (at) => {
          const found = await at.every<RefusedRequest>('list_requests');
          const { request, identifier } = at.options;
          if (identifier !== undefined) await sayHowComplete(at);
          if (found.length > 0 || request === undefined) return found;
          throw new Mistake(
            `${request} is not among the refused requests that are kept (30 days, ${MAX_REFUSED.toLocaleString('en-US')} of each key). Either it was not refused, or it is older, or another option leaves it out.`,
          );
        },
        none: 'Nothing was refused.',
        saysWhich: true,
        each: refusedLines,
        examples: {
          '': 'See why requests of the last 24 hours were refused',
          '--key key_… --since 12h': "Why rows of a partner's nightly file were refused",
          '--follow': 'Watch while a partner tests',
        },
      },
    },
  });
}

export function addActivity(program: Command): void {
  addDerived(program, {
    name: 'activity',
    says: 'See how much was done',
    operations: [listActivity],
    takes: ['query', 'store'],
    commands: {
      list: {
        says: 'Count requests and rows by key, resource and outcome; with --json, by hour and location, too. They are kept for 45 days',
        flags: { key: KEY },
        reads,
        runs: (at) => at.every('list_activity'),
        prints: activityTable,
        examples: { '--account acct_… --since 7d': 'What came in for an account in a week' },
      },
    },
  });
}

/** Says from when on each refusal of a record would be found, where some before that may not be. */
async function sayHowComplete(at: At): Promise<void> {
  const page = await at.call<Partial<Completeness>>('list_requests');
  if (page.complete !== false || page.complete_since === undefined) return;
  say(
    `This list may lack refusals of the record before ${page.complete_since}: of requests that were refused before their body was read, of rows whose identifier could not be read, and of what is no longer kept.`,
  );
}

function readCode(code: string, option: string): string {
  if (Object.hasOwn(catalogue, code)) return code;
  throw new Mistake(
    `${option} ${JSON.stringify(code)} is not an error code. docs/errors.md lists them.`,
  );
}

/** Activity, summed by key, resource and outcome. */
function activityTable(activity: readonly Activity[]): readonly string[] {
  const groups = Map.groupBy(activity, ({ key, resource = '-', outcome }) =>
    [key, resource, outcome].join(' '),
  );
  const rows = [...groups].map(([name, group]) => {
    const count = group.reduce((sum, one) => sum + one.count, 0);
    const last = group.map(({ last_at }) => last_at).sort();
    return [...name.split(' '), count.toLocaleString('en-US'), last.at(-1) ?? ''];
  });
  if (rows.length === 0) return ['Nothing was done.'];
  return align([['KEY', 'RESOURCE', 'OUTCOME', 'COUNT', 'LAST'], ...rows.sort()]);
}

/** A line for the request, and one below it for each kind of fault. */
function refusedLines(request: RefusedRequest): readonly string[] {
  const { time, method, path, status, key, address, request_id, authentication, rows } = request;
  const { code, message, errors } = request;
  const who = [key ?? 'unknown key', `from ${address ?? 'an unknown address'}`, request_id];
  const counts = Object.entries(rows ?? {}).map(
    ([what, count]) => `${count.toLocaleString('en-US')} ${what}`,
  );
  return [
    `${time.replace(/\.\d+/, '')}  ${status}  ${method} ${path}`,
    `  ${who.join('  ')}`,
    ...(counts.length === 0 ? [] : [`  rows: ${counts.join(', ')}`]),
    ...(authentication ? [`  the key is ${authentication.replaceAll('_', ' ')}`] : []),
    ...(errors.length === 0 ? [{ code, message, count: 1 }] : errors).flatMap((fault) => [
      `  ${faultText(fault)}`,
      ...wrapped(fault.message).map((line) => `    ${line}`),
    ]),
  ].map(plain);
}

/** A sentence as lines of at most 76 characters, as far as its words allow. */
function wrapped(text: string): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= 76) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

function faultText(fault: RefusedRequest['errors'][number]): string {
  const { code, param, count, lines, elements } = fault;
  const where = param === undefined ? code : `${code}  ${param}`;
  const rows = lines ?? elements;
  if (rows === undefined) return count > 1 ? `${where}  (${count} times)` : where;
  const more = count > rows.length ? `, and ${count - rows.length} more` : '';
  const what = lines === undefined ? 'element' : 'line';
  return `${where}  ${what}${rows.length === 1 ? '' : 's'} ${rows.join(', ')}${more}`;
}
