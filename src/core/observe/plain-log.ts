/** The log for a person at a terminal: one short line for each fact, under the same rule of privacy. */
import {
  CERTIFICATE_ENDED,
  CERTIFICATE_REFUSED,
  CLOCK_AHEAD,
  CLOCK_BEHIND,
  DAMAGED,
  DAY_MS,
  FOUND,
  facts,
  HOUR_MS,
  isForLog,
  JOURNAL_APPLIED,
  JOURNAL_CUT,
  JOURNAL_FAILED,
  JOURNAL_RESUMED,
  LOST,
  type Log,
  MADE,
  MISSPELLED,
  MOMENTS_FAILED,
  MOMENTS_RESUMED,
  MOMENTS_WHOLE,
  MOMENTS_WITHOUT,
  onceAMinute,
  PLAIN_HTTP,
  UNAVAILABLE,
  WEBHOOK_STOPPED,
} from './log.ts';

/** A log of requests and of what goes wrong; `write` gets whole lines. */
export function createPlainLog(write: (text: string) => void): Log {
  const line = (...parts: readonly (string | undefined)[]): void => {
    const time = Temporal.Now.plainTimeISO().toString({ smallestUnit: 'second' });
    write(`${[time, ...parts.filter((part) => part !== undefined)].join('  ')}\n`);
  };
  const failure = (what: string, error: unknown): void => {
    const { type, code, errcode, stack = [] } = facts(error);
    const known = [type, code, errcode].filter((part) => part !== undefined);
    line([`${what}: ${known.join(' ')}`, ...stack].join('\n'));
  };
  const unavailable = onceAMinute((reason) => line(UNAVAILABLE, reason));
  return {
    // The caller that starts the service logs where it listens.
    listening: () => {},
    store: {
      made: (place) => line(MADE, place),
      lost: (file) => line(LOST, file),
      found: () => line(FOUND),
      damaged: (change) => line(DAMAGED, change),
      readOnly: (why) => line(why),
    },
    clockOff: (milliseconds) =>
      milliseconds > 0
        ? line(CLOCK_AHEAD, `${Math.floor(milliseconds / DAY_MS)} days`)
        : line(CLOCK_BEHIND, `${Math.round(-milliseconds / HOUR_MS)} hours`),
    metricsListening: (address) => line(`metrics at ${address}`),
    misspelled: (variable, meant) => line(MISSPELLED, variable, `did you mean ${meant}?`),
    plainHttp: (address) => line(PLAIN_HTTP, address),
    tls: {
      certificateRead: (until) => line(until > Date.now() ? 'certificate' : CERTIFICATE_ENDED),
      certificateRefused: (reason) => line(CERTIFICATE_REFUSED, reason),
    },
    moments: {
      failed: (folder, why) => line(MOMENTS_FAILED, folder, why),
      resumed: (folder) => line(MOMENTS_RESUMED, folder),
      wrote: (file, _, left_out) => line(left_out === 0 ? MOMENTS_WHOLE : MOMENTS_WITHOUT, file),
    },
    journal: {
      failed: (why) => line(JOURNAL_FAILED, why),
      resumed: (file) => line(JOURNAL_RESUMED, file),
      applied: (lines) => line(JOURNAL_APPLIED, String(lines)),
      cut: (file) => line(JOURNAL_CUT, file),
    },
    requestAnswered({ method, route, done }, { statusCode, elapsedTime }, faults = []) {
      line(
        `${method} ${route.url ?? '(unknown path)'}`,
        String(statusCode),
        done?.outcome ?? done?.code,
        rowsText(done?.rows?.counts),
        ...new Set(faults.map(({ param }) => param)),
        done?.unique_identifier,
        `${elapsedTime.toFixed(1)} ms`,
      );
    },
    requestFailed: (requestId, error) => failure(`request ${requestId} failed`, error),
    unavailable,
    warned(what, error) {
      if (isForLog(error)) unavailable(error.message);
      else failure(what, error);
    },
    authenticationsFailed: (address, failures) =>
      line(`${failures} requests without a valid key from ${address}`),
    signedIn: (method, outcome, staff) => line(`sign-in by ${method}`, outcome, staff),
    // Only who keeps the log needs it.
    auditHead: () => {},
    administered: (what, by, target) => line(what, target, `by ${by}`),
    connectionsRefused: (reason, count) => line(`${count} connections refused: ${reason}`),
    connectionsShort: (most, descriptors) =>
      line(`${most} connections are allowed, and the system allows ${descriptors} open files`),
    webhookStopped: (endpoint, _status, reason) => line(WEBHOOK_STOPPED, endpoint, reason),
    crashed: (error) => failure('crashed', error),
    stopping: () => line('stopping'),
    stopped: (unfinished) => line('stopped', unfinished),
    flush: () => {},
  };
}

function rowsText(counts: ReadonlyMap<string, number> | undefined): string | undefined {
  return counts && Array.from(counts, ([outcome, count]) => `${count} ${outcome}`).join(', ');
}
