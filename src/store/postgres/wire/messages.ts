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

const SYNC = Buffer.from([0x53, 0, 0, 0, 4]);
const BIND = 0x42;
const CLOSE = 0x43;
const EXECUTE = 0x45;
const PARSE = 0x50;

/**
 * A `Bind` and an `Execute` for each, with a `Parse` first if it is not prepared,
 * and one `Sync` at the end. The first is executed at once; the others when all
 * that they are to write is there: the server takes no lock while it waits for
 * the rest of a message, from a slow network or a process that was stopped.
 */
export function messages([first, ...others]: readonly Bound[]): Buffer {
  if (first === undefined) return SYNC;
  return Buffer.concat([
    ...[first, ...others].flatMap(prepare),
    bind(first, ''),
    execute(''),
    ...others.map((one, at) => bind(one, `p${at}`)),
    ...others.map((_, at) => execute(`p${at}`)),
    SYNC,
  ]);
}

/** All rows of a portal. */
function execute(portal: string): Buffer {
  return message(EXECUTE, `${portal}\0\0\0\0\0`);
}

/** A message that failed half way may have left one of that name. Closing one that does not exist is not an error. */
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

function bind({ name, values }: Bound, portal: string): Buffer {
  const names = `${portal}\0${name}\0`;
  // Each value has a format and a length; before both stands how many there are, and the rows are wanted as texts.
  let size = 5 + names.length + 2 + 2 * values.length + 2 + 2;
  for (const value of values) {
    size += 4 + (typeof value === 'string' ? Buffer.byteLength(value) : (value?.length ?? 0));
  }
  const bytes = Buffer.allocUnsafe(size);
  bytes[0] = BIND;
  bytes.writeInt32BE(size - 1, 1);
  let at = 5 + bytes.write(names, 5, 'latin1');
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
  return bytes;
}
