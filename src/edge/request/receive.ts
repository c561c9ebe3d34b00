/** Receives bodies: bounded in bytes each, in memory together, and in the time they take. */
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../core/errors.ts';
import { askForBody } from '../fair/continuing.ts';
import { type Arriving, TOO_SLOW } from '../fair/least-speed.ts';
import { type MemoryReservation, memoryOf } from '../fair/memory.ts';
import { takeCallerAnew } from '../fair/still.ts';
import { bodyCut } from '../response/error-response.ts';
import { bodiesOf, bodyTooLarge, MAX_BODY_BYTES, mostBytesOf } from './body.ts';

/** Bytes that a body may have without a share of the memory: it is no more than a connection costs anyway. */
const FREE_BYTES = 16_384;
/** The first buffer for a body in pieces and without a length. */
const FIRST_ROOM = FREE_BYTES;
/** For how many milliseconds a caller is trusted; keys have been for up to 500 then, and work for a second at most. */
const TRUSTED_MS = 250;

/**
 * Reads the body, for `bodyOf`. Rejects with `body_too_large` where it goes on for longer than the path takes, with
 * `memory_limited` or `service_unavailable` where memory is short (before any of it is read, where its length is
 * announced), with `request_timeout` where it is too slow, and as the connection does where that ends before it. After
 * a slow body the caller is authenticated again, and may be refused: their key may have ended meanwhile.
 */
export async function receiveBody(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const received = Promise.withResolvers<void>();
  new ArrivingBody(request, reply, received).begin();
  await received.promise;
  if (request.principal !== undefined && reply.elapsedTime > TRUSTED_MS)
    await takeCallerAnew(request);
}

class ArrivingBody implements Arriving {
  readonly request: IncomingMessage;
  arrived = 0;
  windowBegan = 0;
  windowHad = 0;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #received: PromiseWithResolvers<void>;
  readonly #max: number;
  /** As the head announces it; 0 if it does not. */
  readonly #announced: number;
  #place = -1;
  #memory: MemoryReservation | undefined;
  /** All so far, in one buffer: pieces may be of a byte each, and a piece alone takes hundreds. */
  #bytes: Buffer | undefined;
  readonly #add = (piece: Buffer): void => this.#take(piece);

  constructor(request: FastifyRequest, reply: FastifyReply, received: PromiseWithResolvers<void>) {
    this.#request = request;
    this.#reply = reply;
    this.request = request.raw;
    this.#received = received;
    this.#max = mostBytesOf(request) ?? MAX_BODY_BYTES;
    this.#announced = Number(request.headers['content-length'] ?? 0);
  }

  /** Throws where memory is short. */
  begin(): void {
    // It ended before we listened.
    if (this.request.destroyed) throw bodyCut();
    if (this.#announced > FREE_BYTES) this.#hold(this.#announced);
    this.#place = this.#request.server.leastSpeed.watch(this);
    askForBody(this.request);
    this.request
      .on('data', this.#add)
      .on('end', () => {
        this.#leave();
        // A body in one piece needs no copy: nothing else uses the piece.
        const bytes = this.#bytes;
        this.#request.body =
          bytes?.length === this.arrived ? bytes : bytes?.subarray(0, this.arrived);
        this.#received.resolve();
      })
      .on('error', (error) => {
        this.#leave();
        this.#received.reject(error);
      });
  }

  tooSlow(): void {
    const headers = { Connection: 'close' };
    this.#stop(new ApiError('request_timeout', { message: TOO_SLOW, headers }));
  }

  #take(piece: Buffer): void {
    const before = this.arrived;
    this.arrived += piece.length;
    if (this.arrived > this.#max) {
      this.#stop(bodyTooLarge(this.#request, { Connection: 'close' }));
      return;
    }
    try {
      if (before === 0) {
        this.#bytes = piece;
        if (this.arrived > FREE_BYTES && this.#announced === 0) this.#hold(this.arrived);
      } else {
        this.#makeRoom(before);
        this.#bytes?.set(piece, before);
      }
    } catch (error) {
      this.#stop(error as Error);
    }
  }

  /** Takes memory for as much as has arrived; `before` are taken already. Throws where memory is short. */
  #makeRoom(before: number): void {
    const has = this.#bytes?.length ?? 0;
    if (this.arrived <= has) return;
    const room = Math.max(this.#announced, FIRST_ROOM, 2 * this.arrived);
    const wanted = Math.min(this.#announced > 0 ? this.#announced : room, this.#max);
    if (wanted > FREE_BYTES) this.#hold(wanted);
    const larger = Buffer.allocUnsafeSlow(wanted);
    if (this.#bytes !== undefined) larger.set(this.#bytes.subarray(0, before));
    this.#bytes = larger;
  }

  #hold(bytes: number): void {
    this.#memory ??= memoryOf(this.#reply);
    this.#memory.hold(bytes * bodiesOf(this.#request).weight);
  }

  /** The rest, which may never end, is skipped until the answer is sent. */
  #stop(reason: Error): void {
    this.#leave();
    this.#bytes = undefined;
    this.request.off('data', this.#add).resume();
    this.#received.reject(reason);
  }

  #leave(): void {
    if (this.#place >= 0) this.#request.server.leastSpeed.leave(this.#place);
    this.#place = -1;
  }
}
