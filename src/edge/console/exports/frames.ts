/**
 * A file, interleaved with messages about it: progress, that it is complete, or why it is not. A frame is a kind, a
 * length in four bytes, and that many bytes; the end of the connection alone would not show whether everything was
 * sent.
 */
const BYTES = 1;
const MESSAGE = 2;
const HEAD_BYTES = 5;

export function frameOf(bytes: Uint8Array): Uint8Array {
  return framed(BYTES, bytes);
}

/** A message, as JSON. */
export function messageFrame(content: object): Uint8Array {
  return framed(MESSAGE, Buffer.from(JSON.stringify(content)));
}

function framed(kind: number, bytes: Uint8Array): Uint8Array {
  const frame = Buffer.allocUnsafe(HEAD_BYTES + bytes.length);
  frame[0] = kind;
  frame.writeUInt32BE(bytes.length, 1);
  frame.set(bytes, HEAD_BYTES);
  return frame;
}
