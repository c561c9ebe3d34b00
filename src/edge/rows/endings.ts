/**
 * Requests that are answered while they arrive: if one ends before it is complete, its answer must end with a line
 * that says so, since the status was sent long ago.
 */
import type { IncomingMessage } from 'node:http';

const endings = new WeakMap<IncomingMessage, (reason: Error) => void>();

/** Sets the error that ends the request early, after its pending rows. */
export function letEndEarly(request: IncomingMessage, end: (reason: Error) => void): void {
  endings.set(request, end);
}

/** Whether the request is one that is answered while it arrives. */
export function mayEndEarly(request: IncomingMessage): boolean {
  return endings.has(request);
}

/** Ends the request early, if it is answered while it arrives. */
export function endEarly(request: IncomingMessage, reason: Error): boolean {
  const end = endings.get(request);
  end?.(reason);
  return end !== undefined;
}
