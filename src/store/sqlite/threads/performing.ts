/** Performs in a thread what the one that started it requests. */
import { type MessagePort, workerData } from 'node:worker_threads';
import { ApiError, type Fault } from '../../../core/errors.ts';
import { StoreRefusal, StoreUnavailable, StoreUnsure } from '../../promises/store.ts';

/** Each request gets a reply, in the order of requests. */
export interface Reply {
  readonly result?: unknown;
  readonly failure?: Failure;
}

/** Errors lose their class and their codes on the way; what they are is sent with them. */
export type Failure =
  | {
      readonly is: keyof typeof AWAY;
      readonly message: string;
      readonly says: string | undefined;
      readonly errcode: unknown;
    }
  | { readonly is: 'api'; readonly faults: readonly Fault[]; readonly cause?: Failure }
  | { readonly is: 'other'; readonly error: unknown };

const AWAY = { unsure: StoreUnsure, refusal: StoreRefusal, unavailable: StoreUnavailable };

/** A call of one of the methods of a thread. */
export interface Request {
  readonly method: string;
  readonly values: readonly unknown[];
  /** The time that the requesting thread believes, in milliseconds since 1970: there is one clock in a process. */
  readonly now: number;
  /** The clock of the machine there. */
  readonly machine: number;
}

export type Methods = Readonly<Record<string, (...values: never[]) => unknown>>;

/** The method after which the thread ends. */
export const CLOSE = 'close';

let at: Pick<Request, 'now' | 'machine'> = { now: 0, machine: 0 };
/** The clocks of the requesting thread when it sent the request that is performed now. */
export const requestedAt = { now: () => at.now, machine: () => at.machine };

/** Performs one request after the other, also where one of them waits for another process. `close` is the last. */
export function performEach(
  methods: Methods & { readonly [CLOSE]: () => unknown },
  onError: (error: unknown) => void = () => undefined,
): void {
  const { port } = workerData as { readonly port: MessagePort };
  let last: Promise<void> = Promise.resolve();
  port.on('message', (request: Request) => {
    last = last.then(async () => {
      const { method, values } = request;
      at = request;
      try {
        const does = methods[method];
        if (does === undefined) throw new TypeError(`The thread has no method ${method}.`);
        reply({ result: await does(...(values as never[])) });
      } catch (error) {
        onError(error);
        reply({ failure: failureOf(error) });
      }
      // Nothing comes after it, and nothing else keeps the thread.
      if (method === CLOSE) port.close();
    });
  });
  const reply = (message: Reply): void => port.postMessage(message);
}

export function failureOf(error: unknown): Failure {
  if (error instanceof StoreUnavailable) {
    const { message, says, cause } = error;
    const errcode = cause instanceof Error && 'errcode' in cause ? cause.errcode : undefined;
    const is = error instanceof StoreUnsure ? 'unsure' : undefined;
    return {
      is: is ?? (error instanceof StoreRefusal ? 'refusal' : 'unavailable'),
      ...{ message, says, errcode },
    };
  }
  if (error instanceof ApiError) {
    const { faults, cause } = error;
    return { is: 'api', faults, ...(cause !== undefined && { cause: failureOf(cause) }) };
  }
  return { is: 'other', error };
}

/** The error of a thread in the one that sent the request. */
export function errorOf(failure: Failure): unknown {
  if (failure.is === 'api') return apiErrorOf(failure);
  if (failure.is === 'other') return failure.error;
  const { is, message, says, errcode } = failure;
  const cause = new Error('SQLite gave an error in the writing thread.');
  return new AWAY[is](message, { cause: Object.assign(cause, { errcode }), says });
}

export function apiErrorOf({ faults, cause }: Failure & { readonly is: 'api' }): ApiError {
  return new ApiError(faults, cause === undefined ? {} : { cause: errorOf(cause) });
}
