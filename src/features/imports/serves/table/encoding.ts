/** How a file is encoded, and whether it is one with a table at all: by its bytes, whatever its name. */
import { isAscii, isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { setImmediate as nextTick } from 'node:timers/promises';
import type { ErrorCode } from '../../../../core/errors.ts';
import { sequenceLength } from '../../../../core/schema/text.ts';
import { TransferRefused } from '../../../../services/transfer/refused.ts';
import type { UploadLook } from '../../declares/upload.ts';

const PIECE = 262_144;

export interface FileLook extends UploadLook {
  readonly sha256: string;
  readonly bytes: number;
}

/** Reads all of the file. `given` is the encoding from the options. Throws `TransferRefused`. */
export async function lookAt(path: string, given: string | undefined): Promise<FileLook> {
  return lookBy(await lookThrough(pieces(path)), given);
}

/** Looks at a file that is in memory, in pieces: others come between. */
export async function lookAtBytes(bytes: Uint8Array): Promise<FileLook> {
  async function* inTurns() {
    for (let from = 0; from < bytes.length; from += PIECE) {
      await nextTick();
      yield bytes.subarray(from, from + PIECE);
    }
  }
  return lookThrough(inTurns());
}

/** Reads the file by another encoding. Throws `TransferRefused`. */
export function lookBy(look: FileLook, given: string | undefined): FileLook {
  return given === undefined ? look : { ...look, encoding: encodingNamed(given) };
}

/** The texts that decide whether a guessed encoding is right, as they are read. */
export function examplesOf({ doubts = [], encoding }: FileLook): readonly string[] {
  const decoder = new TextDecoder(encoding);
  return doubts.map((text) => decoder.decode(Buffer.from(text, 'latin1')));
}

async function lookThrough(file: AsyncIterable<Uint8Array>): Promise<FileLook> {
  const hash = createHash('sha256');
  const looking = createLook();
  let head: Uint8Array = new Uint8Array();
  let bytes = 0;
  for await (const piece of file) {
    hash.update(piece);
    if (bytes === 0) head = Buffer.from(piece.subarray(0, HEAD));
    bytes += piece.length;
    looking.see(piece);
  }
  const found = looking.end();
  const byteOrderMark = byteOrderMarkOf(head);
  const isPacked = PACKED.has(Buffer.from(head.subarray(0, 4)).toString('latin1'));
  const endsInReturns = byteOrderMark?.startsWith('utf-16') ? false : found.endsInReturns;
  const guessed = endsInReturns ? 'macintosh' : 'windows-1252';
  const isGuessed = byteOrderMark === undefined && !isPacked && !found.isUtf8;
  return {
    sha256: hash.digest('hex'),
    encoding: byteOrderMark ?? (found.isUtf8 ? 'utf-8' : guessed),
    bytes,
    isPacked,
    endsInReturns,
    other: isPacked ? undefined : otherKind(head, byteOrderMark),
    doubts: isGuessed ? found.doubts : undefined,
  };
}

const DOUBTS = 3;
/** Bytes of a text on either side of what decides. */
const AROUND = 40;
const ENDS_TEXT = new Set(Buffer.from('\r\n\t,;|"'));
const LINE_FEED = 0x0a;
const RETURN = 0x0d;

/** Decides by all bytes: a file is UTF-8 unless nothing in it is, however few characters are cut or wrong. */
function createLook() {
  let rest: Uint8Array = new Uint8Array();
  let hasCharacters = false;
  let hasWrong = false;
  let hasFeed = false;
  let hasReturn = false;
  const doubts = new Set<string>();
  const seeAll = (bytes: Uint8Array): void => {
    if (isUtf8(bytes)) {
      hasCharacters = true;
      return;
    }
    for (let at = 0; at < bytes.length; ) {
      const length = sequenceLength(bytes, at);
      if (length > 1) hasCharacters = true;
      if (length === 0 && !isCut(bytes, at)) hasWrong = true;
      if (length === 0 && doubts.size < DOUBTS) doubts.add(textAround(bytes, at));
      at += length || 1;
    }
  };
  return {
    see(piece: Uint8Array): void {
      hasFeed ||= piece.includes(LINE_FEED);
      hasReturn ||= piece.includes(RETURN);
      if (rest.length === 0 && isAscii(piece)) return;
      const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
      const whole = bytes.length - unendedIn(bytes);
      seeAll(bytes.subarray(0, whole));
      rest = Buffer.from(bytes.subarray(whole));
    },
    end() {
      if (rest.length > 0) seeAll(rest);
      return {
        isUtf8: hasCharacters || !hasWrong,
        endsInReturns: hasReturn && !hasFeed,
        doubts: [...doubts],
      };
    },
  };
}

/** How many bytes at the end begin a character that goes on in the next piece. */
function unendedIn(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back;
  }
  return 0;
}

/** Whether a character of UTF-8 begins there, of which a field of so many bytes has cut the end. */
function isCut(bytes: Uint8Array, at: number): boolean {
  const lead = bytes[at] ?? 0;
  if (lead < 0xc2 || lead > 0xf4) return false;
  const next = bytes[at + 1];
  const isEnd = next === undefined || ENDS_TEXT.has(next);
  // Of these, the characters of Windows-1252 end no word.
  return isEnd ? lead <= 0xc5 : lead >= 0xe0 && next >= 0x80 && next <= 0xbf;
}

function textAround(bytes: Uint8Array, at: number): string {
  let from = at;
  while (from > at - AROUND && from > 0 && !ENDS_TEXT.has(bytes[from - 1] ?? 0)) from -= 1;
  let to = at;
  while (to < at + AROUND && to < bytes.length && !ENDS_TEXT.has(bytes[to] ?? 0)) to += 1;
  return Buffer.from(bytes.subarray(from, to)).toString('latin1').trim();
}

/** Stands for what a file has that is no character: in no text that is read, and refused where it stands. */
const WRONG = Buffer.from([0xff]);
const REPLACED = '\ufffd';

/** The text of the file as UTF-8, without the mark at its beginning. Each piece is valid until the next one is requested. */
export function asUtf8(path: string, { encoding }: Pick<FileLook, 'encoding'>) {
  const source = encoding === 'utf-8' ? withoutMark(path) : transcoded(path, encoding);
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
    yield isFirst && byteOrderMarkOf(piece) === 'utf-8' ? piece.subarray(3) : piece;
    isFirst = false;
  }
}

async function* transcoded(path: string, encoding: string): AsyncGenerator<Uint8Array, undefined> {
  const decoder = new TextDecoder(encoding);
  for await (const piece of pieces(path)) yield encoded(decoder.decode(piece, { stream: true }));
  yield encoded(decoder.decode());
}

/** As UTF-8 that is wrong where the text was. */
function encoded(text: string): Uint8Array {
  if (!text.includes(REPLACED)) return Buffer.from(text);
  const [first = '', ...others] = text.split(REPLACED);
  return Buffer.concat([
    Buffer.from(first),
    ...others.flatMap((part) => [WRONG, Buffer.from(part)]),
  ]);
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

const HEAD = 4_096;

/** The encoding from the first bytes: by a byte order mark, or, for UTF-16, because every other byte is NUL. */
function byteOrderMarkOf(piece: Uint8Array): string | undefined {
  const [first, second, third] = piece;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const sample = piece.subarray(0, HEAD);
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

/** How archives begin, and what workbooks were packed in until 2007. */
const PACKED = new Set(['PK\x03\x04', '\xd0\xcf\x11\xe0']);
/** How other files begin, as Latin-1. */
const OTHERS: readonly (readonly [begins: RegExp, kind: ErrorCode])[] = [
  [/^(?:\x1f\x8b|BZh\d|7z\xbc\xaf|Rar!|\xfd7zXZ|\x28\xb5\x2f\xfd)/, 'file_compressed'],
  [/^(?:%PDF-|\{\\rtf|\x89PNG|\xff\xd8\xff|GIF8|II\*\0|MM\0\*)/, 'file_document'],
  [/^(?:\t[\0\x02\x04][\x04\x06]\0|ID;P|TABLE\r?\n0,1)/, 'file_old_workbook'],
  [
    /^\s*<\?xml[\s\S]{0,2000}(?:progid="Excel\.Sheet"|urn:schemas-microsoft-com:office:spreadsheet)/,
    'file_old_workbook',
  ],
  [
    /^(?:MIME-Version:|\s*<(?:!doctype\s+html|html|head|meta|table|style|body|div)\b)/i,
    'file_page',
  ],
  [/^\s*<(?:\?xml|!doctype|[a-z][\w:.-]*[\s>/])/i, 'file_xml'],
  [/^\s*(?:\[\s*(?:[[{\]"]|-?\d+\s*[,\]])|\{\s*["}])/, 'file_json'],
];

/** Names what the file is, where it is no table. */
function otherKind(head: Uint8Array, byteOrderMark: string | undefined): ErrorCode | undefined {
  const text = Buffer.from(head)
    .toString('latin1')
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '');
  const plain = byteOrderMark?.startsWith('utf-16') ? text.replaceAll('\0', '') : text;
  const found = OTHERS.find(([begins]) => begins.test(plain))?.[1];
  if (found !== undefined) return found;
  // No text has as many bytes that are no characters.
  const controls = plain.match(/[\0-\x08\x0e-\x19\x1c-\x1f]/g)?.length ?? 0;
  return controls > plain.length / 10 ? 'file_document' : undefined;
}
