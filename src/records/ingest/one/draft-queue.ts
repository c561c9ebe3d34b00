/** The queue of drafts for the next commits: in order of arrival for each key, and round-robin over keys. */
import type { Draft, Outcome } from '../../../store/promises/store.ts';

export interface Waiting {
  readonly draft: Draft;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/** Returns the key or the person that the queue counts a draft for. */
export function keyOf({ by = '' }: Draft): string {
  return by;
}

interface Lane {
  readonly key: string;
  waiting: Waiting[];
}

export class DraftQueue {
  /** The requests in the order of service. A `Map` that changes with every request would retain removed entries (decision 15). */
  #lanes: Lane[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(one: Waiting): void {
    this.#laneOf(one).waiting.push(one);
    this.#size += 1;
  }

  putBack(drafts: readonly Waiting[]): void {
    for (const one of drafts.toReversed()) this.#laneOf(one).waiting.unshift(one);
    this.#size += drafts.length;
  }

  /** Takes up to `most` drafts: the first of each key, then more of each, so that no key waits for another's backlog. */
  take(most: number): readonly Waiting[] {
    const [first, second] = this.#lanes;
    if (first !== undefined && second === undefined && this.#size <= most) {
      this.#lanes = [];
      this.#size = 0;
      return first.waiting;
    }
    const taken: Waiting[] = [];
    let share = 1;
    let lanes = this.#lanes;
    while (lanes.length > 0 && taken.length < most) {
      for (const { waiting } of lanes)
        taken.push(...waiting.splice(0, Math.min(share, most - taken.length)));
      share = Math.max(1, Math.floor((most - taken.length) / lanes.length));
      lanes = nonEmpty(lanes);
    }
    // Keys that were not served this time come first next time.
    const reached = Math.min(most, this.#lanes.length);
    this.#lanes = nonEmpty([...this.#lanes.slice(reached), ...this.#lanes.slice(0, reached)]);
    this.#size -= taken.length;
    return taken;
  }

  #laneOf({ draft }: Waiting): Lane {
    const key = keyOf(draft);
    let lane = this.#lanes.find((one) => one.key === key);
    if (lane === undefined) {
      lane = { key, waiting: [] };
      this.#lanes.push(lane);
    }
    return lane;
  }
}

function nonEmpty(lanes: readonly Lane[]): Lane[] {
  return lanes.filter(({ waiting }) => waiting.length > 0);
}
