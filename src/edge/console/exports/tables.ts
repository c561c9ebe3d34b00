/** The rows of an export: of a filtered list, or of a snapshot of everything. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { inSteps } from '../../../core/fair/scheduler.ts';
import type { Resource } from '../../../core/schema/define.ts';
import { optional, required, text } from '../../../core/schema/fields/index.ts';
import type { ParamsOf } from '../../../core/schema/fields/object.ts';
import { columnsOf } from '../../../core/schema/row.ts';
import type { JsonObject } from '../../../core/schema/values.ts';
import { authorize, type Principal } from '../../../records/auth/principal.ts';
import type { Query } from '../../../records/query/query.ts';
import type { RowWalk } from '../../../records/query/rows.ts';
import type { ReadZones } from '../../../records/query/zones.ts';
import {
  CONSOLE_FORMATS,
  type ConsoleFormat,
  type RowTable,
} from '../../../services/export/formats.ts';
import { type RowBatches, scopedRows } from '../../../services/export/rows.ts';
import type { Snapshot } from '../../../store/promises/snapshot.ts';
import type { Scope, Store } from '../../../store/promises/store.ts';
import { received } from '../../request/operations.ts';
import { texts } from '../members.ts';

export type ExportRequest = Awaited<ReturnType<typeof readExport>>;

const body = {
  resources: required(texts, 'The resources, by their names in paths'),
  format: required(text(), 'The format of the files'),
  filters: optional(text(), 'The query of the list of the one resource'),
  location: optional(text(), 'The only location whose records are exported'),
} as const;

/** Throws with every fault. Resources come in the order of the registry: parents before what belongs to them. */
export async function readExport(
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
  readonly query: Query;
  readonly store: Store;
  readonly options: ExportRequest;
  /** With them, times are by the clock of each record's home. */
  readonly zones: ReadZones | undefined;
  /** Who exports, as it is now; throws where that has ended. Called before each page of rows. */
  readonly stillMay: () => Promise<Principal>;
}

/** Gives tables; `close` releases the snapshot. Throws `ApiError` for what the person can fix, or may not see. */
export async function openTables(
  principal: Principal,
  walkOf: (resource: Resource, filters: string) => RowWalk,
  parts: TableParts,
): Promise<{ readonly tables: readonly RowTable[]; close(): Promise<void> }> {
  const { options, store } = parts;
  for (const { path } of options.resources) authorize(principal, path, 'read');
  const [first] = options.resources;
  if (options.filters !== undefined && first !== undefined) {
    const walk = walkOf(first, options.filters);
    // Faults of the filters are reported before the answer begins.
    const page = await walk.next(principal);
    return { tables: [tableOf(first, walked(page, walk, parts), parts)], close: async () => {} };
  }
  const snapshot = await store.snapshot();
  const { location, resources } = options;
  const scope =
    location === undefined ? principal.scope : { ...principal.scope, anchors: new Set([location]) };
  return {
    tables: resources.map((one) => tableOf(one, shown(snapshot, one, scope, parts), parts)),
    close: () => snapshot.close(),
  };
}

function tableOf(
  resource: Resource,
  batches: AsyncIterable<Iterator<JsonObject>>,
  parts: TableParts,
): RowTable {
  return { name: resource.path, columns: columnsOf(resource), rows: yieldingRows(batches, parts) };
}

async function* walked(
  first: Iterator<JsonObject> | undefined,
  walk: RowWalk,
  { stillMay }: TableParts,
): AsyncGenerator<Iterator<JsonObject>> {
  for (let page = first; page !== undefined; page = await walk.next(await stillMay())) yield page;
}

async function* shown(
  snapshot: Snapshot,
  resource: Resource,
  scope: Scope,
  { stillMay, zones }: TableParts,
): AsyncGenerator<Iterator<JsonObject>> {
  for await (const rows of scopedRows(snapshot, resource, scope, zones)) {
    await stillMay();
    yield rows;
  }
}

async function* yieldingRows(
  batches: AsyncIterable<Iterator<JsonObject>>,
  { stillMay }: TableParts,
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
