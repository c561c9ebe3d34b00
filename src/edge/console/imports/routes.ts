/** Imports of files: inspect, rehearse, run and undo. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../../core/errors.ts';
import { FairSlots, type Release } from '../../../core/fair/slots.ts';
import { present } from '../../../core/objects/own-object.ts';
import { type ImportRun, importRun } from '../../../core/objects/transfer/import-run.ts';
import type { Resource } from '../../../core/schema/define.ts';
import { boolean, required } from '../../../core/schema/fields/index.ts';
import {
  authorize,
  authorizeAction,
  customerOf,
  type Principal,
  wholeAccountNeeded,
} from '../../../records/auth/principal.ts';
import type { Many } from '../../../records/ingest/many/many.ts';
import { placesOf } from '../../../services/import/places.ts';
import type { ImportOptions, Plan } from '../../../services/import/plan.ts';
import { type UndoingImports, undoOf } from '../../../services/import/undoing.ts';
import { FIELDS } from '../../../services/import/words.ts';
import { ended } from '../../../services/jobs.ts';
import { isNoRoom, TransferRefused } from '../../../services/transfer/refused.ts';
import type { Permission } from '../../../store/promises/keys.ts';
import { type Store, StoreUnavailable } from '../../../store/promises/store.ts';
import { stillMay } from '../../fair/still.ts';
import { listOf } from '../../operations/operation.ts';
import type { Bodies } from '../../request/body.ts';
import { received } from '../../request/operations.ts';
import { receiveBody } from '../../request/receive.ts';
import { callerOf, goneSignal } from '../../request/request.ts';
import { prepare, sendJson } from '../../response/envelope.ts';
import { RETRY_SOON } from '../../response/retry-after.ts';
import { Answer, endWith } from '../../rows/answer.ts';
import {
  type ImportRequest,
  KEPT_BYTES,
  noting,
  readImport,
  sendRejected,
  withFile,
} from './options.ts';

/** The limit of a file, with the line before it. */
const MAX_BYTES = 33_554_432;
/** Reading a file takes the time of this process: two at a time, of two accounts. Waiting ones are in memory. */
const SLOTS = { slots: 2, ofGroup: 1 };
const WAITING = { most: 16, ofGroup: 4 };
/** The least speed a second at which rejected rows must be read: they take room on disk meanwhile. */
const LEAST_BYTES = 65_536;
/** Rows that a look shows. */
const SHOWN = 5;
/** Milliseconds between two lines that say how far an import has come. */
const REPORT_MS = 200;
const LISTED = 50;
const FORGOTTEN =
  'The refused rows of this import are no longer kept: they stay for seven days, and only those of imports in the console. Import the same file again to see which rows are refused.';

const BROUGHT: Bodies = {
  types: new Map([['application/octet-stream', 'file']]),
  untyped: undefined,
  most: { file: MAX_BYTES },
  weight: 2,
};

const UNDO = {
  body: { dry_run: required(boolean(), 'Whether to show what would happen, and write nothing') },
};

type OfOne = { Params: { unique_identifier: string } };

interface ImportParts {
  readonly resources: readonly Resource[];
  readonly many: Many;
  readonly store: Store;
  readonly undoing: UndoingImports;
}

/** To be added below `/console/api`. */
export function addImportRoutes(server: FastifyInstance, parts: ImportParts): void {
  const slots = new FairSlots({ ...SLOTS, waiting: { ...WAITING, refusal } });
  const config = { bodies: BROUGHT };

  const brought = async <T>(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (options: ImportRequest, path: string, slot: ImportSlot) => Promise<T>,
  ): Promise<T> => {
    const principal = importerIn(request);
    await receiveBody(request, reply);
    const { options, file } = readImport(request.body as Uint8Array);
    const still = stillImports(request, [options.resource], ['write']);
    await still();
    const release = await slots.acquire(customerOf(principal), goneSignal(reply));
    try {
      // Others may have been read for minutes.
      await still();
      return await withFile(options.name, file, (path) => {
        request.body = undefined;
        return work(options, path, { still, release }).catch((error) => {
          throw inWords(error, options.name, path);
        });
      });
    } finally {
      release();
    }
  };

  server.post('/imports/look', { config }, (request, reply) =>
    brought(request, reply, async (options, path) => {
      const { lookAtFile } = await import('../../../services/import/plan.ts');
      const look = lookAtFile(path, optionsOf(parts, request, options), SHOWN);
      const found = await look.then(
        (looked) => ({ object: 'import_look', ...looked }),
        (error: unknown) => {
          if (!(error instanceof TransferRefused) || error.question === undefined) throw error;
          return { object: 'import_question', ...error.question };
        },
      );
      return sendJson(reply, JSON.stringify(found));
    }),
  );

  for (const dry of [true, false]) {
    server.post(`/imports/${dry ? 'preview' : 'run'}`, { config }, async (request, reply) => {
      const answer = new Answer(LEAST_BYTES);
      const begun = Promise.withResolvers<void>();
      const done = brought(request, reply, async (options, path, slot) => {
        const { planImport } = await import('../../../services/import/plan.ts');
        using plan = await planImport([path], optionsOf(parts, request, options));
        await slot.still();
        begun.resolve();
        await runAndReport(parts, request, plan, { options, dry, answer, ...slot });
      });
      // Faults of the file get an ordinary error; a later failure is reported in the last line.
      done.then(begun.resolve, begun.reject);
      await begun.promise;
      endWith(request, answer, done, (text) => `${text}\n`);
      return prepare(reply)
        .header('Content-Type', 'application/x-ndjson; charset=utf-8')
        .send(answer.body);
    });
  }

  server.post<OfOne>('/imports/:unique_identifier/undo', async (request, reply) => {
    const principal = importerIn(request);
    const dry_run = (await received(UNDO, request, reply)).read().dry_run === true;
    const run = await runOf(parts.store, request);
    // Removes created records, and gives changed ones their earlier values.
    const paths = run.files.map(({ resource }) => resource);
    const still = stillImports(request, paths, ['write', 'delete']);
    await still();
    const { resources, store, undoing } = parts;
    const undo = async () => {
      if (!dry_run) {
        const undone = await undoing.run({ ...undoOf(run), still });
        if (undone !== undefined) return undone;
        throw new StoreUnavailable('Another process of the service goes on with it.');
      }
      const { undoImport } = await import('../../../services/import/undo.ts');
      return ended(undoImport(store, run, { resources, dry_run, still }));
    };
    const { removed, restored, left } = await slots
      .run(customerOf(principal), undo)
      .catch((error) => {
        throw inWords(error, '', '');
      });
    const counts = { removed, restored, kept: left.length, left: left.slice(0, LISTED) };
    return sendJson(reply, JSON.stringify({ object: 'import_undo', ...counts }));
  });

  server.get<OfOne>('/imports/:unique_identifier/rejected', async (request, reply) => {
    const { unique_identifier, files } = await runOf(parts.store, request);
    for (const { resource } of files) authorize(importerIn(request), resource, 'read');
    const rows = await parts.store.imports.rejected(unique_identifier);
    if (rows === undefined) throw new ApiError('resource_missing', { message: FORGOTTEN });
    await request.server.audit(request, { action: 'export', record: unique_identifier });
    return sendJson(reply, JSON.stringify({ object: 'import_rejected', rows }));
  });

  server.get<{ Params: { resource: string } }>(
    '/imports/templates/:resource',
    async (request, reply) => {
      const { templateOf } = await import('../../../services/import/table/headings.ts');
      const { resource: path } = request.params;
      const resource = parts.resources.find((one) => one.path === path && one.parent !== undefined);
      if (resource === undefined) throw new ApiError('resource_missing');
      return prepare(reply)
        .header('Content-Type', 'text/csv; charset=utf-8')
        .send(templateOf(resource));
    },
  );

  server.get('/imports', async (request, reply) => {
    const { scope } = importerIn(request);
    const runs = await parts.store.imports.list(LISTED);
    const data = runs
      .filter(({ accounts }) => accounts.every((account) => scope.accounts.has(account)))
      .map((run) => present(importRun, run, 'console', 0));
    return sendJson(reply, JSON.stringify(listOf('/console/api/imports', data)));
  });
}

/** Throws `resource_missing` where another person has made that import. */
async function runOf(store: Store, request: FastifyRequest<OfOne>): Promise<ImportRun> {
  const { scope } = importerIn(request);
  const run = await store.imports.find(request.params.unique_identifier);
  if (run === undefined || !run.accounts.every((account) => scope.accounts.has(account)))
    throw new ApiError('resource_missing', { message: 'There is no such import.' });
  return run;
}

interface Running extends ImportSlot {
  readonly options: ImportRequest;
  readonly dry: boolean;
  readonly answer: Answer;
}

interface ImportSlot {
  /** Throws where the person may import no longer. */
  readonly still: Still;
  /** Lets the next file be read. */
  readonly release: Release;
}

async function runAndReport(
  { many, store }: ImportParts,
  request: FastifyRequest,
  plan: Plan,
  { options, dry, answer, still, release }: Running,
): Promise<void> {
  const { importFiles } = await import('../../../services/import/run.ts');
  const principal = callerOf(request);
  const [file] = plan.files;
  const total = file?.total ?? 0;
  const twice = file?.twice;
  const left = new AbortController();
  let reportedAt = performance.now();
  let isReporting = false;
  let cut = 0;
  const { run, stopped } = await importFiles(plan, {
    store,
    many,
    still,
    dry_run: dry,
    mode: options.mode,
    fromStart: true,
    pace: 'shared',
    accounts: [...principal.scope.accounts],
    principal: (id) => ({ ...principal, key: id }),
    // The name that people know.
    called: options.name,
    note: dry ? async () => {} : noting(store),
    begun: ({ unique_identifier: id }) =>
      answer.write(line({ total, import: dry ? null : id, ...(twice && { twice }) })),
    progress(rows, counts) {
      if (answer.isGone) left.abort();
      if (isReporting || performance.now() - reportedAt < REPORT_MS) return;
      reportedAt = performance.now();
      isReporting = true;
      void answer
        .write(line({ rows, counts }))
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
    maxFailed: Number.POSITIVE_INFINITY,
    signal: left.signal,
  });
  // A client that reads the rest slowly delays no other request, and retains nothing of the file.
  plan[Symbol.dispose]();
  release();
  const customer = customerOf(principal);
  if (!(await sendRejected(run, answer, customer))) cut = run.counts.failed;
  const unplaced = [...(file?.unplaced ?? [])];
  const left_out = { ...(cut > 0 && { cut }), ...(unplaced.length > 0 && { unplaced }) };
  await answer.write(line({ done: stopped === undefined, counts: run.counts, ...left_out }));
}

function optionsOf(
  { resources, store }: ImportParts,
  request: FastifyRequest,
  options: ImportRequest,
): ImportOptions {
  const { scope } = callerOf(request);
  const { accounts } = scope;
  const [only] = accounts;
  const account = options.account ?? (accounts.size === 1 ? only : undefined);
  const among =
    account !== undefined && accounts.has(account)
      ? { ...scope, accounts: new Set([account]) }
      : scope;
  const places = () => placesOf(store, resources, among, options.chosen);
  return { ...options, account, resources, remedies: FIELDS, places };
}

function refusal(ofCustomer: boolean): ApiError {
  return ofCustomer
    ? new ApiError('files_waiting', { headers: RETRY_SOON, values: { most: WAITING.ofGroup } })
    : new ApiError('service_unavailable', {
        headers: RETRY_SOON,
        message: 'Too many files wait to be read. Nothing was imported; try again in a moment.',
      });
}

function importerIn(request: FastifyRequest): Principal {
  const principal = callerOf(request);
  checkImporter(principal);
  return principal;
}

type Still = () => Promise<unknown>;

/** Resolves while the person may do that with these resources, named by their paths. */
function stillImports(
  request: FastifyRequest,
  paths: readonly string[],
  actions: readonly Permission[],
): Still {
  return stillMay(request, (now) => {
    checkImporter(now);
    for (const path of paths) for (const action of actions) authorize(now, path, action);
  });
}

/** Throws `permission_denied` unless the person may write in whole accounts: an import is undone for all of it. */
function checkImporter(principal: Principal): void {
  authorizeAction(principal, 'write');
  if (principal.scope.anchors !== undefined) throw wholeAccountNeeded('locations');
}

/** The file by the name that the person knows, and nothing of where it is. */
function inWords(error: unknown, name: string, path: string): unknown {
  if (!(error instanceof TransferRefused) || isNoRoom(error)) return error;
  const { code, values, message } = error;
  const named = values.file === undefined ? values : { ...values, file: name };
  return new ApiError(code, { message: message.replaceAll(path, name), values: named });
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
