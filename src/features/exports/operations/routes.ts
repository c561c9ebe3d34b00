/** Exports that people take away: a file of one resource, or an archive with a file for each. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BoundedMap } from '../../../core/bounded.ts';
import { ApiError } from '../../../core/errors.ts';
import { inSteps } from '../../../core/fair/scheduler.ts';
import { FairSlots, type Release } from '../../../core/fair/slots.ts';
import type { Resource } from '../../../core/schema/define.ts';
import { optional, required, text, textMap } from '../../../core/schema/fields/index.ts';
import type { ParamsOf } from '../../../core/schema/fields/object.ts';
import type { JsonObject } from '../../../core/schema/values.ts';
import { SheetTooSmall } from '../../../core/tables/write-xlsx.ts';
import { texts } from '../../../edge/console/members.ts';
import type { ConsoleParts } from '../../../edge/console/session/visit.ts';
import { memoryOf } from '../../../edge/fair/memory.ts';
import { stillMay } from '../../../edge/fair/still.ts';
import { listText } from '../../../edge/operations/pages.ts';
import { received } from '../../../edge/request/operations.ts';
import { callerOf, watchForCut } from '../../../edge/request/request.ts';
import { prepare, sendJson, vary } from '../../../edge/response/envelope.ts';
import { errorMembers, toApiError } from '../../../edge/response/error-response.ts';
import { RETRY_SOON } from '../../../edge/response/retry-after.ts';
import { Answer } from '../../../edge/rows/answer.ts';
import { COMPRESSING_BYTES, codingFor, compressing } from '../../../edge/server/compress.ts';
import { authorize, customerOf, type Principal } from '../../../records/auth/principal.ts';
import { ClientGone } from '../../../records/ingest/many/row.ts';
import type { Query, RowWalk } from '../../../records/query/query.ts';
import { columnsOfRows, type RowParts } from '../../../records/query/rows.ts';
import type { Store } from '../../../store/promises/store.ts';
import {
  CONSOLE_FORMATS,
  type ConsoleFormat,
  endingOf,
  type RowTable,
  rowPartsFor,
  writeArchive,
} from '../serves/formats.ts';
import { listColumns } from '../serves/list.ts';
import { type RowBatches, scopedRows } from '../serves/rows.ts';

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
    const entries = last ? [JSON.stringify(last)] : [];
    return sendJson(reply, listText('/console/api/exports', entries, false));
  });

  server.post('/exports', async (request, reply) => {
    const options = await readExport(request, reply, known);
    const rows: RowParts = {
      ...rowPartsFor(options.format, parts.store),
      titles: options.headings && service.titlesAmong,
    };
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
        const params = { query: filters, unknown: 'refuse', isGone, ...rows } as const;
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
    : new ApiError('exports_full', { headers: RETRY_SOON, values: { most: SLOTS.slots } });
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
    if (request.server.draining) throw new ApiError('service_unavailable');
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

/** The format of what a list of the console shows. */
const LIST: ConsoleFormat = 'spreadsheet_csv';
const LONGEST_HEADINGS = 65_536;

const body = {
  resources: required(texts, 'The resources, by their names in paths'),
  format: required(text(), 'The format of the files'),
  filters: optional(text(), 'The query of the list of the one resource'),
  location: optional(text(), 'The only location whose records are exported'),
  headings: optional(
    textMap({ maxBytes: LONGEST_HEADINGS }),
    'The columns of a list for people, in their order, each with its heading; beside those of rows also names of what a record belongs to, such as _event',
  ),
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
    const { headings } = values as Partial<ParamsOf<typeof body>>;
    if (headings && (resources.length > 1 || location || format !== LIST))
      wrong('headings', `headings are those of one list: send one resource, as ${LIST}.`);
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
    filters: sent.filters ?? (sent.headings ? '' : undefined),
    headings: (sent.headings ?? undefined) as Readonly<Record<string, string>> | undefined,
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
  const { resources, filters, location, headings } = options;
  for (const { path } of resources) authorize(principal, path, 'read');
  const tableOf = (one: Resource, batches: AsyncIterable<Iterator<JsonObject>>): RowTable => {
    const rows = yieldingRows(batches, stillMay);
    const columns = headings ? listColumns(one, headings, parts) : columnsOfRows(one, parts);
    return { name: one.path, columns, rows };
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
