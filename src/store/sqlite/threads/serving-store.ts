/** The store of a process with threads: the thread that calls reads, another one writes. */
import type { Fault } from '../../../core/errors.ts';
import { accountsOver } from '../../books/accounts.ts';
import type { Refused, Removed, Repeated, Store } from '../../promises/store.ts';
import type { Checkpointer } from '../file/checkpointer.ts';
import type { SqliteStore } from '../store.ts';
import { packDrafts, refusedFor, unpackOutcomes } from './wire.ts';
import type { Writer } from './writer.ts';
import type { PackedRemoval } from './writer-thread.ts';

type PackedRemoved =
  | Removed
  | Repeated
  | { readonly outcome: 'refused'; readonly faults: readonly Fault[] };

/** Has everything that writes done by `writer`, and everything else by `reader`; only a process that serves checkpoints. */
export function servingStore(
  reader: SqliteStore,
  writer: Writer,
  checkpointer?: Checkpointer,
): Store {
  const { log, search } = reader;
  return {
    processes: reader.processes,
    place: reader.place,
    file: reader.file,

    async commit(drafts, options = {}) {
      const sent = packDrafts(drafts);
      const outcomes = await writer.call<unknown[]>('commit', sent, options);
      return unpackOutcomes(outcomes, drafts, sent);
    },
    poll: () => writer.poll(),
    async remove({ shape, ...removal }): Promise<Removed | Refused | Repeated> {
      const packed: PackedRemoval = { ...removal, resource: shape.resource };
      const outcome = await writer.call<PackedRemoved>('remove', packed);
      return outcome.outcome === 'refused' ? refusedFor(outcome.faults) : outcome;
    },
    purgeReceipts: () => writer.call('purgeReceipts'),
    checkWritable: () => writer.call('checkWritable'),
    snapshot: reader.snapshot.bind(reader),

    find: reader.find.bind(reader),
    findAll: reader.findAll?.bind(reader),
    findPair: reader.findPair.bind(reader),
    list: reader.list.bind(reader),
    count: reader.count.bind(reader),
    receipt: reader.receipt.bind(reader),

    accounts: accountsOver({
      list: reader.accounts.list,
      create: (...given) => writer.call('accounts.create', ...given),
      change: (...given) => writer.call('accounts.change', ...given),
      beginEmptying: (...given) => writer.call('accounts.beginEmptying', ...given),
      emptySome: (...given) => writer.call('accounts.emptySome', ...given),
    }),
    log: {
      read: log.read.bind(log),
      last: log.last.bind(log),
      lastUpTo: log.lastUpTo.bind(log),
      positions: log.positions.bind(log),
      of: log.of.bind(log),
      gone: log.gone.bind(log),
      removals: log.removals.bind(log),
      removed: log.removed.bind(log),
      sweep: () => writer.call('log.sweep'),
    },
    ...reader.books((...given) => writer.call('books', ...given), {
      erase: (requests) => writer.call('erase', requests),
      forgetErased: () => writer.call('forgetErased'),
      forgetPast: (past) => writer.call('forgetPast', past),
    }),
    search,

    async close() {
      await writer.close();
      await checkpointer?.close();
      await reader.close();
    },
  };
}
