/** `import --url`: a service elsewhere imports the files, which are sent there once. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type {
  ImportLook,
  ImportResult,
  Upload,
} from '../../../../client/src/generated/objects.d.ts';
import { canAsk } from '../../../cli/confirm.ts';
import type { Directory } from '../../../cli/directory.ts';
import { accountsOrOpen } from '../../../cli/keys/key-scope.ts';
import { Mistake } from '../../../cli/mistake.ts';
import { count, print, printJson, say } from '../../../cli/output.ts';
import {
  type AskService,
  askAt,
  errorIn,
  NotReached,
  serviceAt,
} from '../../../cli/service/elsewhere.ts';
import { ApiError } from '../../../core/errors.ts';
import { resources } from '../../../core/registry.ts';
import type { Resource } from '../../../core/schema/define.ts';
import { TransferRefused } from '../../../services/transfer/refused.ts';
import { ColumnsUnknown, type Duplicates, type Mapping } from '../serves/mapping.ts';
import { NO_LIKE, without } from '../serves/memory.ts';
import { noticeText } from '../serves/noticed.ts';
import { resourceFor } from '../serves/plan.ts';
import { freePath } from '../serves/rejected.ts';
import { readText } from '../serves/table/table.ts';
import { OPTIONS } from '../serves/words.ts';
import {
  askFor,
  EXIT_CODE,
  type ImportFlags,
  importProgress,
  inWordsTwice,
  isNews,
  readDelimiter,
  readingsOf,
  readMap,
  readSet,
  readWhole,
} from './asked.ts';
import { createReasons, rejectedIn } from './reasons.ts';

/** As a service takes them. */
const MOST_BYTES = 33_554_432;
/** How often a file goes on after the connection was cut, and the longest pause before. */
const TRIES = 6;
const LONGEST_PAUSE_MS = 30_000;
const JSON_LINES = /^\.(?:ndjson|jsonl)$/i;

type Line = Partial<ImportResult> & { readonly rows?: number; readonly error?: object };

interface Sending {
  readonly ask: AskService;
  readonly flags: ImportFlags;
  readonly path: string;
  readonly resource: Resource;
  readonly signal: AbortSignal;
  readonly watching?: WatchingAt | undefined;
}

/** More of an import, for whoever watches a folder. */
export interface WatchingAt {
  /** Whether this import may have been begun before. */
  readonly repeated: boolean;
  readonly begun: (id: string) => void;
}

/** Imports the files, parents before what belongs to them, and says what came of each. */
export async function importAt(
  address: string,
  paths: readonly string[],
  flags: ImportFlags,
): Promise<void> {
  for (const [name, isGiven] of [
    ['--sync', flags.sync],
    ['--fast', flags.fast],
  ] as const)
    if (isGiven) throw new Mistake(`${name} works on the store itself: leave out --url.`);
  const named = { option: 'url', plainHttp: flags.plainHttp === true };
  const ask = askAt(address, named);
  const account = await accountAt(serviceAt(address, named).directory, flags.account);
  const files = paths.map((path) => {
    checkSize(path);
    return {
      path,
      resource: resourceFor(path, { resource: flags.resource, resources, remedies: OPTIONS }),
    };
  });
  files.sort((one, other) => resources.indexOf(one.resource) - resources.indexOf(other.resource));
  const stopping = new AbortController();
  const stop = (): void =>
    stopping.abort(new Mistake('Interrupted. Run the same command to continue.'));
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const results: Ended[] = [];
  try {
    for (const file of files) {
      const sending = { ask, flags: { ...flags, ...(account && { account }) }, ...file };
      const ended = await importOne({ ...sending, signal: stopping.signal });
      results.push(ended);
      if (!ended.result.done) break;
    }
  } catch (error) {
    if (stopping.signal.aborted) process.exitCode = EXIT_CODE.interrupted;
    else if (results.length > 0 || error instanceof NotReached)
      process.exitCode = EXIT_CODE.too_many_failed;
    throw error;
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
  report(results, flags);
}

/** The account, by the name that people give it. */
export async function accountAt(
  directory: Directory,
  given: string | undefined,
): Promise<string | undefined> {
  if (given === undefined) return undefined;
  const [one] = await accountsOrOpen(directory, given);
  return one?.unique_identifier;
}

export function checkSize(path: string, called = path): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) throw new Mistake(`${path} cannot be read: there is no such file.`);
  if (size <= MOST_BYTES) return;
  const mib = Math.ceil(size / 1_048_576);
  throw new TransferRefused(
    `${called} has ${mib} MiB, and a service takes 32 MiB: send it in parts, or import it where the store is, without --url.`,
  );
}

export interface Ended {
  readonly path: string;
  readonly result: ImportResult;
  /** Where its rejected rows are. */
  readonly rejected: string | undefined;
}

export async function importOne(sending: Sending): Promise<Ended> {
  const { path, flags, resource, watching } = sending;
  const { readings, taken_back } = readingsOf(flags);
  const asked = {
    ...{ resource: resource.path, account: flags.account, encoding: flags.encoding },
    map: flags.map === undefined ? undefined : readMap(flags.map),
    set: Object.fromEntries((flags.set ?? []).map(readSet)),
    ...{ sheet: flags.sheet, delimiter: readDelimiter(flags.delimiter), dates: flags.dates },
    header_row: readWhole('--header-row', flags.headerRow),
    ...readings,
    empty: flags.empty,
    like: flags.like,
  };
  let upload = await uploaded(sending);
  const looked = JSON_LINES.test(extname(path)) ? undefined : await mapped(sending, upload, asked);
  const { map, choices: all = {} } = looked ?? {};
  const choices = without(all, taken_back);
  const given = Object.entries(asked).filter(([, value]) => value !== undefined);
  const { like: _named, ...said } = Object.fromEntries(given);
  const set = { ...(choices.set as object | undefined), ...asked.set };
  const writing = {
    ...{ ...choices, ...said, set, ...(map && { map }), mode: flags.mode },
    // All is said that counts: what was taken back does not.
    ...(taken_back.length > 0 && { like: NO_LIKE }),
    max_failed: readWhole('--max-failed', flags.maxFailed),
  };
  const running: { source: string | undefined; from_start?: true; repeated?: true } = {
    source: flags.source,
    ...(flags.fromStart && { from_start: true }),
    ...(watching?.repeated && { repeated: true }),
  };
  let failures = 0;
  for (;;) {
    const [where, body] = flags.dryRun
      ? [`/v1/uploads/${upload}/check`, writing]
      : ['/v1/imports', { upload, ...writing, ...running }];
    try {
      const result = await runAt(sending, where, body);
      return { path, result, rejected: flags.dryRun ? undefined : keepRejected(sending, result) };
    } catch (error) {
      const isGone = error instanceof ApiError && error.code === 'upload_gone';
      const passes =
        error instanceof NotReached || (error instanceof ApiError && error.status >= 429);
      failures += 1;
      if (!(isGone || passes) || failures >= TRIES) throw again(error);
      if (passes) {
        const ms = Math.min(500 * 2 ** failures, LONGEST_PAUSE_MS);
        say(`${(error as Error).message} Going on in ${Math.ceil(ms / 1_000)} s.`);
        await pause(ms, undefined, { signal: sending.signal });
      }
      // The same file again is the same upload, while that is there.
      upload = await uploaded(sending);
      // It goes on where it was.
      delete running.from_start;
      running.repeated = true;
    }
  }
}

function again(error: unknown): unknown {
  if (!(error instanceof NotReached)) return error;
  return new NotReached(`${error.message}\nRun the same command to continue.`);
}

async function uploaded({ ask, path, signal, flags }: Sending): Promise<string> {
  const name =
    flags.input === undefined ? (flags.called ?? basename(path)) : `standard-input${extname(path)}`;
  for (let failures = 1; ; failures += 1) {
    try {
      const answer = await ask('POST', '/v1/uploads', {
        query: [['name', name]],
        type: 'application/octet-stream',
        body: new Uint8Array(readFileSync(path)),
        signal,
      });
      return ((await answer.json()) as Upload).unique_identifier;
    } catch (error) {
      if (!(error instanceof NotReached) || failures >= TRIES) throw again(error);
      await pause(Math.min(500 * 2 ** failures, LONGEST_PAUSE_MS), undefined, { signal });
    }
  }
}

/** The mapping of its columns, where each means something. Throws as the same command over a store does. */
async function mapped(
  { ask, path: at, signal, flags, resource }: Sending,
  upload: string,
  asked: { readonly map: Mapping | undefined },
): Promise<{ readonly map: Mapping; readonly choices: Readonly<Record<string, unknown>> }> {
  const answer = await ask('POST', `/v1/uploads/${upload}/look`, {
    ...{ type: 'application/json', body: JSON.stringify(asked), signal },
  });
  const path = flags.called ?? at;
  const look = (await answer.json()) as ImportLook;
  if (look.question !== undefined) {
    const { about, choices } = look.question;
    throw new TransferRefused(
      `${path} does not say which ${about} is meant: choose with --${about} one of ${choices.map((one) => JSON.stringify(one)).join(', ')}.`,
    );
  }
  const own = asked.map ?? {};
  const { like, choices = {} } = look;
  const { map: before = {}, ...others } = choices as { readonly map?: Mapping };
  const isLeftOut = (column: string) => own[column] === null || before[column] === null;
  const unknown = Object.entries(look.mapping)
    .filter(([column, field]) => field === null && !isLeftOut(column) && !column.startsWith('_'))
    .map(([column]) => ({ column, nearest: undefined }));
  const known = { ...look.mapping, ...own };
  const answers = await answersFor(path, resource, known, unknown, flags);
  const all = { ...known, ...answers };
  const { saveMap } = flags;
  if (saveMap !== undefined)
    writeFileSync(saveMap, `${JSON.stringify(all, null, 2)}\n`, { flag: 'wx', mode: 0o600 });
  if (like !== undefined) say(`${path}: columns and choices as in ${like.name} (${like.import}).`);
  return { map: all, choices: others };
}

async function answersFor(
  path: string,
  resource: Resource,
  mapping: Mapping,
  unknown: readonly { readonly column: string; readonly nearest: undefined }[],
  { input, watch }: ImportFlags,
): Promise<Mapping> {
  if (unknown.length === 0) return {};
  const columns = { mapping, unknown, targets: [], joined: [] };
  if (input === undefined && watch === undefined && canAsk())
    return askFor(path, columns, resource);
  const error = new ColumnsUnknown(path, columns);
  if (watch !== undefined) throw error;
  printJson(error.proposed);
  throw new Mistake(
    `${error.message}\nA mapping to start from was printed. Save it (run the same command with > map.json), correct it, with null for each column to leave out, and pass it as --map map.json.`,
  );
}

/** Gives what the lines of an answer say together, and shows how far it has come. */
async function runAt(sending: Sending, where: string, body: object): Promise<ImportResult> {
  const { ask, path, flags, resource, signal } = sending;
  const answer = await ask('POST', where, {
    ...{ type: 'application/json', accept: 'application/x-ndjson', signal },
    body: JSON.stringify(body),
  });
  let result: Partial<ImportResult> = { rejected: '' };
  let shown: ReturnType<typeof importProgress> | undefined;
  try {
    for await (const line of linesOf(answer, signal)) {
      const wrong = line.error && errorIn(line);
      if (wrong) throw wrong;
      const { rejected = '', rows, ...rest } = line;
      result = { ...result, ...rest, rejected: result.rejected + rejected };
      if (line.total !== undefined) {
        shown = importProgress(line.total);
        tell(flags.called ?? path, resource, line, flags);
      }
      if (typeof line.import === 'string') sending.watching?.begun(line.import);
      if (rows !== undefined && line.counts !== undefined) shown?.show(rows, line.counts);
    }
  } finally {
    shown?.clear();
  }
  if (result.done === undefined) throw new NotReached('The connection was cut.');
  return result as ImportResult;
}

async function* linesOf({ body }: Response, signal: AbortSignal): AsyncGenerator<Line> {
  let rest = '';
  const decoder = new TextDecoder();
  try {
    for await (const piece of body ?? []) {
      const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield JSON.parse(line) as Line;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof TypeError)) throw error;
    throw new NotReached('The connection was cut.');
  }
}

function tell(path: string, resource: Resource, line: Line, flags: ImportFlags): void {
  const { total = 0, read = {}, local_times, twice, noticed = [], counts } = line;
  const all = Object.values(counts ?? {}).reduce((sum, one) => sum + one, 0);
  say(`${path}: ${count(total, 'row')} of ${resource.path}, read as ${readText(read)}.`);
  if (all > 0) say(`Continuing ${line.import} after ${all} rows.`);
  if (local_times && flags.timeZone === undefined)
    say(
      `${path}: its times without an offset are read by the clock of the location of each row. To read them otherwise, use --time-zone.`,
    );
  if (twice !== undefined) say(`${path}: ${inWordsTwice(twice as unknown as Duplicates, false)}`);
  for (const one of noticed)
    if (isNews(one, flags)) say(`${path}: ${noticeText(one, read.encoding)}`);
}

/** Writes the rejected rows beside their file. */
function keepRejected({ path, flags }: Sending, { rejected }: ImportResult): string | undefined {
  if (rejected === '') return undefined;
  const base = flags.input === undefined ? path : `standard-input`;
  const ending = JSON_LINES.test(extname(path)) ? 'ndjson' : 'csv';
  const target = freePath(flags.rejected ?? `${base}.rejected.${ending}`);
  writeFileSync(target, rejected, { flag: 'wx', mode: 0o600 });
  return target;
}

function report(results: readonly Ended[], { json, dryRun }: ImportFlags): void {
  const sum = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  for (const { result } of results)
    for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += result.counts[name];
  const stopped = results.find(({ result }) => result.stopped !== undefined)?.result.stopped;
  const rejected = results.flatMap((one) => one.rejected ?? []);
  const ids = results.flatMap(({ result }) => result.import ?? []);
  const reasons = createReasons();
  for (const { path, result } of results) reasons.add(path, rejectedIn(result.rejected));
  const cut = results.reduce((all, { result }) => all + (result.cut ?? 0), 0);
  process.exitCode =
    stopped === undefined ? (sum.failed > 0 ? EXIT_CODE.rejected : 0) : EXIT_CODE[stopped];
  const words = `${sum.created} created, ${sum.updated} updated, ${sum.unchanged} unchanged, ${sum.failed} rejected`;
  print(
    json,
    {
      ...sum,
      import: ids.length === 1 ? ids[0] : null,
      imports: ids,
      rejected,
      reasons: reasons.all,
    },
    dryRun ? `Dry run: ${words}. Nothing was written.` : `${words}.`,
    ...ids.map((id) => `Import: ${id}`),
    ...reasons.lines(results.length > 1),
    ...(rejected.length > 0 ? [`Rejected rows: ${rejected.join(', ')}`] : []),
    ...(cut > 0 ? [`${count(cut, 'rejected row')} more did not fit.`] : []),
    ...(stopped === 'too_many_failed'
      ? ['Stopped: too many rows were rejected. Run the same command to continue.']
      : []),
    ...(stopped === 'interrupted' ? ['Interrupted. Run the same command to continue.'] : []),
  );
}
