// Generated from client/src/sync.ts by "npm run generate"; do not edit.

/** Sends all that a source has at a place, and removes what it did not send: `api.sync`. */
import type { Outcome } from './generated/errors.ts';
import type { BeginSyncParams, Sync } from './generated/objects.d.ts';
import type { SyncsApi } from './generated/operations.ts';
import type { RowAnswers, RowRefused } from './many.ts';
import type { UpsertManyOptions } from './settings.ts';
/** What is sent, and where: a location, a whole account, or a sync that is open. */
export type SyncOf<Resource> = {
    readonly resource: Resource;
} & ({
    readonly location: string;
    readonly account?: undefined;
} | {
    readonly account: string;
    readonly location?: undefined;
} | Pick<Sync, 'unique_identifier'>);
export interface SyncOptions extends Pick<UpsertManyOptions, 'dryRun' | 'rows' | 'signal' | 'timeout' | 'unknownFields'> {
    /** The largest share of the records that may be removed, such as `5%`, which it is by default; ten with up to 1,000 that belong to them are always allowed. */
    readonly atMost?: string | undefined;
    /** When the data was taken: what your source changed after that stays as it is. The moment at which the sync begins, if left out. */
    readonly asOf?: Date | string | undefined;
    /** Requests of which something was not taken and that may be left out, or `all`; see `sync.doubts`. */
    readonly despite?: 'all' | readonly string[] | undefined;
    /** Called once it is begun: with its `unique_identifier` you can go on if something fails. */
    readonly begun?: ((sync: Sync) => void | Promise<void>) | undefined;
}
export interface SyncResult<Row> extends Readonly<Record<Outcome, number>> {
    /** How many rows were refused. Their records stay as they are. */
    readonly refused: number;
    /** The first 100 of those. */
    readonly refusals: readonly RowRefused<Row>[];
    /** How many records were removed, with those that belonged to them, by resource: `{ event: 2 }`. */
    readonly removed: Sync['removed'];
    /** How many records were not sent, and stay: `sync.left` says why. */
    readonly left: number;
    /** The sync as it ended. */
    readonly sync: Sync;
}
/** The records of the resource that is sent. */
export interface Bulk<Row> {
    upsertMany(rows: object, options: UpsertManyOptions): RowAnswers<Row>;
}
export declare function runSync<Row>(syncs: SyncsApi, of: SyncOf<BeginSyncParams['resource']>, upsertMany: (options: UpsertManyOptions) => RowAnswers<Row>, given: SyncOptions): Promise<SyncResult<Row>>;
