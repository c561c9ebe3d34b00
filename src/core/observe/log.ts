/** The log of a service, as lines of JSON. */
import { write, writeSync } from 'node:fs';
import { type DestinationStream, type Logger, pino } from 'pino';
import { type Events, writesEvents } from './events.ts';
import type { ObservedReply, RequestOutcome } from './observers.ts';
import { plainJson } from './plain.ts';

export interface AnsweredRequest {
  readonly id: string;
  readonly method: string;
  readonly route: { readonly url?: string | undefined };
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly principal: { readonly key: string } | undefined;
  /** `undefined` where the answer came before anything of ours ran, as to a preflight. */
  readonly done: RequestOutcome | undefined;
  /** Why its key was not taken, where it was not. */
  readonly unauthenticated?:
    | { readonly why: string; readonly key: { readonly unique_identifier: string } | undefined }
    | undefined;
}

/** Faults of a request. A `param` is logged as far as its name is declared. */
export type LoggedFaults = readonly { readonly param?: string }[];

/** More of a request that was slow: the milliseconds of its stages, and the declared names in its query. */
export interface Slowness {
  readonly stages: Readonly<Record<string, number>>;
  readonly query: readonly string[];
}

export interface Log extends Events {
  requestAnswered(
    request: AnsweredRequest,
    reply: ObservedReply,
    faults?: LoggedFaults,
    slowness?: Slowness,
  ): void;
  /** Hands on delayed lines at once; resolves when each that was told before is written, or cannot be. */
  flush(): Promise<void>;
}

/** The log of a process that runs others. */
export interface PrimaryLog extends Log {
  /** Whole lines that another process has written. */
  passOn(lines: string): void;
}

export function createLog(level: string, stream?: DestinationStream): PrimaryLog {
  const target: DestinationStream & Partial<ReturnType<typeof gathered>> = stream ?? gathered(1);
  const logger: Logger = pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line) => target.write(plainJson(line)) },
  );
  return {
    ...writesEvents(({ level, facts, message }) => logger[level](facts, message)),
    passOn: (lines) => target.write(lines),
    requestAnswered(request, reply, faults, slowness) {
      if (logger.isLevelEnabled('info'))
        target.write(requestLine(request, reply, faults, slowness));
    },
    flush: async () => target.flush?.(),
  };
}

/**
 * The line of a request, as pino would write it, at a fifth of its cost: there is one for each of tens of thousands of
 * requests a second. Nothing in it needs escaping: identifiers, names and codes of our own, a method of HTTP's grammar.
 */
function requestLine(
  { id, method, route, headers, principal, done, unauthenticated }: AnsweredRequest,
  { statusCode, elapsedTime }: ObservedReply,
  faults: LoggedFaults = [],
  slowness?: Slowness,
): string {
  const trace = readTraceparent(headers.traceparent);
  // A path that is not ours may hold anything, a name or a key among it.
  const path = route.url ?? '(unknown)';
  const ms = Math.round(elapsedTime * 100) / 100;
  return (
    `{"level":30,"time":"${isoTime(Date.now())}","request_id":"${id}","method":"${method}","path":"${path}","status":${statusCode},"ms":${ms}` +
    member('key', principal?.key ?? unauthenticated?.key?.unique_identifier) +
    member('authentication', unauthenticated?.why) +
    member('trace_id', trace?.traceId) +
    member('span_id', trace?.parentId) +
    member('outcome', done?.outcome) +
    member('unique_identifier', done?.unique_identifier) +
    member('code', done?.code) +
    paramsMember(faults) +
    rowsMember(done?.rows?.counts) +
    (slowness === undefined ? '' : `,${JSON.stringify(slowness).slice(1, -1)}`) +
    ',"msg":"request"}\n'
  );
}

function member(name: string, value: string | undefined): string {
  return value === undefined ? '' : `,"${name}":"${value}"`;
}

function paramsMember(faults: LoggedFaults): string {
  const params = new Set(faults.flatMap(({ param }) => param ?? []));
  return params.size === 0 ? '' : `,"params":${JSON.stringify([...params])}`;
}

function rowsMember(counts: ReadonlyMap<string, number> | undefined): string {
  return counts === undefined ? '' : `,"rows":${JSON.stringify(Object.fromEntries(counts))}`;
}

/** The second that was written last, and its text without the fraction. */
let lastSecond = Number.NaN;
let lastText = '';

/** As `Date.prototype.toISOString`, which costs more than all the rest of a line. */
function isoTime(ms: number): string {
  const second = Math.floor(ms / 1000);
  if (second !== lastSecond) {
    lastSecond = second;
    lastText = new Date(ms).toISOString().slice(0, 20);
  }
  return `${lastText}${String(ms % 1000).padStart(3, '0')}Z`;
}

/** In characters: what is handed on at once. */
const ENOUGH = 16_000;
const LONGEST_MS = 100;
/** Characters that wait for the reader of the log, before more of it is lost. */
const MAX_WAITING = 16_000_000;

/** Writes lines to a descriptor, many at once and in their order, no later than 100 ms after they were told. */
export function gathered(descriptor: number) {
  let lines = '';
  /** The part of the current write that is still left. */
  let left: Buffer | undefined;
  /** Callers who wait for the lines that are gathered, and for those that are being written. */
  let gathering: (() => void)[] = [];
  let writing: (() => void)[] = [];

  const go = (): void => {
    if (left === undefined) return;
    write(descriptor, left, (error, written) => {
      if (error?.code === 'EAGAIN') {
        // The reader of the pipe is behind.
        setTimeout(go, LONGEST_MS);
        return;
      }
      left = error === null && written < (left?.length ?? 0) ? left?.subarray(written) : undefined;
      if (left !== undefined) return go();
      for (const written of writing) written();
      handOn();
    });
  };
  const handOn = (): void => {
    if (left !== undefined) return;
    writing = gathering;
    gathering = [];
    if (lines === '') {
      for (const written of writing) written();
      return;
    }
    left = Buffer.from(lines);
    lines = '';
    go();
  };
  setInterval(handOn, LONGEST_MS).unref();
  process.once('exit', () => {
    // The current write may be done in part: better to log a line twice than to lose it.
    try {
      writeSync(descriptor, Buffer.concat([left ?? Buffer.alloc(0), Buffer.from(lines)]));
    } catch {
      // The log has no reader.
    }
  });
  return {
    write(line: string) {
      if (lines.length < MAX_WAITING) lines += line;
      if (lines.length >= ENOUGH) handOn();
    },
    flush: () =>
      new Promise<void>((resolve) => {
        gathering.push(resolve);
        handOn();
      }),
  };
}

const TRACEPARENT =
  /^(?<version>(?!ff)[\da-f]{2})-(?<traceId>(?!0{32})[\da-f]{32})-(?<parentId>(?!0{16})[\da-f]{16})-[\da-f]{2}(?<more>-.*)?$/;

/**
 * The trace that a request belongs to, and the caller's span that sent it, in hexadecimal digits; `undefined` where it
 * names none, or not by the grammar of https://www.w3.org/TR/trace-context/. A version above 00 may have more after the flags.
 */
export function readTraceparent(header: string | string[] | undefined) {
  if (typeof header !== 'string') return undefined;
  const { version, traceId, parentId, more } = TRACEPARENT.exec(header)?.groups ?? {};
  if (traceId === undefined || parentId === undefined) return undefined;
  if (version === '00' && more !== undefined) return undefined;
  return { traceId, parentId };
}
