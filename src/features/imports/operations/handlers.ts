import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../../core/errors.ts';
import { UNSET_ZONE } from '../../../core/objects/location-settings.ts';
import { present } from '../../../core/objects/own-object.ts';
import type { ParamsReader } from '../../../core/schema/parse/parse.ts';
import { preferred } from '../../../edge/request/accepts.ts';
import { LINES } from '../../../edge/request/body.ts';
import type { HandlersOf } from '../../../edge/request/operations.ts';
import { callerOf, goneSignal } from '../../../edge/request/request.ts';
import { JSON_UTF8, prepare, sendJson, vary } from '../../../edge/response/envelope.ts';
import { RETRY_SOON } from '../../../edge/response/retry-after.ts';
import { Answer, endWith } from '../../../edge/rows/answer.ts';
import { customerOf, type Principal, wholeAccountNeeded } from '../../../records/auth/principal.ts';
import { ended } from '../../../services/jobs.ts';
import { TransferRefused } from '../../../services/transfer/refused.ts';
import { type Store, StoreUnavailable } from '../../../store/promises/store.ts';
import type { ImportRun } from '../declares/import-run.ts';
import { upload as uploadObject } from '../declares/upload.ts';
import { cameAgain } from '../serves/activity/arrivals.ts';
import type { Plan, PlannedFile } from '../serves/plan.ts';
import { lookAtBytes } from '../serves/table/encoding.ts';
import { undoOf } from '../serves/undoing.ts';
import {
  type BroughtFile,
  brought,
  type ImportParts,
  importerIn,
  inWords,
  slots,
  stillImports,
} from './brought.ts';
import type { Asked } from './members.ts';
import { giveRejected, KEPT_BYTES, noting, resumedAt, rowsIn } from './refused.ts';

/** The least speed a second at which rejected rows must be read: they take room on disk meanwhile. */
const LEAST_BYTES = 65_536;
/** Rows that a look shows. */
const SHOWN = 5;
/** Milliseconds between two lines that say how far an import has come. */
const REPORT_MS = 200;
const LISTED = 50;

export const handlersOf: HandlersOf = (services, resources) => {
  const parts = { services, resources };
  return {
    'POST /v1/uploads': (request, reply, read) => receive(parts, request, reply, read),
    'POST /v1/uploads/:unique_identifier/look': (request, reply, read) =>
      brought(parts, request, reply, { ...asked(read), upload: idOf(request) }, async (file) => {
        const { lookAtFile } = await import('../serves/look.ts');
        const look = await lookAtFile(file.path, file.options, SHOWN).catch((error: unknown) => {
          if (!(error instanceof TransferRefused) || error.question === undefined) throw error;
          return { question: error.question, ...NOTHING_SEEN };
        });
        return sendJson(reply, JSON.stringify({ object: 'import_look', ...look }));
      }),
    'POST /v1/uploads/:unique_identifier/check': (request, reply, read) =>
      runs(parts, request, reply, { ...asked(read), upload: idOf(request) }, true),
    'POST /v1/imports': (request, reply, read) => runs(parts, request, reply, asked(read), false),
    'POST /v1/imports/:unique_identifier/undo': (request, reply, read) =>
      undo(parts, request, reply, read),
  };
};

const NOTHING_SEEN = {
  ...{ read: {}, header: [], header_row: 0, beginning: [], rows: [], mapping: {} },
  ...{ fields: [], details: {}, required: [], parent: [] },
};

function idOf(request: FastifyRequest): string {
  return (request.params as { readonly unique_identifier: string }).unique_identifier;
}

/** Reads how an import is asked for, without what is `null`. */
function asked(read: ParamsReader): Asked {
  const values = Object.entries(read() as object).filter(([, value]) => value !== null);
  return Object.fromEntries(values) as unknown as Asked;
}

async function receive(
  { services: { store } }: ImportParts,
  request: FastifyRequest,
  reply: FastifyReply,
  read: ParamsReader,
): Promise<FastifyReply> {
  const { key: owner, scope } = importerIn(request);
  const { name: called } = read() as { readonly name: string };
  const name = called.split(/[\\/]/).at(-1) || called;
  const file = request.body as Uint8Array | undefined;
  if (file === undefined || file.length === 0)
    throw new ApiError('file_empty', { values: { file: name } });
  const { sha256, bytes: _, ...look } = await lookAtBytes(file);
  const made = { name, sha256, owner, accounts: [...scope.accounts], look };
  const one = await store.imports.uploads.add(made, file);
  request.body = undefined;
  if (one === undefined) throw new ApiError('uploads_full', { headers: RETRY_SOON });
  request.done = { ...request.done, unique_identifier: one.unique_identifier };
  return sendJson(reply, JSON.stringify(present(uploadObject, one, 'api', 0)));
}

/** Tells what becomes of an import while it is running. */
interface Telling {
  readonly isGone: () => boolean;
  tell(line: object): Promise<void>;
}

/** Checks or imports an upload: the answer is lines where these are preferred, and one object else. */
async function runs(
  parts: ImportParts,
  request: FastifyRequest,
  reply: FastifyReply,
  said: Asked,
  dry: boolean,
): Promise<FastifyReply> {
  vary(reply, 'Accept');
  if (said.source) checkSource(callerOf(request));
  const { store } = parts.services;
  const importing = async (telling: Telling, begins: () => void) =>
    brought(parts, request, reply, said, async (file) => {
      const { planImport } = await import('../serves/plan.ts');
      using plan = await planImport([file.path], file.options);
      await file.still();
      begins();
      const last = said.repeated && !dry ? await store.imports.latest(plan.fingerprint) : undefined;
      if (last?.status === 'finished') {
        if (said.source) await cameAgain(store, last);
        await tellAgain(store, plan, last, telling);
      } else await runPlan(parts, request, plan, { ...file, said, dry, telling });
    });
  if (preferred(request.headers.accept, [JSON_UTF8, LINES]) !== LINES) {
    const result: Record<string, unknown> = { object: 'import_result' };
    let rejected = '';
    const gone = goneSignal(reply);
    const tell = async ({ rejected: more, rows: _, ...line }: Record<string, unknown>) => {
      if (typeof more === 'string') rejected += more;
      Object.assign(result, line);
    };
    await importing({ isGone: () => gone.aborted, tell: tell as Telling['tell'] }, () => {});
    return sendJson(reply, JSON.stringify({ ...result, rejected }));
  }
  const answer = new Answer(LEAST_BYTES);
  const begun = Promise.withResolvers<void>();
  const telling: Telling = {
    isGone: () => answer.isGone,
    tell: (line) => answer.write(`${JSON.stringify(line)}\n`),
  };
  const done = importing(telling, begun.resolve);
  // Faults of the file get an ordinary error; a later failure is reported in the last line.
  done.then(begun.resolve, begun.reject);
  await begun.promise;
  endWith(request, answer, done, (text) => `${text}\n`);
  return prepare(reply).header('Content-Type', `${LINES}; charset=utf-8`).send(answer.body);
}

/** Tells what came of an import that has ended. */
async function tellAgain(
  { imports }: Store,
  { files: [file] }: Plan,
  { unique_identifier, counts }: ImportRun,
  { tell }: Telling,
): Promise<void> {
  await tell({ import: unique_identifier, ...begun(file), counts });
  const rejected = (await imports.rejected(unique_identifier)) ?? '';
  if (rejected !== '') await tell({ rejected });
  const cut = counts.failed - rowsIn(Buffer.from(rejected));
  await tell({ done: true, counts, ...(cut > 0 && { cut }) });
}

/** The members that tell of a file before its rows are written. */
function begun(file: PlannedFile | undefined) {
  const { total = 0, hasLocal = false, read = {}, twice, noticed = [], like } = file ?? {};
  const about = {
    ...(twice && { twice }),
    ...(noticed.length > 0 && { noticed }),
    ...(like && { like }),
  };
  return { total, read, local_times: hasLocal, ...about };
}

interface Running extends BroughtFile {
  readonly said: Asked;
  readonly dry: boolean;
  readonly telling: Telling;
}

async function runPlan(
  { services: { many, store } }: ImportParts,
  request: FastifyRequest,
  plan: Plan,
  { said, dry, telling, still, release, upload, path }: Running,
): Promise<void> {
  const { importFiles } = await import('../serves/run.ts');
  const { createChanges } = await import('../serves/checks/rehearsed.ts');
  const principal = callerOf(request);
  const { person, key } = principal;
  const [file] = plan.files;
  const left = new AbortController();
  let reportedAt = performance.now();
  let isReporting = false;
  let cut = 0;
  const changing = createChanges();
  const { run, stopped } = await importFiles(plan, {
    ...{ store, many, still, dry_run: dry, pace: 'shared', by: key },
    mode: said.mode ?? undefined,
    fromStart: said.from_start === true,
    counts: !dry && said.source !== undefined,
    accounts: [...principal.scope.accounts],
    principal: (id) => ({ ...principal, key: id }),
    // The name that people know.
    called: upload.name,
    note: dry ? async () => {} : noting(store),
    limits: person === undefined ? (rows) => paced(request, rows, telling) : undefined,
    async resumes(stoppedRun) {
      const resumed = await resumedAt(store, stoppedRun, `${path}.rejected`);
      cut = resumed.cut;
      return resumed.run;
    },
    async begun({ unique_identifier: id, counts }) {
      if (!dry) request.done = { ...request.done, unique_identifier: id };
      const { source } = said;
      const [account] = principal.scope.accounts;
      if (!dry && source && account) await store.sources.assign(account, id, source);
      await telling.tell({ import: dry ? null : id, ...begun(file), counts });
    },
    rehearsed(row, result, { titleOf = () => '' }) {
      if ('request' in row.is) changing.see(row.is, result, { row: row.number, of: titleOf(row) });
    },
    progress(rows, counts) {
      if (telling.isGone()) left.abort();
      if (isReporting || performance.now() - reportedAt < REPORT_MS) return;
      reportedAt = performance.now();
      isReporting = true;
      void telling
        .tell({ rows, counts })
        .catch(() => left.abort())
        .finally(() => {
          isReporting = false;
        });
    },
    keep: {
      bytes: KEPT_BYTES,
      cut(rows) {
        cut += rows;
      },
    },
    maxFailed: said.max_failed ?? Number.POSITIVE_INFINITY,
    signal: left.signal,
  });
  // A client that reads the rest slowly delays no other request, and retains nothing of the file.
  plan[Symbol.dispose]();
  release();
  const give = (rejected: string) => telling.tell({ rejected });
  if (!(await giveRejected(run, give, customerOf(principal)))) cut = run.counts.failed;
  const unplaced = [...(file?.unplaced ?? [])];
  const undecided = [...(file?.undecided ?? [])];
  const zone = said.time_zone ?? UNSET_ZONE;
  const changes = file ? await changing.found(store, file.resource, principal.scope, zone) : [];
  await telling.tell({
    ...{ done: stopped === undefined, counts: run.counts, ...(stopped && { stopped }) },
    ...(cut > 0 && { cut }),
    ...(unplaced.length > 0 && { unplaced }),
    ...(undecided.length > 0 && { undecided }),
    ...(changes.length > 0 && { changes }),
  });
}

/** The rate of a key counts each row, as it does where rows are sent by themselves. */
async function paced({ limit }: FastifyRequest, rows: number, { isGone }: Telling): Promise<void> {
  if (limit === undefined) return;
  for (let left = rows; left > 0; left -= limit.together)
    await limit.pace(Math.min(left, limit.together), isGone);
}

async function undo(
  { resources, services: { imports, store } }: ImportParts,
  request: FastifyRequest,
  reply: FastifyReply,
  read: ParamsReader,
): Promise<FastifyReply> {
  const principal = importerIn(request);
  if (principal.scope.anchors !== undefined) throw wholeAccountNeeded('locations');
  const { dry_run = false } = read() as { readonly dry_run?: boolean };
  const run = await runOf(store, principal, idOf(request));
  // Removes created records, and gives changed ones their earlier values.
  const paths = run.files.map(({ resource }) => resource);
  const still = stillImports(request, paths, ['write', 'delete']);
  await still();
  const undoes = async () => {
    if (!dry_run) {
      const undone = await imports.undoing.run({ ...undoOf(run), still });
      if (undone !== undefined) return undone;
      throw new StoreUnavailable('Another process of the service goes on with it.');
    }
    const { undoImport } = await import('../serves/undo.ts');
    return ended(undoImport(store, run, { resources, dry_run, still }));
  };
  const { removed, restored, left } = await slots
    .run(customerOf(principal), undoes)
    .catch((error) => {
      throw inWords(error, '', '');
    });
  const counts = { removed, restored, kept: left.length, left: left.slice(0, LISTED) };
  return sendJson(reply, JSON.stringify({ object: 'import_undo', ...counts }));
}

/** Throws `resource_missing` where another one has made that import. */
export async function runOf(store: Store, principal: Principal, id: string): Promise<ImportRun> {
  const run = await store.imports.find(id);
  if (run === undefined || !sees(principal, run))
    throw new ApiError('resource_missing', { message: 'There is no such import.' });
  return run;
}

/** Whether a caller sees an import: those of whole accounts see all there, others their own. */
export function sees({ scope, key, resources }: Principal, run: ImportRun): boolean {
  if (!run.accounts.every((account) => scope.accounts.has(account))) return false;
  const isWhole = scope.anchors === undefined && resources === undefined;
  return isWhole || run.by === key;
}

function checkSource({ scope }: Principal): void {
  if (scope.anchors !== undefined) throw wholeAccountNeeded('locations');
  if (scope.accounts.size > 1)
    throw new ApiError('value_invalid', {
      param: 'source',
      message: 'source needs a key of one account: sources are those of one account.',
    });
}
