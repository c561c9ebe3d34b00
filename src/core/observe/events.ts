/**
 * The log's entries, one function per fact: unique identifiers, paths without their query, statuses and times, and
 * the names of parameters that were declared; never keys, bodies, names, phones, emails, addresses or external
 * identifiers (decisions, "Privacy"). The one address is that of a network from which authentications fail often.
 */
import { BoundedMap } from '../bounded.ts';

export interface Event {
  readonly level: 'info' | 'warn' | 'error' | 'fatal';
  readonly message: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

const at =
  (level: Event['level']) =>
  (message: string, facts: Event['facts'] = {}): Event => ({ level, message, facts });
const [info, warn, error] = [at('info'), at('warn'), at('error')];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const EVENTS = {
  /** `processes`: how many of them serve there, where there are several. */
  listening: (address: string, store: string, processes?: number) =>
    info('listening', { address, store, processes }),
  /** A process ended, by a signal or with an exit code. Its replacement starts after that many milliseconds. */
  processEnded: (process: number, how: string | number, replaced_after_ms: number) =>
    error(
      'a process ended, and what it had not answered was not done or is safe to repeat; another one takes its place',
      { process, how, replaced_after_ms },
    ),
  processReplaced: (process: number) => warn('process replaced', { process }),
  /** It was asked to reload by SIGHUP, and serves plain HTTP. */
  nothingToReload: () =>
    info('nothing to reload: there is no certificate; settings are read when the service starts'),
  store: {
    made: (store: string) => warn('no store existed here; created a new one', { store }),
    /** The path no longer leads to the open file: requests are refused until it does. */
    lost: (file: string) =>
      error(
        'a file of the store was moved, removed or replaced, or its disk is gone: requests get 503 until it is back or the service restarts',
        { file },
      ),
    found: () => warn('the files of the store are back'),
    /** Reports a stored change of that account that is not what was written. */
    damaged: (change: string, account: string) =>
      error(
        'a change in the log is damaged and cannot be delivered: run "ledgerstone verify" to look for other damage',
        { change, account },
      ),
    /** The store is read and not written to, for that reason. */
    readOnly: (why: string) => error(why),
    /** The store opens as soon as others let it. */
    waits: (why: string) => warn(why, {}),
  },
  metricsListening: (address: string) => info('metrics', { address }),
  metricsOpen: (address: string) =>
    warn(
      'metrics on all addresses of this machine: anyone who can reach the port can read them; set METRICS_HOST, or close the port to all but Prometheus',
      { address },
    ),
  /** An environment variable is not a setting, though it looks like one. */
  misspelled: (variable: string, did_you_mean: string) =>
    warn('an environment variable is ignored that looks like a setting', {
      variable,
      did_you_mean,
    }),
  /** Anyone on the network path can read what is sent to this address. */
  plainHttp: (address: string) =>
    warn(
      'plain HTTP beyond this machine: keys and records travel unencrypted; set TLS_CERT and TLS_KEY, or put a TLS proxy in front and set --plain-http',
      { address },
    ),
  /** Links in answers lead nowhere in a log, a message or a document that was saved. */
  publicUrlUnset: (address: string) =>
    warn(
      'clients reach this service at an address that it does not know: links in answers are relative; set PUBLIC_URL',
      { address },
    ),
  tls: {
    /** A certificate is in use from now on, which ends at that time (milliseconds since 1970). */
    certificateRead(until: number) {
      const ends = new Date(until).toISOString();
      return until > Date.now()
        ? info('certificate', { ends })
        : warn('the certificate has expired: clients refuse it', { ends });
    },
    /** The files do not fit: the certificate before stays in use. */
    certificateRefused: (reason: string) =>
      error('the certificate could not be reloaded: the previous one stays in use', { reason }),
  },
  moments: {
    /** Reported when it begins, and now and then while it lasts. */
    failed: (folder: string, reason: string) =>
      error(
        'nothing is written to the folder of BACKUP_TO; trying again, and requests are served as usual',
        { folder, reason },
      ),
    resumed: (folder: string) => warn('the folder of BACKUP_TO is up to date again', { folder }),
    /** `left_out`: how many changes were left out that are damaged in the store. */
    wrote: (file: string, bytes: number, left_out: number) =>
      left_out === 0
        ? info('whole backup', { file, bytes })
        : warn(
            'whole backup without changes that are damaged in the store: run "ledgerstone verify", which names them',
            { file, bytes, left_out },
          ),
  },
  journal: {
    /** A copy cannot be read, written or trusted; reported when it begins, and now and then while it lasts. */
    failed: (reason: string) =>
      error(
        'a copy of the journal of erasures is not used: erasures are not done until it is complete; trying again, and requests are served as usual',
        { reason },
      ),
    resumed: (file: string) =>
      warn('the copy of the journal of erasures is complete again', { file }),
    applied: (lines: number) =>
      warn(
        'the store was set back to a time before these lines of its journal of erasures: what they say was erased again',
        { lines },
      ),
    cut: (file: string) =>
      warn(
        'the last line of a copy of the journal of erasures was cut off, and is dropped: its erasure was never reported as done',
        { file },
      ),
  },
  requestFailed: (request_id: string, failure: unknown) =>
    error('request failed', { request_id, error: errorFacts(failure) }),
  /**
   * Requests get 503, for that reason: a sentence of ours. Each is logged once a minute. `database_says`: the code of the
   * database or of the system, and its own words as far as they hold nothing of a record.
   */
  unavailable: (reason: string, database_says?: string) =>
    warn('not available: requests get 503', { reason, database_says }),
  /** The database will not have single writes. Each reason is logged once a minute. */
  storeRefused: (reason: string, database_says?: string) =>
    error(
      'the database refuses what was sent: such requests and rows get store_refused until somebody changes it there',
      { reason, database_says },
    ),
  /** How many milliseconds the clock is ahead of the latest time that the store has seen; behind it where negative. */
  clockOff: (milliseconds: number) =>
    milliseconds > 0
      ? error(
          'the clock is ahead of the last time that this store has seen by this many days. Nothing is removed for its age until it has been so for an hour: set the clock, or wait if the store was not served for that long',
          { days: Math.floor(milliseconds / DAY_MS) },
        )
      : error(
          'the clock is behind the last time that this store has seen by this many hours. What is written now gets this time: set the clock',
          { hours: Math.round(-milliseconds / HOUR_MS) },
        ),
  /** Something other than a request went wrong, and the service goes on. */
  warned: (what: string, failure: unknown) => warn(what, { error: errorFacts(failure) }),
  /** Background work fails for that account, and goes on for the others; `about`: for which part of its. Reported when it begins. */
  accountFailed: (work: string, account: string, about: string, failure: unknown) =>
    warn(
      'background work failed for one account, and goes on for the others; it is tried again within a minute',
      { work, account, ...(about === account ? {} : { about }), error: errorFacts(failure) },
    ),
  /** It works again for that account. */
  accountResumed: (work: string, account: string, about: string, failures: number) =>
    info('background work of an account goes on again', {
      work,
      account,
      ...(about === account ? {} : { about }),
      failures,
    }),
  /** Requests without a valid key come often from a network address; `failures` counts them since the last line. */
  authenticationsFailed: (address: string, failures: number) =>
    warn('authentications failed', { address, failures }),
  /** A sign-in attempt by that method; `staff` is who, and `reason` why it failed, where these are known. */
  signedIn: (method: string, outcome: string, staff?: string, reason?: string) =>
    (outcome === 'succeeded' ? info : warn)('sign-in', { method, outcome, staff, reason }),
  /** The end of this process's chain of the audit: kept elsewhere, it shows what is cut off. */
  auditHead: ({ chain, number, mac }: Readonly<Record<'chain' | 'number' | 'mac', unknown>>) =>
    info('audit head', { chain, number, mac }),
  administered: (what: string, by: string, target: string) =>
    info('administered', { what, by, target }),
  /** Connections were refused, or closed to make room; `count` says how many for this reason since the last line. */
  connectionsRefused: (reason: string, count: number) =>
    warn('connections refused', { reason, count }),
  /** More connections are allowed than the system lets the process have. */
  connectionsShort: (max_connections: number, descriptors: number) =>
    warn('fewer connections than allowed', { max_connections, descriptors }),
  /** A webhook endpoint is sent nothing any longer, for that reason. */
  webhookStopped: (webhook_endpoint: string, status: string, reason: string) =>
    warn('nothing more is sent to a webhook endpoint', { webhook_endpoint, status, reason }),
  crashed: (failure: unknown) => at('fatal')('crashed', { error: errorFacts(failure) }),
  stopping: (signal: string) => info('stopping', { signal }),
  /** `unfinished` says what was left undone. */
  stopped: (unfinished?: string) =>
    unfinished === undefined ? info('stopped') : warn('stopped', { unfinished }),
};

type Writing<All> = {
  readonly [Name in keyof All]: All[Name] extends (...values: infer Values) => Event
    ? (...values: Values) => void
    : Writing<All[Name]>;
};
export type Events = Writing<typeof EVENTS>;

/** Makes the part of a log that writes events. */
export function writesEvents(write: (event: Event) => void): Events {
  const events = writing(EVENTS, write);
  const unavailable = onceAMinute(events.unavailable);
  const storeRefused = onceAMinute(events.storeRefused);
  return {
    ...events,
    unavailable,
    storeRefused,
    warned(what, failure) {
      // A store that is gone fails all that works on it, and one line says so.
      if (!isForLog(failure)) events.warned(what, failure);
      else if (failure.isForLog === 'refused') storeRefused(failure.message, failure.says);
      else unavailable(failure.message, failure.says);
    },
  };
}

function writing<All extends object>(all: All, write: (event: Event) => void): Writing<All> {
  const entries = Object.entries(all).map(([name, one]) => [
    name,
    typeof one === 'function'
      ? (...values: unknown[]) => write(one(...values))
      : writing(one as object, write),
  ]);
  return Object.fromEntries(entries);
}

interface ForLog extends Error {
  readonly isForLog: unknown;
  readonly says?: string | undefined;
}

/** Whether the message of an error is a sentence of ours, and says more than its place in the code. */
function isForLog(failure: unknown): failure is ForLog {
  return failure instanceof Error && 'isForLog' in failure;
}

const MINUTE_MS = 60_000;
const MAX_REASONS = 100;

/** Logs each text at once, and again a minute later at the soonest. */
function onceAMinute<Text extends readonly [text: string, ...more: unknown[]]>(
  write: (...text: Text) => void,
): (...text: Text) => void {
  const loggedAt = new BoundedMap<string, number>(MAX_REASONS);
  return (...all) => {
    const [text] = all;
    const now = performance.now();
    if (now - (loggedAt.get(text) ?? Number.NEGATIVE_INFINITY) < MINUTE_MS) return;
    loggedAt.set(text, now);
    write(...all);
  };
}

export interface ErrorFacts {
  readonly type: string;
  /** A sentence of ours, and what the database says. */
  readonly reason?: string;
  readonly database_says?: string | undefined;
  readonly code?: unknown;
  readonly errcode?: unknown;
  readonly stack?: readonly string[];
  readonly cause?: ErrorFacts;
}

/** An error without its message, which may hold what a caller sent; a system's or a store's code says enough. */
function errorFacts(failure: unknown): ErrorFacts {
  if (!(failure instanceof Error)) return { type: typeof failure };
  const { code, errcode } = failure as { code?: unknown; errcode?: unknown };
  return {
    type: failure.name,
    ...(isForLog(failure) ? { reason: failure.message, database_says: failure.says } : {}),
    ...(code === undefined ? {} : { code }),
    ...(errcode === undefined ? {} : { errcode }),
    stack: (failure.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line)),
    ...(failure.cause === undefined ? {} : { cause: errorFacts(failure.cause) }),
  };
}
