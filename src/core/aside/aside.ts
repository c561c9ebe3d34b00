/**
 * Work that may hang, such as on a disk that an operator has named, in a process of its own: what the process of the
 * service looks at itself takes one of the four threads in which passwords and names of hosts are worked on, too, and
 * keeps it from ending.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { atOver, isAllOver } from './over.ts';

type Methods = Readonly<Record<string, (...values: never[]) => Promise<unknown>>>;

interface Asked {
  readonly id: number;
  readonly method: string;
  readonly values: readonly unknown[];
}

interface Answered {
  readonly id: number;
  readonly result?: unknown;
  readonly failure?: { readonly message: string; readonly code: string | undefined };
}

/** How long a disk may take before it counts as one that does not answer. */
const PATIENCE_S = 5;
/** How long a process may take to begin. */
const STARTING_S = 60;
const READY = 'ready';
/** How long it stays without work; the next work begins another one. */
const IDLE_MS = 30_000;

interface Running {
  readonly child: ChildProcess;
  /** Resolves when it can be asked. */
  readonly started: Promise<void>;
  /** By the numbers of what it was asked. */
  readonly waiting: Map<number, PromiseWithResolvers<unknown>>;
  /** Resolves when it is gone. */
  readonly over: Promise<unknown>;
  /** It was given up, and is not gone yet: a disk may keep it. */
  isDying: boolean;
}

const all = new Set<ChildProcess>();
let isWatched = false;

/** Ends the process with this one: one that hangs does not end by itself. */
function endWith(child: ChildProcess): void {
  all.add(child);
  child.once('exit', () => all.delete(child));
  if (isWatched) return;
  isWatched = true;
  const endAll = (): void => {
    for (const one of all) one.kill('SIGKILL');
  };
  process.once('exit', endAll);
  atOver(endAll);
}

function silence(): Error {
  return Object.assign(new Error('It does not answer.'), { code: 'ETIMEDOUT' });
}

/** The process could not be begun, or ended with work of others: that says nothing of this work, which may be tried again. */
export class AsideGone extends Error {
  override readonly name = 'AsideGone';
  readonly code: string | undefined;
  /** Resolves when another process can be begun. */
  readonly over: Promise<unknown>;

  constructor(why: Error, over: Promise<unknown> = Promise.resolve()) {
    super(why.message, { cause: why });
    this.code = (why as NodeJS.ErrnoException).code;
    this.over = over;
  }
}

/** Rejects with the code `ETIMEDOUT`, after `giveUp`, where work takes longer. */
async function within<Result>(
  seconds: number,
  work: Promise<Result>,
  giveUp: () => void,
): Promise<Result> {
  const stop = new AbortController();
  const late = (async () => {
    // A process that had no time to look counts one second of it.
    for (let second = 0; second < seconds; second += 1)
      await pause(1_000, undefined, { ref: false, signal: stop.signal });
    giveUp();
    throw silence();
  })();
  try {
    return await Promise.race([work, late]);
  } finally {
    stop.abort();
    late.catch(() => undefined);
    work.catch(() => undefined);
  }
}

/** The methods of a disk that is worked on here: one that does not answer in time rejects as those of a process do, and again until it has. */
export function patient<All extends Methods>(all: All): All {
  let hangs = false;
  const patiently =
    (method: All[keyof All]) =>
    async (...values: never[]) => {
      if (hangs) throw silence();
      const work = method(...values).finally(() => {
        hangs = false;
      });
      return within(PATIENCE_S, work, () => {
        hangs = true;
      });
    };
  return Object.fromEntries(
    Object.entries(all).map(([name, method]) => [name, patiently(method as All[keyof All])]),
  ) as All;
}

export type Aside<All extends Methods> = ReturnType<typeof createAside<All>>;

/** A process is begun when there is work, from that module, which calls `answerAside` */
export function createAside<All extends Methods>(module: URL) {
  let running: Running | undefined;
  let ids = 0;
  let idle: NodeJS.Timeout | undefined;

  function begin(): Running {
    const child = fork(module, {
      execArgv: ['--disable-sigusr1'],
      // Maps and what is undefined arrive as they are.
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    endWith(child);
    const { promise: started, resolve: start, reject: fail } = Promise.withResolvers<void>();
    started.catch(() => undefined);
    const waiting: Running['waiting'] = new Map();
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const begun: Running = { child, started, waiting, over, isDying: false };
    const gone = (cause: Error): void => {
      const why = new AsideGone(cause);
      if (running === begun) running = undefined;
      fail(why);
      for (const one of waiting.values()) one.reject(why);
      waiting.clear();
      end();
    };
    child.once('error', gone).once('exit', () => gone(silence()));
    child.on('message', (message: Answered | typeof READY) => {
      if (message === READY) return start();
      const { id, result, failure } = message;
      const one = waiting.get(id);
      waiting.delete(id);
      if (waiting.size === 0) rest(begun);
      if (failure === undefined) one?.resolve(result);
      else one?.reject(Object.assign(new Error(failure.message), { code: failure.code }));
    });
    running = begun;
    return begun;
  }

  /** It keeps nobody from ending while there is nothing to do. */
  function rest({ child, waiting }: Running): void {
    child.unref();
    child.channel?.unref();
    clearTimeout(idle);
    idle = setTimeout(() => {
      if (waiting.size === 0 && child.connected) child.disconnect();
    }, IDLE_MS).unref();
  }

  async function ask(method: string, values: readonly unknown[], seconds: number) {
    if (isAllOver()) throw silence();
    if (running?.isDying) throw new AsideGone(silence(), running.over);
    const asked = running?.child.connected ? running : begin();
    const { child, started, waiting } = asked;
    const giveUp = (): void => {
      asked.isDying = true;
      child.kill('SIGKILL');
    };
    ids += 1;
    const id = ids;
    const one = Promise.withResolvers<unknown>();
    one.promise.catch(() => undefined);
    waiting.set(id, one);
    child.ref();
    child.channel?.ref();
    clearTimeout(idle);
    // A busy machine takes its time to begin one, and that says nothing of the disk.
    await within(STARTING_S, started, giveUp);
    child.send({ id, method, values } satisfies Asked, (error) => {
      if (error !== null) one.reject(new AsideGone(error));
    });
    return within(seconds, one.promise, giveUp);
  }

  return {
    /**
     * The methods of the module. Each rejects with the message and the code of its error, or with `ETIMEDOUT` where it takes
     * longer than that, or the process is gone.
     */
    methods<Name extends keyof All & string>(
      names: readonly Name[],
      seconds = PATIENCE_S,
    ): Pick<All, Name> {
      const all = names.map((name) => [name, (...values: never[]) => ask(name, values, seconds)]);
      return Object.fromEntries(all) as Pick<All, Name>;
    },
  };
}

/** Answers requests until the process that sends them ends. */
export function answerAside(methods: Methods): void {
  process.umask(0o077);
  // A signal is for the parent, which ends this.
  process.on('SIGINT', () => undefined).on('SIGTERM', () => undefined);
  // What hangs in a thread would keep it here.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  process.on('message', async ({ id, method, values }: Asked) => {
    const answer = (said: Omit<Answered, 'id'>): void =>
      void process.send?.({ id, ...said }, () => undefined);
    try {
      answer({ result: await methods[method]?.(...(values as never[])) });
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException;
      answer({ failure: { message, code } });
    }
  });
  process.send?.(READY, () => undefined);
}
