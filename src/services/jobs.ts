/** Does long work in pieces: each job in one process at a time, and in another one where that ends or is killed. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type EachAccount, eachUnwatched, isEverybodys } from '../core/each-account.ts';
import { FairSlots } from '../core/fair/slots.ts';
import { type JobBook, LEASE_MS, type Lease } from '../store/books/log/jobs.ts';

/** Jobs of a kind that a process goes on with at a time. */
const AT_ONCE = 8;
/** How often others are looked for meanwhile. */
const LOOKED_MS = 1_000;
/** How often a caller tries to take a job that another process has. */
const TRIED_MS = 250;

export interface JobSubject {
  readonly account: string;
  readonly unique_identifier: string;
  /** Who takes turns with others; by default the account. */
  readonly group?: string;
}

export interface JobKind<Subject extends JobSubject, Result> {
  readonly kind: string;
  readonly book: JobBook;
  /** Finds what is begun and not at its end, or due. */
  due(): Promise<readonly Subject[]>;
  /** Yields after each piece, with the number of pauses before the next. Its end is the end of the job. */
  work(subject: Subject): AsyncGenerator<number, Result>;
  /** How many pieces are under way in this process. */
  readonly slots?: number;
  readonly pauseMs?: () => number;
}

export class Jobs<Subject extends JobSubject, Result = void> {
  readonly kind: string;
  readonly #kind: JobKind<Subject, Result>;
  readonly #owner = randomUUID();
  readonly #slots: FairSlots;
  readonly #running = new Map<string, Promise<Result | undefined>>();
  /** Jobs that `resume` began, by group. */
  readonly #resumed = new Map<string, Promise<unknown>>();
  /** Jobs that were begun since all others were: what fails waits for these. */
  readonly #begun = new Set<string>();
  #clearedAt = Number.NEGATIVE_INFINITY;
  readonly #failures: unknown[] = [];
  #round: Promise<boolean> | undefined;
  #each: EachAccount;
  #isClosed = false;

  constructor(kind: JobKind<Subject, Result>) {
    this.kind = kind.kind;
    this.#kind = kind;
    this.#each = eachUnwatched(kind.kind);
    this.#slots = new FairSlots({ slots: kind.slots ?? 1, ofGroup: 1 });
  }

  /** Resolves when the job is done; `undefined` where this process ends before, or another one goes on. */
  run(subject: Subject, report?: (yielded: number) => void): Promise<Result | undefined> {
    return this.#run(subject, true, report);
  }

  /** Reports jobs that fail; they rest, and all others go on. */
  watched(each: EachAccount): void {
    this.#each = each;
  }

  /**
   * Goes on with what is due and no other process does; returns whether there may be more. Callers at the same time share
   * a round: each would begin again what the others find done, and none would come to an end.
   */
  resume(): Promise<boolean> {
    this.#round ??= this.#resume().finally(() => {
      this.#round = undefined;
    });
    return this.#round;
  }

  async #resume(): Promise<boolean> {
    if (this.#resumed.size < AT_ONCE && !this.#isClosed) await this.#begin();
    if (this.#resumed.size === 0) return false;
    const looking = new AbortController();
    const { signal } = looking;
    await Promise.race([...this.#resumed.values(), pause(LOOKED_MS, undefined, { signal })]);
    looking.abort();
    const [failure] = this.#failures.splice(0);
    if (failure !== undefined) throw failure;
    return true;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#running.values());
  }

  async #begin(): Promise<void> {
    const due = await this.#kind.due();
    const next = due.filter(
      ({ unique_identifier: id }) => !this.#begun.has(id) && !this.#each.rests(id),
    );
    // What ends and is still due is not begun again and again while another one goes on.
    const isOver = this.#resumed.size === 0 || performance.now() - this.#clearedAt >= LOOKED_MS;
    if (next.length === 0 && isOver) {
      this.#begun.clear();
      this.#clearedAt = performance.now();
    }
    for (const one of next) {
      const { account, unique_identifier: id, group = account } = one;
      if (this.#resumed.size >= AT_ONCE) return;
      if (this.#resumed.has(group) || this.#running.has(id)) continue;
      this.#begun.add(id);
      const running = this.#run(one, false)
        .then(() => this.#each.done(id))
        .catch((error: unknown) => {
          if (isEverybodys(error)) this.#failures.push(error);
          else this.#each.failed(account, error, id);
        })
        .finally(() => this.#resumed.delete(group));
      this.#resumed.set(group, running);
    }
  }

  #run(subject: Subject, waits: boolean, report?: (yielded: number) => void) {
    const { unique_identifier: object, account } = subject;
    const { kind } = this.#kind;
    const lease = { account, kind, object, owner: this.#owner };
    return this.#running.getOrInsertComputed(object, () =>
      this.#work(subject, lease, waits, report).finally(() => this.#running.delete(object)),
    );
  }

  async #work(
    subject: Subject,
    lease: Lease,
    waits: boolean,
    report: ((yielded: number) => void) | undefined,
  ): Promise<Result | undefined> {
    const { book, work, pauseMs } = this.#kind;
    while (!(await book.take(lease))) {
      if (!waits || this.#isClosed) return undefined;
      await pause(TRIED_MS);
    }
    let [isOwn, pieces] = [true, 0];
    const renewing = setInterval(async () => {
      const renewed = book.renew(lease, pieces).catch((error: unknown) => {
        // A lease that is never renewed is another process's soon, and nobody would know why.
        if (!isEverybodys(error)) this.#each.failed(lease.account, error, lease.object);
        return true;
      });
      pieces = 0;
      isOwn = await renewed;
    }, LEASE_MS / 3);
    const working = work(subject);
    try {
      while (isOwn && !this.#isClosed) {
        const piece = await this.#slots.run(subject.group ?? lease.account, async () => {
          const did = await working.next();
          if (!did.done && pauseMs !== undefined) await pause(did.value * pauseMs());
          return did;
        });
        pieces += 1;
        if (piece.done) {
          await book.end(lease);
          return piece.value;
        }
        report?.(piece.value);
      }
      return undefined;
    } finally {
      clearInterval(renewing);
      await working.return(undefined as never);
      // Without a store the lease runs out by itself. That of another process, and of what is done, stays as it is.
      await book.release(lease).catch(() => undefined);
    }
  }
}

/** Works to the end without others; `report` is given what each piece yields. */
export async function ended<Result>(
  work: AsyncGenerator<number, Result>,
  report?: (yielded: number) => unknown,
): Promise<Result> {
  for (;;) {
    const piece = await work.next();
    if (piece.done) return piece.value;
    await report?.(piece.value);
  }
}
