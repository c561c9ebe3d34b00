/** The messages that execute prepared statements, byte by byte (PostgreSQL's protocol, message formats). */
import { Buffer } from 'node:buffer';

/** A prepared statement with its values, as they go over the wire: texts, or bytes in the server's binary form. */
export interface Bound {
  /** ASCII. */
  readonly name: string;
  /** Its text, if the server has yet to prepare it. */
  readonly text?: string | undefined;
  readonly values: readonly (string | Buffer | null)[];
}

/** `Execute` of the portal without a name, all rows. */
const EXECUTE = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0]);
const SYNC = Buffer.from([0x53, 0, 0, 0, 4]);
const BIND = 0x42;
const CLOSE = 0x43;
const PARSE = 0x50;

/** A `Bind` and an `Execute` for each, with a `Parse` first if it is not prepared, and one `Sync` at the end. */
export function messages(bound: readonly Bound[]): Buffer {
  const prepares = bound.flatMap(prepare);
  const sizes = bound.map(bindSize);
  const size = sizes.reduce((sum, one) => sum + one + EXECUTE.length, SYNC.length);
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  for (const [index, one] of bound.entries()) {
    putBind(bytes, at, one, sizes[index] as number);
    at += sizes[index] as number;
    bytes.set(EXECUTE, at);
    at += EXECUTE.length;
  }
  bytes.set(SYNC, at);
  return prepares.length === 0 ? bytes : Buffer.concat([...prepares, bytes]);
}

/** A message that failed half way may have left one of that name. Closing one that does not exist is no error. */
function prepare({ name, text }: Bound): Buffer[] {
  if (text === undefined) return [];
  return [message(CLOSE, `S${name}\0`), message(PARSE, `${name}\0${text}\0\0\0`)];
}

function message(kind: number, body: string): Buffer {
  const length = Buffer.byteLength(body);
  const bytes = Buffer.allocUnsafe(5 + length);
  bytes[0] = kind;
  bytes.writeInt32BE(4 + length, 1);
  bytes.write(body, 5);
  return bytes;
}

/** Its kind, its length, and the names of portal and statement. */
function headSize(name: string): number {
  return 1 + 4 + 1 + name.length + 1;
}

function bindSize({ name, values }: Bound): number {
  // Each value has a format and a length; before both stands how many there are, and the rows are wanted as texts.
  let size = headSize(name) + 2 + 2 * values.length + 2 + 2;
  for (const value of values) {
    size += 4 + (typeof value === 'string' ? Buffer.byteLength(value) : (value?.length ?? 0));
  }
  return size;
}

function putBind(bytes: Buffer, start: number, { name, values }: Bound, size: number): void {
  bytes[start] = BIND;
  bytes.writeInt32BE(size - 1, start + 1);
  bytes[start + 5] = 0;
  bytes.write(name, start + 6, 'latin1');
  bytes[start + 6 + name.length] = 0;
  let at = start + headSize(name);
  at = bytes.writeInt16BE(values.length, at);
  for (const value of values) at = bytes.writeInt16BE(value instanceof Buffer ? 1 : 0, at);
  at = bytes.writeInt16BE(values.length, at);
  for (const value of values) {
    if (value === null) {
      at = bytes.writeInt32BE(-1, at);
    } else if (typeof value === 'string') {
      const length = bytes.write(value, at + 4);
      at = bytes.writeInt32BE(length, at) + length;
    } else {
      at = bytes.writeInt32BE(value.length, at);
      bytes.set(value, at);
      at += value.length;
    }
  }
  bytes.writeInt16BE(0, at);
}
