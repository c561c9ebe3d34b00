/** The memory that requests in flight may use, shared among the keys that send them. */
import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import type { FastifyReply } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import { RETRY_SOON } from '../response/retry-after.ts';

const MIB = 1_048_576;
/** The share of the memory that the process may use. */
const SHARE = 1 / 4;
/** The share of V8's heap limit, which excludes buffers. */
const SHARE_OF_HEAP = 1 / 2;
const MAX_BYTES = 2_048 * MIB;
/** The minimum, however little memory there is: the largest array fits alongside small requests. */
const MIN_BYTES = 256 * MIB;

/** The memory that all processes of the service may use: the container's limit, or the machine's memory. */
export function memoryOfMachine(): number {
  // Without a limit libuv returns one beyond any memory, or 0 if it does not know.
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  return Math.min(limit, totalmem());
}

/** The bytes that the requests of one process may use together, given the memory and V8's heap. */
export function memoryForRequests(processes = 1): number {
  const own = Math.min(memoryOfMachine() * SHARE, MAX_BYTES) / processes;
  const share = Math.min(own, getHeapStatistics().heap_size_limit * SHARE_OF_HEAP);
  return Math.max(Math.floor(share), MIN_BYTES);
}

/**
 * A budget of bytes. A key may take more while it uses no more than what is left for all others: alone it gets half,
 * one of two keys a third, and a new key always finds room. A request that arrives while nothing is in use is always
 * let in, however small the budget is.
 */
export class MemoryBudget {
  readonly total: number;
  #held = 0;
  readonly #heldBy = new Map<string, number>();

  constructor(total: number = memoryForRequests()) {
    this.total = total;
  }

  get held(): number {
    return this.#held;
  }

  /** Takes this many more bytes for a key; returns whether it could. */
  tryTake(key: string, bytes: number): boolean {
    const own = this.#heldBy.get(key) ?? 0;
    const left = this.total - this.#held - bytes;
    if (this.#held > 0 && (left < 0 || (own > 0 && own + bytes > left))) return false;
    this.#held += bytes;
    this.#heldBy.set(key, own + bytes);
    return true;
  }

  give(key: string, bytes: number): void {
    this.#held -= bytes;
    const own = (this.#heldBy.get(key) ?? 0) - bytes;
    if (own > 0) this.#heldBy.set(key, own);
    else this.#heldBy.delete(key);
  }

  /** Why a key cannot take more: `memory_limited` if it uses its share, else `service_unavailable`. */
  refusal(key: string): ApiError {
    if (this.#heldBy.has(key)) return new ApiError('memory_limited', { headers: RETRY_SOON });
    return new ApiError('service_unavailable', {
      headers: RETRY_SOON,
      message:
        'Large requests already use all the memory set aside for them. Nothing was saved; retry, or send less at once.',
    });
  }
}

/** The share of one request in the budget, given back once. */
export class MemoryReservation {
  readonly #budget: MemoryBudget;
  readonly #key: string;
  #bytes = 0;
  #released = false;

  /** For the key of a request; without one, for all requests without a key together. */
  constructor(budget: MemoryBudget, key = '') {
    this.#budget = budget;
    this.#key = key;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Sets the bytes in use, more or fewer than before; returns whether it could. */
  tryHold(bytes: number): boolean {
    if (this.#released) return true;
    const more = bytes - this.#bytes;
    if (more > 0 && !this.#budget.tryTake(this.#key, more)) return false;
    if (more < 0) this.#budget.give(this.#key, -more);
    this.#bytes = bytes;
    return true;
  }

  /** Sets the bytes in use. Throws `memory_limited` or `service_unavailable` if it cannot, and changes nothing. */
  hold(bytes: number): void {
    if (!this.tryHold(bytes)) throw this.refusal();
  }

  refusal(): ApiError {
    return this.#budget.refusal(this.#key);
  }

  release(): void {
    this.hold(0);
    this.#released = true;
  }
}

const memories = new WeakMap<FastifyReply, MemoryReservation>();

/** The memory of a request until its answer is sent or its connection is gone: for its body, later for its answer. */
export function memoryOf(reply: FastifyReply): MemoryReservation {
  return memories.getOrInsertComputed(reply, ({ request, raw, server }) => {
    const memory = new MemoryReservation(server.memory, request.principal?.key);
    // A connection that has ended already does not say so again.
    if (request.raw.socket.destroyed) memory.release();
    else raw.once('close', () => memory.release());
    return memory;
  });
}
