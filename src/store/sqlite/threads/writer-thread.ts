/**
 * The thread that writes: it has the only connection of the serving process
 * that does, and carries out one request after the other. While it merges and
 * while the disk works, the thread that serves reads the next requests.
 */

import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { ApiError, type Fault } from '../../../core/errors.ts';
import { collectGarbage } from '../../../core/garbage.ts';
import { createIdentifiers } from '../../../core/schema/id.ts';
import type { RecordShape } from '../../../core/schema/shape.ts';
import {
  type CommitOptions,
  type Removal,
  StoreUnavailable,
  StoreUnsure,
} from '../../promises/store.ts';
import { BookRows } from '../book-rows.ts';
import { createContext } from '../context.ts';
import { Connection, openDatabase } from '../file/connection.ts';
import { FilePlaces, type OpenedFile } from '../file/file-places.ts';
import { type Retention, sqliteStore } from '../store.ts';
import { packOutcomes, unpackDrafts } from './wire.ts';

export interface WriterData {
  /** Where requests come from and replies go. */
  readonly port: MessagePort;
  /** Counts the replies sent, for a caller that looks before the message comes. */
  readonly sent: Int32Array;
  readonly path: string;
  readonly files: readonly OpenedFile[];
  readonly shapes: readonly RecordShape[];
  /** How long a transaction waits for other processes' writes. */
  readonly patienceMs: number | undefined;
  readonly retention: Retention;
  /** Else it writes next to a process that may be serving, and leaves the upkeep to that. */
  readonly serves: boolean;
}

/** Each is replied to, in the order in which they come. */
export interface WriterRequest {
  /** The clock of the requesting thread, in milliseconds since 1970: there is one clock in a process. */
  readonly now: number;
  readonly method: string;
  readonly values: readonly unknown[];
}

export interface WriterReply {
  readonly result?: unknown;
  readonly failure?: WriterFailure;
  /** Whether anything was written since the reply before. */
  readonly wrote: boolean;
}

/** Errors lose their class and their codes on the way; what they are is sent with them. */
export type WriterFailure =
  | {
      readonly is: 'unavailable' | 'unsure';
      readonly message: string;
      readonly errcode: unknown;
    }
  | { readonly is: 'api'; readonly faults: readonly Fault[] }
  | { readonly is: 'other'; readonly error: unknown };

/** A removal whose shape goes by its name. */
export type PackedRemoval = Omit<Removal, 'shape'> & { readonly resource: string };

const data = workerData as WriterData;
const { port, sent, path, files, shapes, patienceMs, retention, serves } = data;
const shapesByName = new Map(shapes.map((shape) => [shape.resource, shape]));

let now = 0;
let wrote = false;
const connection = new Connection(openDatabase(path, patienceMs), {
  filePlaces: new FilePlaces(files),
  patienceMs,
  onWrite: () => {
    wrote = true;
  },
  ...(serves && { onRemoved: () => parentPort?.postMessage('removed') }),
  checkpoints: !serves,
});
const clock = () => now;
const context = createContext(connection, shapes, {
  now: clock,
  identify: createIdentifiers(clock),
  keepsContent: retention.historyDays > 0,
});
const store = sqliteStore(path, context, retention, () => {});
const { accountTables: accounts, erases } = store;
const books = new BookRows(context);
// What the start has left behind.
if (serves) setTimeout(collectGarbage, 1_000).unref();

const methods: { readonly [name: string]: (...values: never[]) => Promise<unknown> } = {
  commit: async (packed: readonly unknown[], options: CommitOptions) => {
    const drafts = unpackDrafts(packed, shapesByName);
    return packOutcomes(await store.commit(drafts, options), drafts);
  },
  remove: async ({ resource, ...removal }: PackedRemoval) => {
    const shape = shapesByName.get(resource) as RecordShape;
    const outcome = await store.remove({ shape, ...removal });
    return outcome.outcome === 'refused'
      ? { outcome: outcome.outcome, faults: outcome.error.faults }
      : outcome;
  },
  purgeReceipts: store.purgeReceipts,
  checkWritable: store.checkWritable,
  'log.sweep': store.log.sweep,
  ...erases,
  'accounts.create': accounts.create,
  'accounts.change': accounts.change,
  'accounts.beginEmptying': accounts.beginEmptying,
  'accounts.emptySome': accounts.emptySome,
  books: books.perform.bind(books),
  restartLog: async (truncate: boolean) => connection.restartLog(truncate),
  close: store.close,
};

/** One after the other, also where one of them waits for another process. */
let last: Promise<void> = Promise.resolve();
port.on('message', (request: WriterRequest) => {
  last = last.then(() => perform(request));
});

async function perform({ now: sentAt, method, values }: WriterRequest): Promise<void> {
  now = sentAt;
  let reply: Omit<WriterReply, 'wrote'>;
  try {
    const does = methods[method];
    if (does === undefined) throw new TypeError(`The writer has no method ${method}.`);
    reply = { result: await does(...(values as never[])) };
  } catch (error) {
    reply = { failure: failureOf(error) };
  }
  port.postMessage({ ...reply, wrote } satisfies WriterReply);
  Atomics.add(sent, 0, 1);
  wrote = false;
  // Nothing comes after it, and nothing else keeps the thread.
  if (method === 'close') port.close();
}

function failureOf(error: unknown): WriterFailure {
  if (error instanceof StoreUnavailable) {
    const { message, cause } = error;
    const errcode = cause instanceof Error && 'errcode' in cause ? cause.errcode : undefined;
    return { is: error instanceof StoreUnsure ? 'unsure' : 'unavailable', message, errcode };
  }
  if (error instanceof ApiError) return { is: 'api', faults: error.faults };
  return { is: 'other', error };
}
