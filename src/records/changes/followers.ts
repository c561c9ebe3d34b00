/** Counts clients that follow the log of changes now and how far behind they are; remembers how far each key has read. */
import type { FollowingKey } from '../../store/books/erasing/notes.ts';

/** Keys that are remembered until they are taken; more are not. */
const MAX_READ = 10_000;

interface Follower {
  /** Notes the time of the oldest change that is being sent; `undefined`: the follower has all changes. */
  behind(since: number | undefined): void;
  leave(): void;
}

export function createFollowers() {
  const sinceOf = new Map<Follower, number | undefined>();
  let readBy = new Map<string, Omit<FollowingKey, 'at'>>();
  return {
    join(): Follower {
      const follower: Follower = {
        behind(since) {
          if (sinceOf.has(follower)) sinceOf.set(follower, since);
        },
        leave: () => void sinceOf.delete(follower),
      };
      sinceOf.set(follower, undefined);
      return follower;
    },
    /** Notes the change after which a key reads. */
    reads(read: Omit<FollowingKey, 'at'>): void {
      const name = `${read.account} ${read.key}`;
      if (readBy.size < MAX_READ || readBy.has(name)) readBy.set(name, read);
    },
    /** How far keys have read that have read since this was last called. */
    takeRead(at: number): readonly FollowingKey[] {
      const read = Array.from(readBy.values(), (one) => ({ ...one, at }));
      readBy = new Map();
      return read;
    },
    /** `since`: the time of the oldest change that some follower has not received yet. */
    get now(): { readonly count: number; readonly since: number | undefined } {
      const times = [...sinceOf.values()].filter((one) => one !== undefined);
      return { count: sinceOf.size, since: times.sort((a, b) => a - b)[0] };
    },
  };
}
