/** The lines of a backup file, read on demand. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import { END, LONGEST_LINE } from './format.ts';
import { unsealed } from './seal.ts';
import { damaged, notBackup } from './verify/damaged.ts';

/**
 * Every line up to the trailer, which is the last. Throws `BackupUnusable` if the bytes are not those that were
 * written, at the latest after the trailer: do not rely on any line before the end.
 */
export async function* readLines(bytes: Readable): AsyncGenerator<string, void> {
  const sha256 = createHash('sha256');
  let last: string | undefined;
  for await (const line of split(unpacked(bytes))) {
    if (last !== undefined) throw damaged('there is something after its end');
    if (line.startsWith(END)) {
      last = line;
      if (hashIn(line) !== sha256.digest('hex'))
        throw damaged('its contents do not match their hash');
    } else {
      sha256.update(`${line}\n`);
    }
    yield line;
  }
  if (last === undefined) throw damaged('its end is missing');
}

function hashIn(line: string): unknown {
  try {
    return JSON.parse(line).sha256;
  } catch {
    return undefined;
  }
}

async function* unpacked(bytes: Readable): AsyncGenerator<Buffer, void> {
  const zstd = createZstdDecompress();
  const packed = Readable.from(unsealed(begun(bytes)), { objectMode: false });
  packed.once('error', (error) => zstd.destroy(error));
  packed.pipe(zstd);
  try {
    for await (const chunk of zstd) yield chunk as Buffer;
  } catch (error) {
    throw isCodec(error) ? damaged('it cannot be unpacked') : error;
  } finally {
    packed.destroy();
    zstd.destroy();
    bytes.destroy();
  }
}

/** The magic number of zstd. */
const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

async function* begun(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let first: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of bytes) {
    if (first === undefined) {
      yield chunk;
      continue;
    }
    first = Buffer.concat([first, chunk]);
    if (first.length < MAGIC.length) continue;
    if (!first.subarray(0, MAGIC.length).equals(MAGIC)) throw notBackup();
    yield first;
    first = undefined;
  }
  if (first !== undefined) throw notBackup();
}

/** An error of zstd, not of the disk. */
function isCodec(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code.startsWith('ZSTD_') || code.startsWith('Z_');
}

async function* split(chunks: AsyncIterable<Buffer>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for await (const chunk of chunks) {
    rest += decode(decoder, chunk);
    let from = 0;
    for (let to = rest.indexOf('\n'); to >= 0; to = rest.indexOf('\n', from)) {
      yield rest.slice(from, to);
      from = to + 1;
    }
    rest = rest.slice(from);
    if (rest.length > LONGEST_LINE) throw damaged('a line of it is too long');
  }
  if (rest !== '') throw damaged('its last line is cut off');
}

function decode(decoder: TextDecoder, chunk: Buffer): string {
  try {
    return decoder.decode(chunk, { stream: true });
  } catch {
    throw damaged('it has bytes that are not text');
  }
}
