/** Authenticates callers, and refuses or slows those over their limits. */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BoundedMap } from '../../core/bounded.ts';
import type { ApiError } from '../../core/errors.ts';
import type { ClientAddressOf } from '../../core/network/client-address.ts';
import { networkOf } from '../../core/network/networks.ts';
import type { Log } from '../../core/observe/log.ts';
import type { Observer } from '../../core/observe/observers.ts';
import { AuthenticationFailed } from '../../records/auth/authenticator.ts';
import type { Principal } from '../../records/auth/principal.ts';
import type { Authenticate } from '../../services/staff/service.ts';
import { linesOf } from '../request/body.ts';
import { watchConnections } from './connections.ts';
import { Bucket, createKeyLimits, type SpentExchange } from './key-limit.ts';

/** The most refusals of all keys that may wait at once, each with its request. */
const MAX_HELD = 2_000;
/** How long a refusal is delayed if the caller did not obey `Retry-After`. */
const HELD_MS = 1_000;

export interface GateParts {
  readonly authenticate: Authenticate;
  readonly clientAddressOf: ClientAddressOf;
  /** The requests a second of keys without a rate of their own; `undefined` for no limit. */
  readonly rateLimit: number | undefined;
  /** Reports the use of each key's rate to other processes on the same port; `undefined` if there are none. */
  readonly exchange: SpentExchange | undefined;
  readonly maxConnections: number;
  readonly log: Pick<Log, 'authenticationsFailed' | 'connectionsRefused'>;
  readonly observer?:
    | Pick<Observer, 'show' | 'connectionRefused' | 'authenticationFailed'>
    | undefined;
}

export type Entered = (refusal: Error | undefined, principal?: Principal) => void;
type Entering<Value> = (
  request: FastifyRequest,
  reply: FastifyReply,
  value: Value,
  entered: Entered,
) => void;

export type Gate = ReturnType<typeof createGate>;

/** Creates the gate, which also watches the server's connections, starting with the first. */
export function createGate(server: Server, parts: GateParts) {
  const { authenticate, clientAddressOf, log, observer, maxConnections: most } = parts;
  const connections = watchConnections(server, { most, log: log.connectionsRefused, observer });
  const failures = createFailures(log.authenticationsFailed, observer);
  const limitOf = createKeyLimits(parts.rateLimit, parts.exchange);
  const delayed = new DelayedAnswers(MAX_HELD);
  /** The time until which `Retry-After` told the key of a connection to wait. */
  const againAt = new WeakMap<object, number>();

  const failed: Entering<Error> = (request, reply, error, entered) => {
    const { raw } = request;
    const began = performance.now();
    connections.keyless(raw.socket);
    if (!(error instanceof AuthenticationFailed)) return entered(error);
    request.unauthenticated = error;
    // Many clients send no key until they are asked for one: that guesses nothing.
    if (error.why === 'absent') {
      observer?.authenticationFailed();
      return entered(error);
    }
    failures.failed(raw.socket, clientAddressOf(raw), (close) => {
      if (close) reply.header('Connection', 'close');
      request.delayedMs = performance.now() - began;
      entered(error);
    });
  };

  /** Refuses at once, or a second later if the caller did not obey `Retry-After`. */
  const refuse: Entering<ApiError> = (request, reply, refusal, entered) => {
    const { socket } = request.raw;
    const now = performance.now();
    const early = now < (againAt.get(socket) ?? 0);
    againAt.set(socket, now + Number(refusal.headers['Retry-After']) * 1000);
    const answer = (): void => {
      request.delayedMs = performance.now() - now;
      entered(refusal);
    };
    if (early && delayed.hold(socket, HELD_MS, answer)) return;
    if (early) reply.header('Connection', 'close');
    answer();
  };

  const known: Entering<Principal> = (request, reply, principal, entered) => {
    const tooMany = connections.keyed(request.raw.socket, principal.key);
    const limit = tooMany === undefined ? limitOf(principal) : undefined;
    if (limit === undefined) return entered(tooMany, principal);
    request.limit = limit;
    const asStream = linesOf(request) !== undefined;
    const refusal = limit.begin(asStream, performance.now());
    if (refusal !== undefined) {
      // Also an answer that is delayed says what was left when its request was refused.
      reply.header('RateLimit', limit.state(performance.now()));
      return refuse(request, reply, refusal, () => entered(refusal, principal));
    }
    reply.raw.on('close', () => limit.end());
    if (!asStream) return entered(undefined, principal);
    const isOver = (): boolean => reply.raw.destroyed || reply.sent;
    void limit.pace(1, isOver).then(() => {
      if (!isOver()) entered(undefined, principal);
    });
  };

  return {
    open: ({ raw }: FastifyRequest) => connections.keyless(raw.socket),
    /** Notes a request behind an unsent answer, which is no longer delayed if the request has a valid key. */
    waits(request: IncomingMessage) {
      const { socket } = request;
      // Only requests with keys matter here: browsers do not pipeline requests.
      void Promise.try(() => authenticate(request, undefined)).then(
        () => failures.keyWaits(socket),
        () => {},
      );
    },
    /**
     * Returns the caller, or why the request is refused: at once for a valid key within its limits, for a stream when
     * it is next in the queue, and as late as possible for clients that are refused again and again.
     */
    enter(request: FastifyRequest, reply: FastifyReply, entered: Entered) {
      let found: Principal | Promise<Principal>;
      try {
        found = authenticate(request.raw, request.route.config?.person);
      } catch (error) {
        return failed(request, reply, error as Error, entered);
      }
      // Recently used keys are cached; only other keys wait for the store.
      if (found instanceof Promise) {
        found.then(
          (principal) => known(request, reply, principal, entered),
          (error) => failed(request, reply, error, entered),
        );
      } else known(request, reply, found, entered);
    },
  };
}

/** How often an address may fail at once, and in each second, before its answers wait. */
const AT_ONCE = 20;
const PER_SECOND = 5;
const LONGEST_MS = 5_000;
/** The most answers that may wait at once; with their requests, they take a few MiB. */
const MAX_FAILURES_HELD = 1_000;
/** The most addresses remembered; the latest half always are. */
const MAX_ADDRESSES = 20_000;
/** The least time between two log lines about one address, and about any. */
const LOG_AGAIN_MS = 60_000;
const LOG_ANY_MS = 1_000;

/**
 * Slows failed authentications per address. Every key is still looked up, and a request with a valid one is answered
 * at once, regardless of other requests from its address: only the answer 401 waits. `log` gets each address that fails
 * often, and its failures since the last call.
 */
export function createFailures(
  log: (address: string, failures: number) => void,
  observer?: Pick<Observer, 'show' | 'authenticationFailed'>,
  clock: Pick<Performance, 'now'> = performance,
) {
  /** The failures of an address, and their number since it was last logged. */
  const addresses = new BoundedMap<
    string,
    { readonly bucket: Bucket; failures: number; loggedAt: number }
  >(MAX_ADDRESSES);
  const delayed = new DelayedAnswers(MAX_FAILURES_HELD);
  /** Connections on which a valid key waits. */
  const keyWaiting = new WeakSet<Socket>();
  let loggedAt = Number.NEGATIVE_INFINITY;
  observer?.show({ authentication_failures_held: () => delayed.count });

  const waitOf = (network: string): number => {
    const now = clock.now();
    const address = addresses.getOrInsertComputed(network, () => ({
      bucket: new Bucket(AT_ONCE, PER_SECOND, now),
      failures: 0,
      loggedAt: Number.NEGATIVE_INFINITY,
    }));
    const { bucket } = address;
    address.failures += 1;
    if (bucket.msUntil(0, now) < LONGEST_MS) bucket.take(1, now);
    const wait = Math.min(LONGEST_MS, bucket.msUntil(0, now));
    if (wait > 0 && now - address.loggedAt >= LOG_AGAIN_MS && now - loggedAt >= LOG_ANY_MS) {
      log(network, address.failures);
      address.failures = 0;
      address.loggedAt = now;
      loggedAt = now;
    }
    return wait;
  };

  return {
    /** Calls `answer` when the failure is due an answer; `close` says to close the connection after it. */
    failed(socket: Socket, address: string | undefined, answer: (close: boolean) => void): void {
      observer?.authenticationFailed();
      const wait = waitOf(networkOf(address));
      if (keyWaiting.delete(socket) || wait === 0) answer(false);
      else if (!delayed.hold(socket, wait, () => answer(false))) answer(true);
    },
    /** Lifts the delay of a connection's answer, because a request with a valid key waits behind it. */
    keyWaits(socket: Socket): void {
      if (!delayed.release(socket)) keyWaiting.add(socket);
    },
  };
}

/** Delays a bounded number of answers, so that clients gain nothing by retrying faster. */
export class DelayedAnswers {
  readonly #most: number;
  /** One answer per connection, whose next request begins only after it. */
  readonly #bySocket = new Map<Socket, { timer: NodeJS.Timeout; answer: () => void }>();

  /** Delays at most `most` answers at a time. */
  constructor(most: number) {
    this.#most = most;
  }

  get count(): number {
    return this.#bySocket.size;
  }

  /**
   * Calls `answer` after this many milliseconds, or sooner if the connection is released or ends. Returns `false` if
   * too many answers are delayed: the connection should be closed after this one.
   */
  hold(socket: Socket, ms: number, answer: () => void): boolean {
    if (this.#bySocket.size >= this.#most) return false;
    const release = (): unknown => this.release(socket);
    socket.once('close', release);
    this.#bySocket.set(socket, {
      timer: setTimeout(release, ms),
      answer: () => {
        socket.off('close', release);
        answer();
      },
    });
    return true;
  }

  /** Returns whether an answer was delayed. */
  release(socket: Socket): boolean {
    const one = this.#bySocket.get(socket);
    this.#bySocket.delete(socket);
    clearTimeout(one?.timer);
    one?.answer();
    return one !== undefined;
  }
}
