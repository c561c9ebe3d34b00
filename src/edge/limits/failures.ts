/**
 * Slows failed authentications per address. Every key is still looked up, and a request with a valid one is answered
 * at once, regardless of other requests from its address: only the answer 401 waits.
 */
import type { Socket } from 'node:net';
import { BoundedMap } from '../../core/bounded.ts';
import type { Observer } from '../../core/observe/observers.ts';
import { networkOf } from './address.ts';
import { Bucket } from './bucket.ts';
import { DelayedAnswers } from './delayed-answers.ts';

/** How often an address may fail at once, and in each second, before its answers wait. */
const AT_ONCE = 20;
const PER_SECOND = 5;
const LONGEST_MS = 5_000;
/** The most answers that may wait at once; with their requests, they take a few MiB. */
const MAX_HELD = 1_000;
/** The most addresses remembered; the latest half always are. */
const MAX_ADDRESSES = 20_000;
/** The least time between two log lines about one address, and about any. */
const LOG_AGAIN_MS = 60_000;
const LOG_ANY_MS = 1_000;

/** Creates the limit. `log` gets each address that fails often, and its failures since the last call. */
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
  const delayed = new DelayedAnswers(MAX_HELD);
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
      if (delayed.has(socket)) delayed.release(socket);
      else keyWaiting.add(socket);
    },
  };
}
