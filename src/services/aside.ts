/**
 * Work that may hang, such as on a disk that an operator has named, in a process of its own: what the process of the
 * service looks at itself takes one of the four threads in which passwords and names of hosts are worked on, too, and
 * keeps it from ending.
 */
import { type ChildProcess, fork } from 'node:child_process';

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

/** How long it stays without work; the next work begins another one. */
const IDLE_MS = 30_000;

const running = new Set<ChildProcess>();
let isWatched = false;

/** Has the process end with this one: what hangs does not by itself. */
function endWith(child: ChildProcess): void {
  running.add(child);
  child.once('exit', () => running.delete(child));
  if (isWatched) return;
  isWatched = true;
  process.once('exit', () => {
    for (const one of running) one.kill('SIGKILL');
  });
}

/** A process is begun when there is work, from that module, which calls `answerAside`. */
export function createAside<All extends Methods>(module: URL) {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let child: ChildProcess | undefined;
  let ids = 0;
  let idle: NodeJS.Timeout | undefined;

  function begin(): ChildProcess {
    const begun = fork(module, {
      execArgv: ['--disable-sigusr1'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    endWith(begun);
    const gone = (): void => {
      if (child === begun) child = undefined;
      const error = Object.assign(new Error('It does not answer.'), { code: 'ETIMEDOUT' });
      for (const one of waiting.values()) one.reject(error);
      waiting.clear();
    };
    begun.once('error', gone).once('exit', gone);
    begun.on('message', ({ id, result, failure }: Answered) => {
      const one = waiting.get(id);
      waiting.delete(id);
      if (waiting.size === 0) rest(begun);
      if (failure === undefined) one?.resolve(result);
      else one?.reject(Object.assign(new Error(failure.message), { code: failure.code }));
    });
    child = begun;
    return begun;
  }

  /** It keeps nobody from ending while there is nothing to do. */
  function rest(begun: ChildProcess): void {
    begun.unref();
    begun.channel?.unref();
    clearTimeout(idle);
    idle = setTimeout(() => {
      if (waiting.size === 0 && begun.connected) begun.disconnect();
    }, IDLE_MS).unref();
  }

  function ask(method: string, values: readonly unknown[]): Promise<unknown> {
    const begun = child?.connected ? child : begin();
    ids += 1;
    const one = Promise.withResolvers<unknown>();
    waiting.set(ids, one);
    begun.ref();
    begun.channel?.ref();
    clearTimeout(idle);
    begun.send({ id: ids, method, values } satisfies Asked, (error) => {
      if (error !== null) one.reject(error);
    });
    return one.promise;
  }

  return {
    /** The methods of the module. Each rejects with the message and the code of its error, or with `ETIMEDOUT` where the process is gone. */
    methods<Name extends keyof All & string>(names: readonly Name[]): Pick<All, Name> {
      const all = names.map((name) => [name, (...values: never[]) => ask(name, values)]);
      return Object.fromEntries(all) as Pick<All, Name>;
    },
    /** Ends the process, which hangs: what it was asked rejects as soon as it is gone. */
    giveUp(): void {
      child?.kill('SIGKILL');
    },
  };
}

/** Answers requests until the process that sends them ends. */
export function answerAside(methods: Methods): void {
  process.umask(0o077);
  // A signal is for the parent, which ends this.
  process.on('SIGINT', () => undefined).on('SIGTERM', () => undefined);
  process.on('disconnect', () => process.exit(0));
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
}
