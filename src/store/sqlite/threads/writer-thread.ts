/**
 * The thread that writes: it has the only connection of the serving process that does, and carries out one request
 * after the other. While it merges and while the disk works, the thread that serves reads the next requests.
 */

import { parentPort, workerData } from 'node:worker_threads';
import { noting } from '../../../core/each-account.ts';
import { collectGarbage } from '../../../core/garbage.ts';
import type { RecordShape } from '../../../core/schema/shape.ts';
import type { CommitOptions, Removal } from '../../promises/store.ts';
import { createBookRows } from '../book-rows.ts';
import { createContext } from '../context.ts';
import { createConnection, openDatabase } from '../file/connection.ts';
import { createFilePlaces, type OpenedFile } from '../file/file-places.ts';
import { type Retention, sqliteStore } from '../store.ts';
import { performEach, requestedAt } from './performing.ts';
import { packOutcomes, unpackDrafts } from './wire.ts';

export interface WriterData {
  readonly path: string;
  readonly files: readonly OpenedFile[];
  readonly shapes: readonly RecordShape[];
  /** How long a transaction waits for other processes' writes. */
  readonly patienceMs: number | undefined;
  readonly retention: Retention;
  /** Else it writes next to a process that may be serving, and leaves the upkeep to that. */
  readonly serves: boolean;
}

/** Sent after some commits, and after each removal. */
export type WriterMessage = 'written' | 'removed';

/** A removal whose shape goes by its name. */
export type PackedRemoval = Omit<Removal, 'shape'> & { readonly resource: string };

const data = workerData as WriterData;
const { path, files, shapes, patienceMs, retention, serves } = data;
const shapesByName = new Map(shapes.map((shape) => [shape.resource, shape]));

/** The log grows by a few pages with each commit: it is looked at now and then. */
const COMMITS_BETWEEN_LOOKS = 32;

let commits = 0;
const say = (message: WriterMessage) => parentPort?.postMessage(message);
const connection = createConnection(openDatabase(path, patienceMs), {
  filePlaces: createFilePlaces(files),
  patienceMs,
  onWrite: () => {
    commits += 1;
    if (serves && commits % COMMITS_BETWEEN_LOOKS === 0) say('written');
  },
  ...(serves && { onRemoved: () => say('removed') }),
  checkpoints: !serves,
});
const { historyDays } = retention;
const context = createContext(connection, shapes, { ...requestedAt, historyDays });
const store = sqliteStore(path, context, retention);
const { accountTables: accounts, erases } = store;
const books = createBookRows(context);
// What the start has left behind.
if (serves) setTimeout(collectGarbage, 1_000).unref();

performEach({
  commit: async (packed: readonly unknown[], options: CommitOptions) => {
    const drafts = unpackDrafts(packed, shapesByName);
    return packOutcomes(await store.commit(drafts, options), drafts);
  },
  remove: async ({ resource, ...removal }: PackedRemoval) => {
    const shape = shapesByName.get(resource) as RecordShape;
    const outcome = await store.remove({ shape, ...removal });
    if (outcome.outcome === 'refused') throw outcome.error;
    return outcome;
  },
  purgeReceipts: store.purgeReceipts,
  checkWritable: store.checkWritable,
  'log.sweep': noting(store.log.sweep),
  ...erases,
  forget: noting(erases.forget),
  'accounts.create': accounts.create,
  'accounts.change': accounts.change,
  'accounts.beginEmptying': accounts.beginEmptying,
  'accounts.emptySome': accounts.emptySome,
  books: books.perform,
  restartLog: async (truncate: boolean) => connection.restartLog(truncate),
  close: store.close,
});
