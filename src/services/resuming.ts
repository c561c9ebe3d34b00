/** Work that is stored as it goes: once at a time in this process, and another one goes on where a process was killed. */
import { FairSlots } from '../core/fair/slots.ts';

/** Pieces of work that are under way, in this process and of one account. */
const SLOTS = { slots: 2, ofGroup: 1 };

export interface Unfinished {
  readonly unique_identifier: string;
  readonly account: string;
}

export interface ResumingParts<Work extends Unfinished, Result> {
  /** What was begun and is not at its end; `step` changes as it goes. */
  readonly unfinished: () => Promise<readonly (Work & { readonly step: number })[]>;
  /** Whether others than this process may be at it: what has come further since the last look is theirs. */
  readonly isShared: boolean;
  /** Ends early where this process ends: the rest stays as it is stored. */
  readonly work: (one: Work, isClosed: () => boolean) => Promise<Result>;
}

export class Resuming<Work extends Unfinished, Result = void> {
  readonly #parts: ResumingParts<Work, Result>;
  readonly #slots = new FairSlots(SLOTS);
  readonly #running = new Map<string, Promise<Result>>();
  /** The steps of the last look. */
  #found: ReadonlyMap<string, number> = new Map();
  #isClosed = false;

  constructor(parts: ResumingParts<Work, Result>) {
    this.#parts = parts;
  }

  /** Resolves when it is done, or this process ends. */
  run(one: Work): Promise<Result> {
    const { work } = this.#parts;
    const id = one.unique_identifier;
    return this.#running.getOrInsertComputed(id, () =>
      this.#slots
        .run(one.account, () => work(one, () => this.#isClosed))
        .finally(() => this.#running.delete(id)),
    );
  }

  /** Goes on with what processes that ended have left. */
  async resume(): Promise<boolean> {
    const { unfinished, isShared } = this.#parts;
    const all = await unfinished();
    const before = this.#found;
    this.#found = new Map(all.map(({ unique_identifier, step }) => [unique_identifier, step]));
    let failure: unknown;
    for (const one of all) {
      if (isShared && before.get(one.unique_identifier) !== one.step) continue;
      await this.run(one).catch((error: unknown) => {
        failure ??= error;
      });
    }
    if (failure !== undefined) throw failure;
    return false;
  }

  /** Resolves when no piece is under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#running.values());
  }
}
