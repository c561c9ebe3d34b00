/**
 * Shares this thread. Work that requests bring waits in queues, and a little of each queue begins in each tick of the
 * event loop, round-robin by key. There is one event loop in a thread, so all queues share one budget and give way to
 * connections together: the system gives one connection in each tick, so ticks are short while more come.
 */

/** After a tick that took longer, fewer begin in the next. */
const TICK_MS = 10;
/** How long queues begin nothing more while connections come. */
const ACCEPTING_MS = 20;
/** How many begin in the first tick, at most. */
const FIRST = 8;

export interface LoopShare {
  /** How many begin in a tick: twice as many after a short tick, half as many after a long one. */
  readonly least: number;
  readonly most: number;
  /** None begins once this much of a tick is used. */
  readonly ms?: number;
}

/** Queues in which something waits. */
const queues = new Set<LoopQueue>();
let ticks = 0;
let isRunning = false;
let hasEntered = false;
let isAccepting = false;
let tickedAt = 0;

/** A connection was accepted: there may be more. */
export function connectionCame(): void {
  isAccepting = true;
}

/** Runs tick after tick while anything begins or waits. */
function run(): void {
  hasEntered = true;
  if (isRunning) return;
  isRunning = true;
  tickedAt = performance.now();
  setImmediate(tick);
}

function tick(): void {
  const now = performance.now();
  const wasLong = now - tickedAt >= TICK_MS;
  const since = isAccepting ? now - ACCEPTING_MS : now;
  isRunning = hasEntered || queues.size > 0;
  hasEntered = false;
  isAccepting = false;
  tickedAt = now;
  ticks += 1;
  if (isRunning) setImmediate(tick);
  for (const queue of [...queues]) if (queue.beganAt <= since) queue.begin(wasLong);
}

export class LoopQueue {
  /** When some of it last began in its tick. */
  beganAt = 0;
  readonly #share: LoopShare;
  readonly #waiting: FairQueue<() => void>;
  #atOnce: number;
  /** How many have begun in that tick, and since when. */
  #begun = 0;
  #tick = 0;
  #since = 0;

  /** `takeOut` takes the next one out of those of a key. */
  constructor(share: LoopShare, takeOut?: (own: (() => void)[]) => (() => void) | undefined) {
    this.#share = share;
    this.#waiting = new FairQueue(takeOut);
    this.#atOnce = Math.min(FIRST, share.most);
  }

  /** Begins now where nothing waits and this tick has had none, or has room for more; else in one of the next. */
  enter(key: string, begin: () => void): void {
    run();
    if (this.#tick !== ticks) this.#noteTick();
    const isShort = !isAccepting && performance.now() - this.#since < TICK_MS;
    const hasRoom = this.#begun === 0 || (this.#begun < this.#share.most && isShort);
    if (hasRoom && this.#waiting.isEmpty) {
      this.#begun += 1;
      begin();
    } else this.push(key, begin);
  }

  #noteTick(): void {
    this.#tick = ticks;
    this.#begun = 0;
    this.#since = performance.now();
  }

  wait(key: string): Promise<void> {
    return new Promise((resolve) => this.enter(key, resolve));
  }

  /** Begins in one of the next ticks. */
  push(key: string, begin: () => void): void {
    this.#waiting.push(key, begin);
    queues.add(this);
    run();
  }

  begin(wasLong: boolean): void {
    const { least, most, ms = Number.POSITIVE_INFINITY } = this.#share;
    this.#atOnce = wasLong ? Math.max(least, this.#atOnce >> 1) : Math.min(2 * this.#atOnce, most);
    this.#noteTick();
    const until = this.#since + ms;
    while (this.#begun < this.#atOnce && !this.#waiting.isEmpty) {
      if (this.#begun > 0 && performance.now() >= until) break;
      this.#begun += 1;
      this.#waiting.shift()?.();
    }
    this.beganAt = performance.now();
    if (this.#waiting.isEmpty) queues.delete(this);
  }
}

/** A queue without work of its own: its users wait in it for a tick in which they may begin, `atOnce` of them. */
export function createTickQueue(atOnce = 1): LoopQueue {
  return new LoopQueue({ least: atOnce, most: atOnce });
}

export class FairQueue<Item> {
  /** Items by key, in the order in which they are served. */
  readonly #byKey = new Map<string, Item[]>();
  readonly #takeOut: (own: Item[]) => Item | undefined;

  /** `takeOut` takes the next one out of those of a key, which are in the order in which they came. */
  constructor(takeOut = (own: Item[]) => own.shift()) {
    this.#takeOut = takeOut;
  }

  get isEmpty(): boolean {
    return this.#byKey.size === 0;
  }

  push(key: string, item: Item): void {
    const own = this.#byKey.get(key);
    if (own === undefined) this.#byKey.set(key, [item]);
    else own.push(item);
  }

  shift(): Item | undefined {
    for (const [key, own] of this.#byKey) {
      const item = this.#takeOut(own);
      this.#byKey.delete(key);
      if (own.length > 0) this.#byKey.set(key, own);
      return item;
    }
    return undefined;
  }
}
