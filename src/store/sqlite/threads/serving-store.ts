/** The store of a serving process: the thread that calls reads, another one writes. */
import type { Fault } from '../../../errors.ts';
import type { EmptiedPiece } from '../../account-book.ts';
import { emptied } from '../../emptying.ts';
import type { Refused, Removed, Repeated, Store } from '../../store.ts';
import type { Checkpointer } from '../file/checkpointer.ts';
import type { SqliteStore } from '../store.ts';
import { packDrafts, refusedFor, unpackOutcomes } from './wire.ts';
import type { Writer } from './writer.ts';
import type { PackedRemoval } from './writer-thread.ts';

type PackedRemoved =
  | Removed
  | Repeated
  | { readonly outcome: 'refused'; readonly faults: readonly Fault[] };

/** Has everything that writes done by `writer`, and everything else by `reader`. */
export function servingStore(
  reader: SqliteStore,
  writer: Writer,
  checkpointer: Checkpointer,
): Store {
  const { accounts, backups, imports, keys, log, requests, search, webhooks } = reader;
  const emptying = {
    beginEmptying: (...given: [account: string, isToGo: boolean]) =>
      writer.call<boolean>('accounts.beginEmptying', ...given),
    emptySome: (account: string) => writer.call<EmptiedPiece>('accounts.emptySome', account),
  };
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
    seenTime: reader.seenTime.bind(reader),
    noteTime: (at) => writer.call('noteTime', at),
    checkWritable: () => writer.call('checkWritable'),
    snapshot: () => reader.snapshotAfter(() => writer.call('sweepAll')),

    find: reader.find.bind(reader),
    findAll: reader.findAll?.bind(reader),
    findPair: reader.findPair.bind(reader),
    list: reader.list.bind(reader),
    receipt: reader.receipt.bind(reader),

    accounts: {
      create: (account) => writer.call('accounts.create', account),
      list: accounts.list.bind(accounts),
      rename: (unique_identifier, name) => writer.call('accounts.rename', unique_identifier, name),
      close: (unique_identifier) => writer.call('accounts.close', unique_identifier),
      reopen: (unique_identifier) => writer.call('accounts.reopen', unique_identifier),
      ...emptying,
      wipe: (unique_identifier, told) => emptied(emptying, unique_identifier, false, told),
    },
    log: {
      read: log.read.bind(log),
      last: log.last.bind(log),
      lastUpTo: log.lastUpTo.bind(log),
      positions: log.positions.bind(log),
      of: log.of.bind(log),
      // What went with another record a moment ago is told of when it is swept.
      gone: async (...asked) => {
        const gone = await log.gone(...asked);
        if (gone !== undefined || !reader.unswept) return gone;
        await writer.call('sweepAll');
        return log.gone(...asked);
      },
      removals: log.removals.bind(log),
      removed: async (query) => {
        if (reader.unswept) await writer.call('sweepAll');
        return log.removed(query);
      },
      sweep: () => writer.call('log.sweep'),
    },
    keys: {
      create: (key) => writer.call('keys.create', key),
      createAll: (all, changes) => writer.call('keys.createAll', all, changes),
      changeAll: (changes) => writer.call('keys.changeAll', changes),
      list: keys.list.bind(keys),
      revoke: (unique_identifier) => writer.call('keys.revoke', unique_identifier),
      suspend: (unique_identifier) => writer.call('keys.suspend', unique_identifier),
      resume: (unique_identifier) => writer.call('keys.resume', unique_identifier),
      expire: (unique_identifier, at) => writer.call('keys.expire', unique_identifier, at),
      limit: (unique_identifier, scope) => writer.call('keys.limit', unique_identifier, scope),
      authenticate: keys.authenticate.bind(keys),
      find: keys.find.bind(keys),
      touch: (used) => writer.call('keys.touch', used),
    },
    requests: {
      note: (refused, activity) => writer.call('requests.note', refused, activity),
      refused: requests.refused.bind(requests),
      activity: requests.activity.bind(requests),
      purge: () => writer.call('requests.purge'),
    },
    imports: {
      find: imports.find.bind(imports),
      list: imports.list.bind(imports),
      latest: imports.latest.bind(imports),
      put: (run) => writer.call('imports.put', run),
      keepRejected: (id, rows) => writer.call('imports.keepRejected', id, rows),
      rejected: imports.rejected.bind(imports),
      purge: () => writer.call('imports.purge'),
    },
    webhooks: {
      list: webhooks.list.bind(webhooks),
      find: webhooks.find.bind(webhooks),
      leases: webhooks.leases.bind(webhooks),
      pending: webhooks.pending.bind(webhooks),
      deliveries: webhooks.deliveries.bind(webhooks),
      delivery: webhooks.delivery.bind(webhooks),
      create: (...given) => writer.call('webhooks.create', ...given),
      change: (...given) => writer.call('webhooks.change', ...given),
      remove: (...given) => writer.call('webhooks.remove', ...given),
      take: (...given) => writer.call('webhooks.take', ...given),
      renew: (...given) => writer.call('webhooks.renew', ...given),
      release: (...given) => writer.call('webhooks.release', ...given),
      settle: (...given) => writer.call('webhooks.settle', ...given),
      redeliver: (...given) => writer.call('webhooks.redeliver', ...given),
      hasten: (...given) => writer.call('webhooks.hasten', ...given),
      purge: (...given) => writer.call('webhooks.purge', ...given),
    },
    ...reader.booksWrittenBy((writes) => writer.call('books.write', writes)),
    search,
    backups: {
      last: backups.last.bind(backups),
      note: (checked) => writer.call('backups.note', checked),
      follow: (...given) => writer.call('backups.follow', ...given),
      unfollow: (...given) => writer.call('backups.unfollow', ...given),
      followed: backups.followed.bind(backups),
    },

    async close() {
      await writer.close();
      await checkpointer.close();
      await reader.close();
    },
  };
}
