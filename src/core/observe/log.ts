/**
 * The log, one function per fact, so that this file says what it may contain: unique identifiers, paths without their
 * query, statuses and times, and the names of parameters that were declared; never keys, bodies, names, phones, emails,
 * addresses or external identifiers (decisions, "Privacy"). The one address is that of a network from which
 * authentications fail often.
 */

import { type DestinationStream, type Logger, pino } from 'pino';
import { BoundedMap } from '../bounded.ts';
import { type Gathered, gathered } from './metrics/gathered.ts';
import type { JournalNotices, MomentsNotices, StoreNotices, TlsNotices } from './observers.ts';
import { readTraceparent } from './trace-context.ts';

export const MADE = 'no store existed here; created a new one';
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
export const CLOCK_BEHIND =
  'the clock is behind the last time that this store has seen by this many hours. What is written now gets this time: set the clock';
export const CLOCK_AHEAD =
  'the clock is ahead of the last time that this store has seen by this many days. Nothing is removed for its age until it has been so for an hour: set the clock, or wait if the store was not served for that long';
export const LOST =
  'a file of the store was moved, removed or replaced, or its disk is gone: requests get 503 until it is back or the service restarts';
export const FOUND = 'the files of the store are back';
export const DAMAGED =
  'a change in the log is damaged and cannot be delivered: run "ledgerstone verify" to look for other damage';
export const PLAIN_HTTP =
  'plain HTTP beyond this machine: keys and records travel unencrypted; set TLS_CERT and TLS_KEY, or put a TLS proxy in front and set --plain-http';
export const UNAVAILABLE = 'not available: requests get 503';
export const METRICS_OPEN =
  'metrics on all addresses of this machine: anyone who can reach the port can read them; set METRICS_HOST, or close the port to all but Prometheus';
export const MISSPELLED = 'an environment variable is ignored that looks like a setting';
export const CERTIFICATE_ENDED = 'the certificate has expired: clients refuse it';
export const CERTIFICATE_REFUSED =
  'the certificate could not be reloaded: the previous one stays in use';

export const MOMENTS_FAILED =
  'nothing is written to the folder of BACKUP_TO; trying again, and requests are served as usual';
export const MOMENTS_WHOLE = 'whole backup';
export const MOMENTS_WITHOUT =
  'whole backup without changes that are damaged in the store: run "ledgerstone verify", which names them';
export const MOMENTS_RESUMED = 'the folder of BACKUP_TO is up to date again';

export const JOURNAL_FAILED =
  'a copy of the journal of erasures is not used: erasures are not done until it is complete; trying again, and requests are served as usual';
export const JOURNAL_RESUMED = 'the copy of the journal of erasures is complete again';
export const JOURNAL_APPLIED =
  'the store was set back to a time before these lines of its journal of erasures: what they say was erased again';
export const JOURNAL_CUT =
  'the last line of a copy of the journal of erasures was cut off, and is dropped: its erasure was never reported as done';

export const WEBHOOK_STOPPED = 'nothing more is sent to a webhook endpoint';

export const PROCESS_ENDED =
  'a process ended, and what it had not answered was not done or is safe to repeat; another one takes its place';

export interface AnsweredRequest {
  readonly id: string;
  readonly method: string;
  readonly route: { readonly url?: string | undefined };
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly principal: { readonly key: string } | undefined;
  /** `undefined` where the answer came before anything of ours ran, as to a preflight. */
  readonly done:
    | {
        readonly unique_identifier?: string;
        readonly outcome?: string;
        readonly code?: string;
        readonly rows?: { readonly counts: ReadonlyMap<string, number> } | undefined;
      }
    | undefined;
  /** Why its key was not taken, where it was not. */
  readonly unauthenticated?:
    | {
        readonly why: string;
        readonly key: { readonly unique_identifier: string } | undefined;
      }
    | undefined;
}

/** Faults of a request. A `param` is logged as far as its name is declared. */
export type LoggedFaults = readonly { readonly param?: string }[];

/** More of a request that was slow. */
export interface Slowness {
  /** Milliseconds. */
  readonly stages: Readonly<Record<string, number>>;
  /** The names in its query, as far as they are declared; never values. */
  readonly query: readonly string[];
}

export interface Log {
  /** `processes`: how many of them serve there, where there are several. */
  listening(address: string, place: string, processes?: number): void;
  /** About the store's own files. */
  readonly store: StoreNotices;
  /** `everywhere`: on all addresses of this machine. */
  metricsListening(address: string, everywhere: boolean): void;
  /** An environment variable is not a setting, though it looks like one. */
  misspelled(variable: string, meant: string): void;
  /** Anyone on the network path can read what is sent to this address. */
  plainHttp(address: string): void;
  readonly tls: TlsNotices;
  readonly journal: JournalNotices;
  /** About the folder of BACKUP_TO. */
  readonly moments: MomentsNotices;
  requestAnswered(
    request: AnsweredRequest,
    reply: { readonly statusCode: number; readonly elapsedTime: number },
    faults?: LoggedFaults,
    slowness?: Slowness,
  ): void;
  /** A fault of ours. */
  requestFailed(requestId: string, error: unknown): void;
  /** Requests get 503, for that reason: a sentence of ours. Each is logged once a minute. */
  unavailable(reason: string): void;
  /** How many milliseconds the clock is ahead of the latest time that the store has seen; behind it where negative. */
  clockOff(milliseconds: number): void;
  /** Something other than a request went wrong, and the service goes on. */
  warned(what: string, error: unknown): void;
  /** Requests without a valid key come often from a network address; `failures` counts them since the last line. */
  authenticationsFailed(address: string, failures: number): void;
  /** A sign-in attempt by that method; `staff` is who, where that is known. */
  signedIn(method: string, outcome: string, staff?: string): void;
  /** The end of this process's chain of the audit: kept elsewhere, it shows what is cut off. */
  auditHead(head: { readonly chain: string; readonly number: number; readonly mac: string }): void;
  /** A key or a person's rights were changed. */
  administered(what: string, by: string, target: string): void;
  /** Connections were refused, or closed to make room; `count` says how many for this reason since the last line. */
  connectionsRefused(reason: string, count: number): void;
  /** More connections are allowed than the system lets the process have. */
  connectionsShort(most: number, descriptors: number): void;
  /** A webhook endpoint is sent nothing any longer, for that reason. */
  webhookStopped(endpoint: string, status: string, reason: string): void;
  /** The process ends for a fault of ours that nothing caught. */
  crashed(error: unknown): void;
  stopping(signal: string): void;
  /** `unfinished` says what was left undone. */
  stopped(unfinished?: string): void;
  /** Lets delayed lines be written before the process ends. */
  flush(): void;
}

/** The log of a process that runs others. */
export interface PrimaryLog extends Log {
  /** Whole lines that another process has written. */
  passOn(lines: string): void;
  /** A process ended, by a signal or with an exit code. Its replacement starts after that many milliseconds. */
  processEnded(process: number, how: string | number, waitMs: number): void;
  /** Another process serves in its place. */
  processReplaced(process: number): void;
}

export function createLog(level: string, stream?: DestinationStream): PrimaryLog {
  const target: DestinationStream & Partial<Gathered> = stream ?? gathered(1);
  const logger: Logger = pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    target,
  );
  const unavailable = onceAMinute((reason) => logger.warn({ reason }, UNAVAILABLE));
  return {
    listening: (address, place, processes) =>
      logger.info({ address, store: place, processes }, 'listening'),
    passOn: (lines) => target.write(lines),
    processEnded: (process, how, waitMs) =>
      logger.error({ process, how, replaced_after_ms: waitMs }, PROCESS_ENDED),
    processReplaced: (process) => logger.warn({ process }, 'process replaced'),
    store: {
      made: (place) => logger.warn({ store: place }, MADE),
      lost: (file) => logger.error({ file }, LOST),
      found: () => logger.warn(FOUND),
      damaged: (change, account) => logger.error({ change, account }, DAMAGED),
      readOnly: (why) => logger.error(why),
    },
    metricsListening(address, everywhere) {
      logger.info({ address }, 'metrics');
      if (everywhere) logger.warn({ address }, METRICS_OPEN);
    },
    misspelled: (variable, meant) => logger.warn({ variable, did_you_mean: meant }, MISSPELLED),
    plainHttp: (address) => logger.warn({ address }, PLAIN_HTTP),
    tls: {
      certificateRead(until) {
        const ends = new Date(until).toISOString();
        if (until > Date.now()) logger.info({ ends }, 'certificate');
        else logger.warn({ ends }, CERTIFICATE_ENDED);
      },
      certificateRefused: (reason) => logger.error({ reason }, CERTIFICATE_REFUSED),
    },
    moments: {
      failed: (folder, reason) => logger.error({ folder, reason }, MOMENTS_FAILED),
      resumed: (folder) => logger.warn({ folder }, MOMENTS_RESUMED),
      wrote(file, bytes, left_out) {
        if (left_out === 0) logger.info({ file, bytes }, MOMENTS_WHOLE);
        else logger.warn({ file, bytes, left_out }, MOMENTS_WITHOUT);
      },
    },
    journal: {
      failed: (reason) => logger.error({ reason }, JOURNAL_FAILED),
      resumed: (file) => logger.warn({ file }, JOURNAL_RESUMED),
      applied: (lines) => logger.warn({ lines }, JOURNAL_APPLIED),
      cut: (file) => logger.warn({ file }, JOURNAL_CUT),
    },
    requestAnswered(request, reply, faults, slowness) {
      if (logger.isLevelEnabled('info'))
        target.write(requestLine(request, reply, faults, slowness));
    },
    requestFailed: (requestId, error) =>
      logger.error({ request_id: requestId, error: facts(error) }, 'request failed'),
    unavailable,
    warned(what, error) {
      // A store that is gone fails all that works on it, and one line says so.
      if (isForLog(error)) unavailable(error.message);
      else logger.warn({ error: facts(error) }, what);
    },
    clockOff(milliseconds) {
      if (milliseconds > 0) logger.error({ days: Math.floor(milliseconds / DAY_MS) }, CLOCK_AHEAD);
      else logger.error({ hours: Math.round(-milliseconds / HOUR_MS) }, CLOCK_BEHIND);
    },
    authenticationsFailed: (address, failures) =>
      logger.warn({ address, failures }, 'authentications failed'),
    signedIn(method, outcome, staff) {
      const facts = { method, outcome, ...(staff === undefined ? {} : { staff }) };
      if (outcome === 'succeeded') logger.info(facts, 'sign-in');
      else logger.warn(facts, 'sign-in');
    },
    auditHead: ({ chain, number, mac }) => logger.info({ chain, number, mac }, 'audit head'),
    administered: (what, by, target) => logger.info({ what, by, target }, 'administered'),
    connectionsRefused: (reason, count) => logger.warn({ reason, count }, 'connections refused'),
    connectionsShort: (most, descriptors) =>
      logger.warn({ max_connections: most, descriptors }, 'fewer connections than allowed'),
    webhookStopped: (endpoint, status, reason) =>
      logger.warn({ webhook_endpoint: endpoint, status, reason }, WEBHOOK_STOPPED),
    crashed: (error) => logger.fatal({ error: facts(error) }, 'crashed'),
    stopping: (signal) => logger.info({ signal }, 'stopping'),
    stopped: (unfinished) =>
      unfinished === undefined ? logger.info('stopped') : logger.warn({ unfinished }, 'stopped'),
    flush: () => target.flush?.(),
  };
}

/**
 * The line of a request, as pino would write it, at a fifth of its cost: there
 * is one for each of tens of thousands of requests a second. Nothing in it
 * needs escaping: identifiers, names and codes of our own, a method of HTTP's grammar.
 */
function requestLine(
  { id, method, route, headers, principal, done, unauthenticated }: AnsweredRequest,
  { statusCode, elapsedTime }: { readonly statusCode: number; readonly elapsedTime: number },
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

/** An error whose message is a sentence of ours, and says more than its place in the code. */
export function isForLog(error: unknown): error is Error {
  return error instanceof Error && 'isForLog' in error;
}

const MINUTE_MS = 60_000;
const MAX_REASONS = 100;

/** Logs each text at once, and again a minute later at the soonest. */
export function onceAMinute(write: (text: string) => void): (text: string) => void {
  const loggedAt = new BoundedMap<string, number>(MAX_REASONS);
  return (text) => {
    const now = performance.now();
    if (now - (loggedAt.get(text) ?? Number.NEGATIVE_INFINITY) < MINUTE_MS) return;
    loggedAt.set(text, now);
    write(text);
  };
}

/** How many rows, by outcome or code. */
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

interface ErrorFacts {
  readonly type: string;
  readonly code?: unknown;
  readonly errcode?: unknown;
  readonly stack?: readonly string[];
  readonly cause?: ErrorFacts;
}

/** An error without its message, which may hold what a caller sent; a system's or a store's code says enough. */
export function facts(error: unknown): ErrorFacts {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  return {
    type: error.name,
    ...(code === undefined ? {} : { code }),
    ...(errcode === undefined ? {} : { errcode }),
    stack: (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line)),
    ...(error.cause === undefined ? {} : { cause: facts(error.cause) }),
  };
}
