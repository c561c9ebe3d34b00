/** The rows of a body as they arrive, no more than there is memory for. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import type { LoopQueue } from '../../core/fair/loop.ts';
import { readColumns } from '../../core/schema/csv/columns.ts';
import { RecordEnds } from '../../core/schema/csv/record-ends.ts';
import type { Resource } from '../../core/schema/define.ts';
import { type Line, readLines } from '../../core/schema/lines.ts';
import { MAX_ROW_BYTES } from '../../records/ingest/many/row.ts';
import { memoryOf } from '../fair/memory.ts';
import type { Lines } from '../request/body.ts';
import { callerOf } from '../request/request.ts';
import { Arrivals } from './arrivals.ts';
import { letEndEarly } from './endings.ts';
import { RowMemory } from './row-memory.ts';

/** Lines read at a time. */
const TOGETHER = 256;
/** Results that are not yet sent: the longest are a thousand faults of some hundred rows. */
const ANSWER_BYTES = 512;

const DELIMITERS = { csv: ',', tsv: '\t' } as const;

export interface RowsRequest {
  readonly as: Lines;
  readonly resource: Resource;
  readonly unknown: 'refuse' | 'ignore';
  /** In which what comes of a row that is too long is looked at: nothing else is done with it that could be shared. */
  readonly ticks: LoopQueue;
}

export type ArrivingRows = Awaited<ReturnType<typeof openRows>>;

/** Begins to read the body of a request; of a table the header. Throws what is wrong with that. */
export async function openRows(request: FastifyRequest, reply: FastifyReply, sent: RowsRequest) {
  const { raw } = request;
  const arrivals = new Arrivals(raw);
  letEndEarly(raw, (reason) => arrivals.stop(reason));
  const held = new RowMemory(memoryOf(reply));
  const limits = {
    longest: MAX_ROW_BYTES,
    together: TOGETHER,
    begun: (bytes: number): void | Promise<void> => held.begun(bytes),
    tooLong: () => sent.ticks.wait(callerOf(request).key),
  };
  if (sent.as === 'lines') {
    const rows = holding(held, [], readLines(arrivals, limits));
    return { arrivals, held, columns: undefined, rows };
  }
  try {
    const delimiter = DELIMITERS[sent.as];
    const records = readLines(arrivals, { ...limits, ends: new RecordEnds(delimiter) });
    const { value: first = [] } = await records.next();
    const [header, ...others] = first as readonly Line[];
    const columns = readColumns(sent.resource, bytesOfHeader(header), { ...sent, delimiter });
    return { arrivals, held, columns, rows: holding(held, others, records) };
  } catch (error) {
    arrivals.discard();
    throw error;
  }
}

/** Bytes of memory that rows are counted as. */
export function weightOf(rows: readonly Line[]): number {
  let bytes = rows.length * ANSWER_BYTES;
  for (const row of rows) bytes += row.bytes?.length ?? 0;
  return bytes;
}

async function* holding(
  held: RowMemory,
  first: readonly Line[],
  others: AsyncIterable<readonly Line[]>,
): AsyncGenerator<readonly Line[]> {
  const take = async (rows: readonly Line[]): Promise<readonly Line[]> => {
    const wait = held.take(weightOf(rows));
    if (wait !== undefined) await wait;
    return rows;
  };
  if (first.length > 0) yield await take(first);
  for await (const rows of others) yield await take(rows);
}

function bytesOfHeader(header: Line | undefined): Uint8Array {
  if (header === undefined) {
    const message = 'The table has no header: begin it with a row of the names of its columns.';
    throw new ApiError('csv_invalid', { message });
  }
  if (header.bytes === undefined) {
    const message = `The header is larger than 1 MiB; send at most ${MAX_ROW_BYTES} bytes.`;
    throw new ApiError('body_too_large', { message });
  }
  return header.bytes;
}
