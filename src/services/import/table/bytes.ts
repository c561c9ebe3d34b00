/** A file as bytes: its hash, and the encoding of its text. */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { TransferRefused } from '../../transfer/refused.ts';

const PIECE = 262_144;

export interface FileLook {
  readonly sha256: string;
  /** As `TextDecoder` names it. */
  readonly encoding: string;
  readonly isUtf8: boolean;
  readonly bytes: number;
  /** Whether it is a ZIP, as workbooks are, and not text. */
  readonly isPacked: boolean;
}

/** How archives begin, and what workbooks were packed in until 2007. */
const PACKED = ['504b0304', 'd0cf11e0'];

/** Reads all of the file. `given` is the encoding from the options. Throws `TransferRefused`. */
export async function lookAt(path: string, given: string | undefined): Promise<FileLook> {
  const hash = createHash('sha256');
  const wanted = given === undefined ? undefined : encodingNamed(given);
  let utf8: TextDecoder | undefined = new TextDecoder('utf-8', { fatal: true });
  let marked: string | undefined;
  let isPacked = false;
  let bytes = 0;
  for await (const piece of pieces(path)) {
    hash.update(piece);
    if (bytes === 0) {
      marked = markOf(piece);
      isPacked = PACKED.includes(Buffer.from(piece.subarray(0, 4)).toString('hex'));
    }
    bytes += piece.length;
    utf8 = stillReads(utf8, piece);
  }
  utf8 = stillReads(utf8, undefined);
  const encoding = wanted ?? marked ?? (utf8 === undefined ? 'windows-1252' : 'utf-8');
  return { sha256: hash.digest('hex'), encoding, isUtf8: utf8 !== undefined, bytes, isPacked };
}

/** The text of the file as UTF-8, without the mark at its beginning. Each piece is valid until the next one is requested. */
export function asUtf8(path: string, { encoding, isUtf8 }: Pick<FileLook, 'encoding' | 'isUtf8'>) {
  const source = isUtf8 && encoding === 'utf-8' ? withoutMark(path) : transcoded(path, encoding);
  return {
    next: async () => (await source.next()).value,
    async [Symbol.asyncDispose]() {
      await source.return(undefined);
    },
  };
}

async function* withoutMark(path: string): AsyncGenerator<Uint8Array, undefined> {
  let isFirst = true;
  for await (const piece of pieces(path)) {
    yield isFirst && markOf(piece) === 'utf-8' ? piece.subarray(3) : piece;
    isFirst = false;
  }
}

async function* transcoded(path: string, encoding: string): AsyncGenerator<Uint8Array, undefined> {
  const decoder = new TextDecoder(encoding);
  for await (const piece of pieces(path))
    yield Buffer.from(decoder.decode(piece, { stream: true }));
  yield Buffer.from(decoder.decode());
}

/** Each piece is valid until the next one is requested: all share one buffer. */
async function* pieces(path: string): AsyncGenerator<Uint8Array, undefined> {
  await using file = await open(path).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'there is no such file' : error.message;
    throw new TransferRefused(`${path} cannot be read: ${why}.`);
  });
  const buffer = Buffer.allocUnsafe(PIECE);
  for (;;) {
    const { bytesRead } = await file.read({ buffer });
    if (bytesRead === 0) return undefined;
    yield buffer.subarray(0, bytesRead);
  }
}

function stillReads(decoder: TextDecoder | undefined, piece: Uint8Array | undefined) {
  try {
    decoder?.decode(piece, { stream: piece !== undefined });
    return decoder;
  } catch {
    return undefined;
  }
}

/** The encoding from the first bytes: by a byte order mark, or, for UTF-16, because every other byte is NUL. */
function markOf(piece: Uint8Array): string | undefined {
  const [first, second, third] = piece;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const sample = piece.subarray(0, 4096);
  const nul = (odd: number) =>
    sample.filter((byte, at) => byte === 0 && at % 2 === odd).length / (sample.length / 2);
  if (nul(1) > 0.5 && nul(0) < 0.1) return 'utf-16le';
  if (nul(0) > 0.5 && nul(1) < 0.1) return 'utf-16be';
  return undefined;
}

function encodingNamed(name: string): string {
  try {
    return new TextDecoder(name).encoding;
  } catch {
    throw new TransferRefused(
      `--encoding ${JSON.stringify(name)} is not known: use utf-8, utf-16le, utf-16be, windows-1252 or another name of the WHATWG Encoding Standard.`,
    );
  }
}
