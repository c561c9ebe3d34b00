/** The store of a process with threads: the thread that calls reads, another one writes. */
import type { Fault } from '../../../core/errors.ts';
import { accountsOver } from '../../books/accounts.ts';
import type { SearchIndex } from '../../promises/search.ts';
import type { Removed, Repeated, Store } from '../../promises/store.ts';
import type { Checkpointer } from '../file/checkpointer.ts';
import type { SqliteStore } from '../store.ts';
import type { Thread } from './thread.ts';
import { packDrafts, refusedFor, unpackOutcomes } from './wire.ts';
import type { PackedRemoval } from './writer-thread.ts';

type PackedRemoved =
  | Removed
  | Repeated
  | { readonly outcome: 'refused'; readonly faults: readonly Fault[] };

/** Has everything that writes done by `writer`, and everything else by `reader`; only a process that serves checkpoints. */
export function servingStore(
  { books, accountTables, erases: _, ...reader }: SqliteStore,
  search: SearchIndex,
  writer: Thread,
  checkpointer?: Checkpointer,
): Store {
  const does =
    (method: string) =>
    <Result>(...values: readonly unknown[]) =>
      writer.call<Result>(method, ...values);
  return {
    ...reader,
    async commit(drafts, options = {}) {
      const sent = packDrafts(drafts);
      const outcomes = await writer.call<unknown[]>('commit', sent, options);
      return unpackOutcomes(outcomes, drafts, sent);
    },
    poll: writer.poll,
    async remove({ shape, ...removal }) {
      const packed: PackedRemoval = { ...removal, resource: shape.resource };
      const outcome = await writer.call<PackedRemoved>('remove', packed);
      return outcome.outcome === 'refused' ? refusedFor(outcome.faults) : outcome;
    },
    purgeReceipts: does('purgeReceipts'),
    checkWritable: does('checkWritable'),
    accounts: accountsOver({
      list: accountTables.list,
      create: does('accounts.create'),
      change: does('accounts.change'),
      beginEmptying: does('accounts.beginEmptying'),
      contents: accountTables.contents,
      emptySome: does('accounts.emptySome'),
    }),
    log: { ...reader.log, sweep: does('log.sweep') },
    ...books(does('books'), {
      erase: does('erase'),
      forget: does('forget'),
      forgetPast: does('forgetPast'),
    }),
    search,
    async close() {
      await writer.close();
      await checkpointer?.close();
      await reader.close();
    },
  };
}
