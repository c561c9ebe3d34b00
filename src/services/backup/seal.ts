/**
 * The last bytes of a backup: the SHA-256 of all before them, as a frame that zstd skips. It reveals any byte that is
 * wrong, missing or added.
 */
import { createHash } from 'node:crypto';
import { damaged } from './verify/damaged.ts';

/** A skippable frame of 32 bytes (RFC 8878, 3.1.2). */
const SEAL = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 32, 0, 0, 0]);
const SEAL_BYTES = SEAL.length + 32;

export async function* sealed(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const sha256 = createHash('sha256');
  for await (const chunk of bytes) {
    sha256.update(chunk);
    yield chunk;
  }
  yield Buffer.concat([SEAL, sha256.digest()]);
}

/** All bytes but the seal. Throws `BackupUnusable` at the end if the seal does not match them. */
export async function* unsealed(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const sha256 = createHash('sha256');
  let tail = Buffer.alloc(0);
  for await (const chunk of bytes) {
    tail = Buffer.concat([tail, chunk]);
    const free = tail.subarray(0, Math.max(tail.length - SEAL_BYTES, 0));
    if (free.length === 0) continue;
    sha256.update(free);
    yield free;
    tail = tail.subarray(free.length);
  }
  if (!tail.equals(Buffer.concat([SEAL, sha256.digest()]))) {
    throw damaged('its last bytes are not the hash of those before');
  }
}
