/** Sends rows as they come, many in a request, and gives what became of each in order. */
import { Chunk } from './chunk.ts';
import { ConnectionError } from './error.ts';
import type { Outcome, RowError } from './generated/errors.ts';
import { unlessAborted } from './wait.ts';

/** The outcome of a row. */
export type RowAnswer<Row> = RowWritten<Row> | RowRefused<Row>;

interface OfRow<Row> {
  /** The position of the row among all that were given, counted from 0. */
  readonly index: number;
  /** The row as it was given. */
  readonly row: Row;
}

export interface RowWritten<Row> extends OfRow<Row> {
  readonly outcome: Outcome;
  /** Absent for a record that would only be created (`dryRun`). */
  readonly unique_identifier?: string;
  readonly error?: undefined;
}

export interface RowRefused<Row> extends OfRow<Row> {
  readonly error: RowError;
  readonly outcome?: undefined;
}

/** What became of all rows, where they are awaited. */
export interface UpsertManyResult<Row> extends Readonly<Record<Outcome, number>> {
  /** How many rows were refused. */
  readonly refused: number;
  /** The first 100 of those. */
  readonly refusals: readonly RowRefused<Row>[];
}

/** The outcomes of rows, to iterate over with `for await`, or to await. */
export interface RowAnswers<Row>
  extends AsyncGenerator<RowAnswer<Row>, void, undefined>,
    PromiseLike<UpsertManyResult<Row>> {}

const MAX_REFUSALS = 100;

/** Sends what is left of the rows when it is awaited, and counts those that were iterated over, too. */
export function rowAnswers<Row>(
  answers: AsyncGenerator<RowAnswer<Row>, void, undefined>,
): RowAnswers<Row> {
  const counts = { created: 0, updated: 0, unchanged: 0, erased: 0, refused: 0 };
  const refusals: RowRefused<Row>[] = [];
  const counting = async function* (): AsyncGenerator<RowAnswer<Row>, void, undefined> {
    for await (const answer of answers) {
      if (answer.error === undefined) counts[answer.outcome] += 1;
      else {
        counts.refused += 1;
        if (refusals.length < MAX_REFUSALS) refusals.push(answer);
      }
      yield answer;
    }
  };
  const all = counting();
  let result: Promise<UpsertManyResult<Row>> | undefined;
  const toTheEnd = async (): Promise<UpsertManyResult<Row>> => {
    for await (const _ of all);
    return { ...counts, refusals };
  };
  return Object.assign(all, {
    // biome-ignore lint/suspicious/noThenProperty: it is awaited as every other method is.
    then: ((...then) => {
      result ??= toTheEnd();
      return result.then(...then);
    }) as PromiseLike<UpsertManyResult<Row>>['then'],
  });
}

/** The answer of the service for a row. */
export type RowResult =
  | Pick<RowWritten<unknown>, 'outcome' | 'unique_identifier'>
  | { readonly error: RowError };

/** Sends an array of rows as JSON, and answers with a result for each. */
export type SendRows = (body: string) => Promise<readonly RowResult[]>;

interface UnderWay<Row> {
  readonly chunk: Chunk<Row>;
  readonly results: Promise<readonly RowResult[]>;
}

const MAX_IN_FLIGHT = 2;

/**
 * Takes from the source only while there is room: an array that fills, and fewer than two under way. Where the
 * source fails, what it gave before is sent and answered first. Nothing is under way any more when this ends, which is as
 * soon as the signal says so.
 */
export async function* sendMany<Row>(
  source: AsyncIterable<Row> | Iterable<Row>,
  most: () => number,
  send: SendRows,
  signal?: AbortSignal,
): AsyncGenerator<RowAnswer<Row>, void, undefined> {
  const rows = iteratorOf(source);
  const inFlight: UnderWay<Row>[] = [];
  let filling = new Chunk<Row>(most);
  let pulled: Promise<Pulled<Row>> | undefined;
  let isWanted = false;
  const ask = async (): Promise<Pulled<Row>> => {
    isWanted = true;
    const answer = await pull(rows);
    isWanted = false;
    return answer;
  };
  let end: Pulled<Row> | undefined;
  let index = 0;
  let given = 0;
  const hasRoom = (): boolean => inFlight.length < MAX_IN_FLIGHT;
  const mayGo = (): boolean =>
    filling.rows.length > 0 &&
    (filling.isReady || end !== undefined) &&
    hasRoom() &&
    !inFlight.some(({ chunk }) => chunk.sharesWith(filling));
  try {
    for (;;) {
      while (mayGo()) {
        const results = send(filling.close());
        // A failure is thrown where the promise is awaited; until then it must not count as unhandled.
        results.catch(() => {});
        inFlight.push({ chunk: filling, results });
        filling = new Chunk(most);
      }
      if (end === undefined && hasRoom() && !filling.isFull) pulled ??= ask();
      const [first] = inFlight;
      if (first === undefined && end !== undefined) break;
      const happened = await unlessAborted(
        Promise.race([
          ...(pulled === undefined ? [] : [pulled]),
          ...(first === undefined ? [] : [first.results.then(() => 'answered' as const)]),
          ...(filling.rows.length === 0 || filling.isReady ? [] : [filling.due]),
        ]),
        signal,
      );
      if (happened === 'answered' && first !== undefined) {
        const results = await first.results;
        inFlight.shift();
        for (const at of first.chunk.rows.keys()) {
          const row = first.chunk.rowAt(at);
          yield { index, row, ...resultAt(results, at) } as RowAnswer<Row>;
          index += 1;
        }
      } else if (typeof happened === 'object') {
        pulled = undefined;
        if (!('row' in happened)) end = happened;
        else
          try {
            filling.add(happened.row, given);
            given += 1;
          } catch (failure) {
            end = { failure, isOpen: true };
          }
      }
    }
    if (end !== undefined && 'failure' in end) throw end.failure;
  } finally {
    filling.close();
    await Promise.allSettled(inFlight.map(({ results }) => results));
    // A source that is asked for a row already is told, and not waited for: it may never answer.
    const isOpen = end === undefined || 'isOpen' in end;
    const closed = (async () => (isOpen ? rows.return?.() : undefined))();
    if (isWanted) closed.catch(() => {});
    else await closed;
  }
}

/** The result of each row, or there is no telling which belongs to which. */
function resultAt(results: readonly RowResult[], at: number): RowResult {
  const result = results[at];
  if (result !== undefined) return result;
  const message = 'The answer has no result for some of the rows.';
  throw new ConnectionError({ type: 'connection_error', code: 'answer_unreadable', message });
}

/** A row, the end of the rows, or how the source failed; `isOpen` where it did not fail itself. */
type Pulled<Row> =
  | { readonly row: Row }
  | { readonly ended: true }
  | { readonly failure: unknown; readonly isOpen?: true };

async function pull<Row>(rows: AsyncIterator<Row> | Iterator<Row>): Promise<Pulled<Row>> {
  try {
    const { done, value } = await rows.next();
    return done === true ? { ended: true } : { row: value };
  } catch (failure) {
    return { failure };
  }
}

function iteratorOf<Row>(
  source: AsyncIterable<Row> | Iterable<Row>,
): AsyncIterator<Row> | Iterator<Row> {
  return Symbol.asyncIterator in source
    ? source[Symbol.asyncIterator]()
    : source[Symbol.iterator]();
}
