/** Reads the rows of a request, each for itself, in turns with those of others. */
import { ApiError, MAX_NAMED_FAULTS } from '../../errors.ts';
import type { Scheduler } from '../../fair/scheduler.ts';
import { parseUpsert, type UpsertRequest } from '../../schema/parse.ts';
import type { Draft } from '../../store/store.ts';
import type { Drafts } from '../drafts.ts';
import { extrasOf } from '../one/write.ts';
import { Gone, MAX_ROW_BYTES, type ManyCall, type ReadRow, type Row } from './row.ts';

/** Faults that are named of rows that are read together; after these each row names its first and counts the rest. */
const MAX_NAMED_TOGETHER = 1_000;

export interface ReadOptions {
  /** Takes nothing from memory that a caller's own identifier may by now mean otherwise. */
  readonly fresh?: boolean;
  /** Looks at each row that could not be read, and throws where that refuses all of them. */
  readonly check?: (row: ApiError, body: Uint8Array) => void;
}

export interface RowReader {
  /** Reads each row as the JSON body of an upsert; `undefined` is one that was too long to be kept. */
  read(
    call: ManyCall,
    rows: Iterable<Uint8Array | undefined>,
    options?: ReadOptions,
  ): Promise<readonly Row[]>;
  /** The row with another draft, of which nothing is taken from memory. */
  readAgain(call: ManyCall, row: ReadRow): Promise<Row>;
}

export function createRowReader(drafts: Drafts, scheduler: Scheduler): RowReader {
  const draftOf = (
    { principal: { scope }, resource, only }: ManyCall,
    request: UpsertRequest,
    fresh: boolean,
  ): Draft | Promise<Draft> => {
    const extras = extrasOf(only, undefined);
    return fresh && typeof request.parent !== 'string'
      ? drafts.makeUncached(scope, resource, request, extras)
      : drafts.make(scope, resource, request, extras);
  };

  const readOne = (
    call: ManyCall,
    body: Uint8Array,
    { fresh, named }: { readonly fresh: boolean; readonly named: number },
  ): Row | Promise<Row> => {
    let read: UpsertRequest | undefined;
    const rowOf = (request: UpsertRequest, made: Draft | Error): ReadRow => ({
      bytes: body.length,
      external_identifier: request.external_identifier,
      made,
      again: typeof request.parent === 'string' ? undefined : request,
    });
    try {
      const { resource, unknown } = call;
      const request = parseUpsert(resource, { encoding: 'json', body, query: '', unknown, named });
      read = request;
      const made = draftOf(call, request, fresh);
      if (!(made instanceof Promise)) return rowOf(request, made);
      return made.then(
        (draft) => rowOf(request, draft),
        (error: Error) => rowOf(request, error),
      );
    } catch (error) {
      return read === undefined ? (error as Error) : rowOf(read, error as Error);
    }
  };

  return {
    async read(call, rows, { fresh = false, check } = {}) {
      const read: (Row | Promise<Row>)[] = [];
      const bodies = rows[Symbol.iterator]();
      let named = 0;
      const brief = (error: ApiError): ApiError => {
        named += error.faults.length;
        return named <= MAX_NAMED_TOGETHER ? error : shortened(error);
      };
      await scheduler.run(call.principal.key, () => {
        if (call.isGone?.()) throw new Gone();
        const { value: body, done } = bodies.next();
        if (done) return true;
        if (body === undefined || body.length > MAX_ROW_BYTES) {
          read.push(rowTooLarge());
          return false;
        }
        const most = named < MAX_NAMED_TOGETHER ? MAX_NAMED_FAULTS : 1;
        const row = readOne(call, body, { fresh, named: most });
        if (row instanceof ApiError) check?.(row, body);
        read.push(row instanceof ApiError ? brief(row) : row);
        return false;
      });
      return Promise.all(read);
    },

    async readAgain(call, row) {
      const made = await Promise.try(draftOf, call, row.again as UpsertRequest, true).catch(
        (error: Error) => error,
      );
      return { ...row, made };
    },
  };
}

/** The same with its first fault alone; the others are counted. */
function shortened(error: ApiError): ApiError {
  const [first, ...others] = error.faults;
  if (first === undefined || others.length === 0) return error;
  return new ApiError([first], { unnamed: others.length });
}

function rowTooLarge(): ApiError {
  return new ApiError('body_too_large', {
    message: `The row is larger than 1 MiB; send at most ${MAX_ROW_BYTES} bytes.`,
  });
}
