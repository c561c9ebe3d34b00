// Generated from client/src/many.ts by "npm run generate"; do not edit.

import type { Outcome, RowError } from './generated/errors.ts';
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
export interface RowAnswers<Row> extends AsyncGenerator<RowAnswer<Row>, void, undefined>, PromiseLike<UpsertManyResult<Row>> {
}
/** Sends what is left of the rows when it is awaited, and counts those that were iterated over, too. */
export declare function rowAnswers<Row>(answers: AsyncGenerator<RowAnswer<Row>, void, undefined>): RowAnswers<Row>;
/** The answer of the service for a row. */
export type RowResult = Pick<RowWritten<unknown>, 'outcome' | 'unique_identifier'> | {
    readonly error: RowError;
};
/** Sends an array of rows as JSON, and answers with a result for each. */
export type SendRows = (body: string) => Promise<readonly RowResult[]>;
/**
 * Takes from the source only while there is room: an array that fills, and fewer than two under way. Where the
 * source fails, what it gave before is sent and answered first. Nothing is under way any more when this ends, which is as
 * soon as the signal says so.
 */
export declare function sendMany<Row>(source: AsyncIterable<Row> | Iterable<Row>, most: () => number, send: SendRows, signal?: AbortSignal): AsyncGenerator<RowAnswer<Row>, void, undefined>;
export {};
