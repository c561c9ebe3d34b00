/** Exports that people take away: a file of one resource, or an archive with a file for each. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BoundedMap } from '../../../core/bounded.ts';
import { ApiError } from '../../../core/errors.ts';
import { inSteps } from '../../../core/fair/scheduler.ts';
import { FairSlots, type Release } from '../../../core/fair/slots.ts';
import type { Resource } from '../../../core/schema/define.ts';
import { optional, required, text } from '../../../core/schema/fields/index.ts';
import type { ParamsOf } from '../../../core/schema/fields/object.ts';
import { columnsOf } from '../../../core/schema/row.ts';
import type { JsonObject } from '../../../core/schema/values.ts';
import { SheetTooSmall } from '../../../core/tables/write-xlsx.ts';
import { authorize, customerOf, type Principal } from '../../../records/auth/principal.ts';
import { ClientGone } from '../../../records/ingest/many/row.ts';
import type { Query, RowWalk } from '../../../records/query/query.ts';
import type { RowParts } from '../../../records/query/rows.ts';
import {
  CONSOLE_FORMATS,
  type ConsoleFormat,
  endingOf,
  type RowTable,
  rowPartsFor,
  writeArchive,
} from '../../../services/export/formats.ts';
import { type RowBatches, scopedRows } from '../../../services/export/rows.ts';
import type { Store } from '../../../store/promises/store.ts';
import { memoryOf } from '../../fair/memory.ts';
import { stillMay } from '../../fair/still.ts';
import { received } from '../../request/operations.ts';
import { callerOf, watchForCut } from '../../request/request.ts';
import { prepare, sendJson, vary } from '../../response/envelope.ts';
import { errorMembers, toApiError } from '../../response/error-response.ts';
import { RETRY_SOON } from '../../response/retry-after.ts';
import { Answer } from '../../rows/answer.ts';
import { COMPRESSING_BYTES, codingFor, compressing } from '../../server/compress.ts';
import { texts } from '../members.ts';
import type { ConsoleParts } from '../session/visit.ts';

/** At once in this process, and of one account; each person has one, and none waits. */
const SLOTS = { slots: 4, ofGroup: 2 };
/** Bytes a second, before compression: a store retains the snapshot of an export until it is read. */
const LEAST_BYTES = 65_536;
/** The longest that a client may read: a store retains the snapshot meanwhile. */
const LONGEST_MS = 30 * 60_000;
/** People whose last export is listed: those of running ones are among the last half. */
const LISTED = 2_000;
/** Pages of rows, what is made of them, and what waits to be read. */
const HELD_BYTES = 8_388_608;

/** The last export of a person in this process. A broken connection alone does not say why it ended. */
interface Export {
  rows: number;
  status: 'running' | 'done' | 'failed';
  error?: object;
}

interface ExportParts extends Pick<ConsoleParts, 'service'> {
  readonly resources: readonly Resource[];
  readonly query: Query;
  readonly store: Store;
}

/** To be added below `/console/api`. */
export function addExportRoute(server: FastifyInstance, parts: ExportParts): void {
  const { query, service } = parts;
  const known = parts.resources.filter(({ parent }) => parent !== undefined);
  const slots = new FairSlots({ ...SLOTS, waiting: { most: 0, ofGroup: 0, refusal } });
  const exports = new BoundedMap<string, Export>(LISTED);

  server.get('/exports', (request, reply) => {
    const last = exports.get(callerOf(request).key);
    return sendJson(reply, JSON.stringify({ object: 'list', data: last ? [last] : [] }));
  });

  server.post('/exports', async (request, reply) => {
    const options = await readExport(request, reply, known);
    const rows = rowPartsFor(options.format, parts.store);
    const principal = callerOf(request);
    await checkLocation(principal, options, service);
    const { key } = principal;
    if (exports.get(key)?.status === 'running')
      throw new ApiError('exports_running', {
        headers: RETRY_SOON,
        message: 'You already have an export running: wait until it is done, or cancel it.',
        values: { most: 1 },
      });
    const exported: Export = { rows: 0, status: 'running' };
    exports.set(key, exported);
    let release: Release | undefined;
    const end = (how: Omit<Export, 'rows'>): void => {
      Object.assign(exported, how);
      release?.();
    };
    const answer = new Answer(LEAST_BYTES);
    try {
      release = await slots.acquire(customerOf(principal));
      memoryOf(reply).hold(HELD_BYTES + COMPRESSING_BYTES);
      await request.server.audit(request, {
        action: 'export',
        what: [options.format, ...options.resources.map(({ path }) => path)].join(' '),
      });
      const isGone = (): boolean => answer.isGone;
      const walkOf = (resource: Resource, filters: string) => {
        const params = { query: filters, unknown: 'refuse', isGone, zones: rows.zones } as const;
        return query.rows(principal, resource, params, request.timing);
      };
      const still = stillExports(request, options, answer);
      const opening = { store: parts.store, options, rows, stillMay: still };
      const { tables, close } = await openTables(principal, walkOf, opening);
      const sendAll = async (): Promise<void> => {
        const counted = tables.map((one) => ({ ...one, rows: counting(one, exported) }));
        const pieces = bytesOf(options, counted, service.now());
        for await (const piece of pieces) await answer.write(piece);
      };
      // A client that has seen the end may begin the next export.
      void sendAll()
        .finally(close)
        .then(
          () => {
            end({ status: 'done' });
            answer.end('');
          },
          (error: unknown) => {
            end({ status: 'failed', ...noted(request, error) });
            answer.cut();
          },
        );
    } catch (error) {
      end({ status: 'failed' });
      throw error;
    }
    watchForCut(request, reply);
    vary(prepare(reply), 'accept-encoding')
      .header('Content-Type', 'application/octet-stream')
      .header('Content-Disposition', 'attachment');
    // Archives and workbooks are compressed as they are.
    const isText = options.resources.length === 1 && options.format !== 'xlsx';
    const accepted = isText ? request.headers['accept-encoding'] : undefined;
    const coding = codingFor(Number.POSITIVE_INFINITY, accepted);
    if (coding === undefined) return reply.send(answer.body);
    return reply.header('Content-Encoding', coding).send(compressing(answer.body, coding));
  });
}

function refusal(ofCustomer: boolean): ApiError {
  return ofCustomer
    ? new ApiError('exports_running', { headers: RETRY_SOON, values: { most: SLOTS.ofGroup } })
    : new ApiError('service_unavailable', {
        headers: RETRY_SOON,
        message: `${SLOTS.slots} exports are running, which is the limit. Try again when one has ended.`,
      });
}

/** Throws `value_invalid` for anything but a location that the person may see. */
async function checkLocation(
  { scope }: Principal,
  { location }: ExportRequest,
  service: ConsoleParts['service'],
): Promise<void> {
  if (location === undefined) return;
  const isTheirs = scope.anchors?.has(location) ?? true;
  const found = isTheirs ? await service.anchorsAmong([location], [...scope.accounts]) : [];
  if (found.length > 0) return;
  throw new ApiError('value_invalid', {
    param: 'location',
    message: 'location must be a location that you may see, or be left out for all of them.',
  });
}

/** Who exports, as it is now: it ends within a page of a session's end, or a stop of the service. */
function stillExports(request: FastifyRequest, { resources }: ExportRequest, answer: Answer) {
  const still = stillMay(request, (now) => {
    for (const { path } of resources) authorize(now, path, 'read');
  });
  const until = performance.now() + LONGEST_MS;
  return async () => {
    if (answer.isGone) throw new ClientGone();
    if (request.server.draining)
      throw new ApiError('service_unavailable', { message: 'The service is stopping.' });
    if (performance.now() > until)
      throw new ApiError('export_too_long', { values: { minutes: LONGEST_MS / 60_000 } });
    await request.limit?.pace(1, () => answer.isGone);
    return still();
  };
}

/** Why an export failed, as its person may read it; nothing if they have gone. */
function noted(request: FastifyRequest, error: unknown): Pick<Export, 'error'> {
  if (error instanceof ClientGone) return {};
  // A table that is too large for the format is reported to the person who chose it.
  const refused =
    error instanceof SheetTooSmall
      ? new ApiError('value_invalid', { param: 'format', message: error.message })
      : toApiError(error);
  request.done = { code: refused.code };
  if (refused.status >= 500) request.server.noteFailure(request, refused);
  return { error: errorMembers(refused, request.principal) };
}

function bytesOf({ format }: ExportRequest, tables: readonly RowTable[], now: number) {
  const files = tables.map((table) => ({
    name: `${table.name}.${endingOf(format)}`,
    bytes: CONSOLE_FORMATS[format](table),
    compress: format !== 'xlsx',
  }));
  const [first] = files;
  return files.length === 1 && first !== undefined
    ? first.bytes
    : writeArchive(files, new Date(now));
}

async function* counting({ rows }: RowTable, exported: Export): RowTable['rows'] {
  for await (const batch of rows) {
    exported.rows += batch.length;
    yield batch;
  }
}

type ExportRequest = Awaited<ReturnType<typeof readExport>>;

const body = {
  resources: required(texts, 'The resources, by their names in paths'),
  format: required(text(), 'The format of the files'),
  filters: optional(text(), 'The query of the list of the one resource'),
  location: optional(text(), 'The only location whose records are exported'),
} as const;

/** Throws with every fault. Resources come in the order of the registry: parents before what belongs to them. */
async function readExport(
  request: FastifyRequest,
  reply: FastifyReply,
  known: readonly Resource[],
) {
  const { read } = await received({ body }, request, reply);
  const sent = read((values, faults) => {
    const { resources = [], format, filters, location } = values as Partial<ParamsOf<typeof body>>;
    const wrong = (param: string, message: string) => faults.add(param, 'value_invalid', message);
    const paths = known.map(({ path }) => path);
    if (resources.length === 0 || !resources.every((one) => paths.includes(one)))
      wrong('resources', `resources may only hold ${paths.join(', ')}.`);
    if (format !== undefined && !Object.hasOwn(CONSOLE_FORMATS, format))
      wrong('format', `format must be one of ${Object.keys(CONSOLE_FORMATS).join(', ')}.`);
    if (filters && (resources.length > 1 || location))
      wrong(
        'filters',
        'filters are those of one resource: send one in resources, and no location.',
      );
  }) as ParamsOf<typeof body>;
  return {
    resources: known.filter(({ path }) => sent.resources.includes(path)),
    format: sent.format as ConsoleFormat,
    /** The query of the one resource's list; `undefined`: all of it, as of one moment. */
    filters: sent.filters ?? undefined,
    location: sent.location ?? undefined,
  };
}

/** Rows that are made before other work gets the event loop. */
const AT_ONCE = 50;

export interface TableParts {
  readonly store: Pick<Store, 'snapshot'>;
  readonly options: ExportRequest;
  readonly rows: RowParts;
  /** Who exports, as it is now; throws where that has ended. Called before each page of rows. */
  readonly stillMay: () => Promise<Principal>;
}

/** Gives tables; `close` releases the snapshot. Throws `ApiError` for what the person can fix, or may not see. */
export async function openTables(
  principal: Principal,
  walkOf: (resource: Resource, filters: string) => RowWalk,
  { store, options, rows: parts, stillMay }: TableParts,
) {
  const { resources, filters, location } = options;
  for (const { path } of resources) authorize(principal, path, 'read');
  const tableOf = (one: Resource, batches: AsyncIterable<Iterator<JsonObject>>): RowTable => {
    const rows = yieldingRows(batches, stillMay);
    return { name: one.path, columns: columnsOf(one), rows };
  };
  const [first] = resources;
  if (filters !== undefined && first !== undefined) {
    const walk = walkOf(first, filters);
    // Faults of the filters are reported before the answer begins.
    let page = await walk.next(principal);
    const pages = async function* () {
      for (; page !== undefined; page = await walk.next(await stillMay())) yield page;
    };
    return { tables: [tableOf(first, pages())], close: async () => {} };
  }
  const snapshot = await store.snapshot();
  const { scope } = principal;
  const within = location === undefined ? scope : { ...scope, anchors: new Set([location]) };
  const batchesOf = async function* (resource: Resource) {
    for await (const rows of scopedRows(snapshot, resource, within, parts)) {
      await stillMay();
      yield rows;
    }
  };
  const tables = resources.map((one) => tableOf(one, batchesOf(one)));
  return { tables, close: () => snapshot.close() };
}

async function* yieldingRows(
  batches: AsyncIterable<Iterator<JsonObject>>,
  stillMay: TableParts['stillMay'],
): RowBatches {
  const { key } = await stillMay();
  for await (const batch of batches) {
    for (let ended = false; !ended; ) {
      const rows: JsonObject[] = [];
      await inSteps(key, () => {
        const row = batch.next();
        if (row.done === true) ended = true;
        else rows.push(row.value);
        return ended || rows.length >= AT_ONCE;
      });
      if (rows.length > 0) yield rows;
    }
  }
}
