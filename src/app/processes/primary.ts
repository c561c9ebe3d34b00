/** Starts, replaces and stops the processes that serve on one port. This one opens no store and answers no request. */
import cluster, { type Worker } from 'node:cluster';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import type { Settings } from '../../core/config.ts';
import type { PrimaryLog } from '../../core/observe/log.ts';
import { type Figures, Together } from '../../core/observe/metrics/together.ts';
import { memoryOfMachine } from '../../edge/fair/memory.ts';
import type { MetricsServer } from '../../edge/server/metrics-server.ts';
import type { App } from '../app.ts';
import { showFigures } from '../counting.ts';
import { listenForMetrics } from '../listen.ts';
import type { FromWorker, Started, ToWorker } from './worker.ts';

const MIB = 1_048_576;
/** The share of the memory that the heaps of all processes may grow to. */
const SHARE_OF_HEAPS = 3 / 4;
/** A process that served for so long is replaced at once; others later and later. */
const STEADY_MS = 60_000;
const AGAIN_MS = 250;
const LONGEST_MS = 30_000;
/** How long a scrape waits for one process. */
const PATIENCE_MS = 3_000;

export class EndedAtStart extends Error {
  override readonly name = 'EndedAtStart';
  /** Whether it ended by itself, and has said why. */
  readonly isExplained: boolean;

  constructor(how: string | number) {
    super(`A process ended before it served (${how}).`);
    this.isExplained = typeof how === 'number';
  }
}

interface Member {
  readonly worker: Worker;
  startedAt: number | undefined;
  /** Resolves when it has ended, and all that it wrote is read. */
  readonly closed: Promise<void>;
  /** Callers that wait for its figures. */
  asking: ((figures: Figures | undefined) => void)[];
}

/** To be started and closed like the one process that it stands for. */
export function createPrimary(
  settings: Settings,
  log: PrimaryLog,
): Pick<App, 'start' | 'close' | 'reloadCertificate'> {
  const { processes, metrics_port } = settings;
  const members = new Map<number, Member>();
  const closing = new AbortController();
  const together = metrics_port === undefined ? undefined : new Together();
  const ready = Promise.withResolvers<Started>();
  let serving = false;
  let metricsServer: MetricsServer | undefined;
  cluster.setupPrimary({
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    execArgv: [...process.execArgv, ...heapOptions(processes)],
  });

  const begin = (number: number, ends = 0): void => {
    const worker = cluster.fork();
    const closed = new Promise<void>((resolve) => worker.process.once('close', () => resolve()));
    const member: Member = { worker, startedAt: undefined, closed, asking: [] };
    members.set(number, member);
    closeUntaken(worker);
    passOn(worker.process.stdout, log.passOn);
    send(worker, { kind: 'begin', isFirst: number === 1 });
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'started') started(number, member, message);
      else if (message.kind === 'figures') answered(member, message.figures);
      else {
        for (const other of members.values())
          if (other !== member) send(other.worker, { kind: 'spent', spent: message.spent });
      }
    });
    let isOver = false;
    const ended = (how: string | number): void => {
      if (isOver) return;
      isOver = true;
      answered(member, undefined);
      if (closing.signal.aborted) return;
      if (serving) {
        together?.ended(member);
        void replace(number, member, { ends, how });
      } else ready.reject(new EndedAtStart(how));
    };
    worker.once('exit', (code, signal) => ended(signal ?? code));
    // The system starts no more processes, or this one no longer hears us.
    worker.on('error', ({ code }: NodeJS.ErrnoException) => {
      worker.process.kill('SIGKILL');
      ended(code ?? 'error');
    });
  };

  const started = (number: number, member: Member, message: Started): void => {
    member.startedAt = performance.now();
    if (serving) log.processReplaced(number);
    // The first one makes the store or brings it up to date.
    else if (number === 1) for (let next = 2; next <= processes; next++) begin(next);
    if ([...members.values()].every(({ startedAt }) => startedAt !== undefined))
      ready.resolve(message);
  };

  const replace = async (
    number: number,
    { startedAt = Number.POSITIVE_INFINITY }: Member,
    { ends, how }: { readonly ends: number; readonly how: string | number },
  ): Promise<void> => {
    const again = performance.now() - startedAt > STEADY_MS ? 0 : ends + 1;
    const wait = again === 0 ? 0 : Math.min(AGAIN_MS * 2 ** (again - 1), LONGEST_MS);
    log.processEnded(number, how, wait);
    const { signal } = closing;
    await pause(wait, undefined, { signal }).catch(() => undefined);
    if (!signal.aborted) begin(number, again);
  };

  const figures = async (): Promise<ReadonlyMap<object, Figures | undefined>> => {
    const gathered = Array.from(members.values(), async (member) => {
      const reply = new Promise<Figures | undefined>((resolve) => {
        if (member.startedAt === undefined || !send(member.worker, { kind: 'figures' }))
          resolve(undefined);
        else member.asking.push(resolve);
      });
      const late = pause(PATIENCE_MS, undefined, { ref: false });
      return [member, await Promise.race([reply, late])] as const;
    });
    return new Map(await Promise.all(gathered));
  };

  return {
    async start() {
      if (together !== undefined) {
        const { contentType } = together;
        const text = async (): Promise<string> => together.text(await figures());
        metricsServer = await showFigures({ contentType, text }, log);
      }
      const reportMetricsPort = await listenForMetrics(settings, metricsServer, log);
      begin(1);
      const { address, place } = await ready.promise;
      serving = true;
      log.listening(address, place, processes);
      reportMetricsPort();
      return address;
    },
    async close() {
      closing.abort();
      const all = [...members.values()];
      for (const { worker } of all) send(worker, { kind: 'stop' });
      await Promise.all(all.map(({ closed }) => closed));
      await metricsServer?.close();
      await log.flush();
    },
    reloadCertificate:
      settings.tls_cert === undefined
        ? undefined
        : () => {
            for (const { worker, startedAt } of members.values())
              if (startedAt !== undefined) worker.process.kill('SIGHUP');
          },
  };
}

/** Returns whether the process may hear it. */
function send(worker: Worker, message: ToWorker): boolean {
  return worker.isConnected() && worker.send(message, undefined, () => undefined);
}

function answered(member: Member, figures: Figures | undefined): void {
  for (const resolve of member.asking) resolve(figures);
  member.asking = [];
}

/** V8 would let each heap grow as if the process had the machine for itself. */
function heapOptions(processes: number): readonly string[] {
  const share = (memoryOfMachine() * SHARE_OF_HEAPS) / processes;
  return share < getHeapStatistics().heap_size_limit
    ? [`--max-old-space-size=${Math.floor(share / MIB)}`]
    : [];
}

/** Hands on whole lines: those of several processes must not mix. */
function passOn(output: Readable | null, write: (lines: string) => void): void {
  let rest = '';
  output?.setEncoding('utf8').on('data', (text: string) => {
    const end = text.lastIndexOf('\n') + 1;
    if (end > 0) write(rest + text.slice(0, end));
    rest = end > 0 ? text.slice(end) : rest + text;
  });
}

/**
 * Closes the connection that a process was handed and did not take before it died: Node keeps it open, and its client
 * would wait without end. Closing twice does nothing.
 */
function closeUntaken(worker: Worker): void {
  const { process: child } = worker;
  const send = child.send.bind(child) as (message: unknown, ...rest: unknown[]) => boolean;
  let last: { close?: () => void } | null | undefined;
  child.send = (message: unknown, ...rest: unknown[]) => {
    const [handle] = rest as [typeof last];
    if (typeof handle?.close === 'function') last = handle;
    return send(message, ...rest);
  };
  worker.once('exit', () => last?.close?.());
}
