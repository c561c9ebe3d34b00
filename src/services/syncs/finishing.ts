/** Finishes a sync: only where all that was sent with it was taken, and no more goes than may. */
import { FairSlots } from '../../core/fair/slots.ts';
import type { StoredSync } from '../../core/objects/transfer/sync.ts';
import type { Resource } from '../../core/schema/define.ts';
import type { Principal } from '../../records/auth/principal.ts';
import type { Store } from '../../store/promises/store.ts';
import { lookAhead, rehearse } from './ahead.ts';
import { type DoubtsOf, doubtsAgainst, nothingSent } from './doubts.ts';
import { guard } from './guard.ts';
import { assertOpen, ended, RESTORED, readShare, stillSending } from './refusals.ts';

export interface FinishSync {
  readonly at_most?: string | undefined;
  readonly dry_run: boolean;
  /** Requests whose doubts do not matter, or `all`. */
  readonly despite?: readonly string[] | undefined;
  readonly still: () => Promise<Principal>;
}

interface FinishParts<Shown> {
  readonly store: Store;
  readonly resources: readonly Resource[];
  readonly by: string | undefined;
  readonly now: () => number;
  readonly doubts: DoubtsOf;
  readonly find: (principal: Principal, id: string) => Promise<StoredSync>;
  readonly shown: (one: StoredSync) => Promise<Shown>;
  readonly goneOn: (one: StoredSync) => Promise<Shown>;
  readonly assertOwn: (principal: Principal, one: StoredSync) => Promise<readonly number[]>;
  readonly authorizeAll: (principal: Principal, resource: Resource) => void;
  readonly resourceOf: (one: StoredSync) => Resource;
}

/** Looks through all records of a source: in this process, and by one key. */
const LOOKS = { slots: 2, ofGroup: 1 };
/** The most looks through the records: one is repeated if a row arrived during it. */
const MOST_LOOKS = 3;

const isOver = ({ stored_status: is }: StoredSync): boolean =>
  ['finishing', 'finished', 'stopped'].includes(is);

export function createFinish<Shown>(parts: FinishParts<Shown>) {
  const { store, resources, by, now, doubts } = parts;
  const { find, shown, goneOn, assertOwn, authorizeAll, resourceOf } = parts;
  const looks = new FairSlots(LOOKS);

  /**
   * Throws `sync_ended`, `sync_in_doubt` and `sync_removes_too_much`. What takes long goes on after it resolves: the
   * status tells.
   */
  return async (principal: Principal, id: string, asked: FinishSync) => {
    const { at_most, dry_run, despite = [], still } = asked;
    const share = at_most === undefined ? undefined : readShare(at_most);
    const begun = await find(principal, id);
    const resource = resourceOf(begun);
    authorizeAll(principal, resource);
    const numbers = await assertOwn(principal, begun);
    if (!dry_run && isOver(begun)) return goneOn(begun);
    assertOpen(begun, now());

    /** The sync as it is when it is being finished; `undefined`: something was sent with it meanwhile. */
    const tried = async (one: StoredSync, most: number): Promise<StoredSync | undefined> => {
      // The key may have ended meanwhile, and the location may have left what it reaches.
      const caller = await still();
      authorizeAll(caller, resource);
      await assertOwn(caller, await find(caller, id));
      // From here on it takes no rows: what they name could not be compared any more.
      const finished_by = by ?? principal.key;
      const finishing = { stored_status: 'finishing', at_most: most, finished_by } as const;
      const put = await store.syncs.put({ ...one, ...finishing });
      if (put !== undefined) return put;
      const found = await find(principal, id);
      if (isOver(found)) return found;
      if (found.stored_status !== 'open') throw ended(found.stored_status);
      return undefined;
    };

    return looks.run(principal.key, async () => {
      for (let looked = 0; looked < MOST_LOOKS; looked += 1) {
        const one = looked === 0 ? begun : await find(principal, id);
        assertOpen(one, now());
        if (!(await store.syncs.isComparable(one))) throw ended(RESTORED);
        const most = share ?? one.at_most;
        const inDoubt = doubtsAgainst(one, await doubts.requests(one), despite);
        if (!dry_run && inDoubt !== undefined) throw inDoubt;
        const walking = { store, resources, resource, numbers, sync: one };
        const ahead = await lookAhead(walking);
        if (ahead === undefined) throw ended(RESTORED);
        const isEmpty = one.seen === 0 && ahead.going > 0 && most < 100;
        const refusal = inDoubt ?? (isEmpty ? nothingSent() : await guard(walking, ahead, most));
        if (dry_run) {
          const would = await rehearse(walking, ahead);
          return { ...(await shown({ ...one, ...would })), refusal: refusal?.message ?? null };
        }
        if (refusal !== undefined) throw refusal;
        const finishing = await tried(one, most);
        if (finishing !== undefined) return goneOn(finishing);
      }
      throw stillSending();
    });
  };
}
