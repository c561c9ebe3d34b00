/**
 * The log, one function per fact, so that it is told here what may be in it:
 * unique identifiers, paths without their query, statuses and times; never
 * keys, bodies, names, phones, emails, addresses or external identifiers
 * (decisions, "Privacy").
 */
import { type DestinationStream, destination, type Logger, pino } from 'pino';
import { readTraceparent } from './trace-context.ts';

export interface AnsweredRequest {
  readonly id: string;
  readonly method: string;
  readonly routeOptions: { readonly url?: string | undefined };
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly principal: { readonly key: string } | undefined;
  /** `undefined` where the answer came before anything of ours ran, as to a preflight. */
  readonly done:
    | {
        readonly unique_identifier?: string;
        readonly outcome?: string;
        readonly code?: string;
      }
    | undefined;
}

export interface Log {
  listening(address: string, place: string): void;
  metricsListening(address: string): void;
  requestAnswered(
    request: AnsweredRequest,
    reply: { readonly statusCode: number; readonly elapsedTime: number },
  ): void;
  /** A fault of ours, or a store that cannot write. */
  requestFailed(requestId: string, error: unknown): void;
  /** Something beside the requests went wrong, and the service goes on. */
  warned(what: string, error: unknown): void;
  /** The process ends for a fault of ours that nothing caught. */
  crashed(error: unknown): void;
  stopping(signal: string): void;
  stopped(): void;
  /** Writes out what is still held back. */
  flush(): void;
}

export function createLog(level: string, stream?: DestinationStream): Log {
  // Lines are gathered for up to a tenth of a second: a line for each of tens of thousands of requests must not cost a system call.
  const target =
    stream ?? destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 100 });
  const logger: Logger = pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    target,
  );
  return {
    listening: (address, place) => logger.info({ address, store: place }, 'listening'),
    metricsListening: (address) => logger.info({ address }, 'metrics'),
    requestAnswered(request, { statusCode, elapsedTime }) {
      if (!logger.isLevelEnabled('info')) return;
      const { id, method, routeOptions, headers, principal, done } = request;
      const trace = readTraceparent(headers.traceparent);
      logger.info(
        {
          request_id: id,
          method,
          // A path that is not ours may hold anything, a name or a key among it.
          path: routeOptions.url ?? '(unknown)',
          status: statusCode,
          ms: Math.round(elapsedTime * 100) / 100,
          key: principal?.key,
          trace_id: trace?.traceId,
          span_id: trace?.parentId,
          ...done,
        },
        'request',
      );
    },
    requestFailed: (requestId, error) =>
      logger.error({ request_id: requestId, error: facts(error) }, 'request failed'),
    warned: (what, error) => logger.warn({ error: facts(error) }, what),
    crashed: (error) => logger.fatal({ error: facts(error) }, 'crashed'),
    stopping: (signal) => logger.info({ signal }, 'stopping'),
    stopped: () => logger.info('stopped'),
    flush: () => {
      if ('flushSync' in target && typeof target.flushSync === 'function') target.flushSync();
    },
  };
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
