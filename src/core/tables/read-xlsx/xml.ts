/** XML as it is read: its content is reported in order, and not stored. */
import { SaxesParser } from 'saxes';

/** The most characters in which nothing ends: no text, and no tag. */
const LONGEST = 8_388_608;

/** The most attributes of a tag; those of office programs have some dozens. */
const MOST_ATTRIBUTES = 1_000;
const MAX_DEPTH = 256;

/** A part of the bytes that a workbook may unpack to: elements take time, however short they are. */
const BYTES_OF_ELEMENT = 32;

/** Names are without their prefix. */
export interface XmlListener {
  opened(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  closed?(name: string): void;
}

/**
 * Yields after each piece of the bytes, so that what was reported can be handed on before the next one is read. Throws
 * where there are more elements than a workbook may have that may unpack to `most` bytes.
 */
export async function* walkXml(
  bytes: AsyncIterable<Uint8Array>,
  listener: XmlListener,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<void, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parser = new SaxesParser();
  let unended = 0;
  let count = 0;
  let depth = 0;
  let elements = 0;
  const mostElements = Math.floor(most / BYTES_OF_ELEMENT);
  parser.on('attribute', () => {
    count += 1;
    if (count > MOST_ATTRIBUTES)
      throw new Error(`an element of it has more than ${MOST_ATTRIBUTES} attributes`);
  });
  parser.on('opentag', ({ name, attributes }) => {
    unended = 0;
    count = 0;
    depth += 1;
    if (depth > MAX_DEPTH) throw new Error(`its elements are nested more than ${MAX_DEPTH} deep`);
    elements += 1;
    if (elements > mostElements)
      throw new Error(`a part of it has more than ${mostElements} elements`);
    listener.opened(localOf(name), attributes);
  });
  parser.on('closetag', ({ name }) => {
    unended = 0;
    depth -= 1;
    listener.closed?.(localOf(name));
  });
  if (listener.text !== undefined) {
    const text = listener.text.bind(listener);
    parser.on('text', text);
    parser.on('cdata', text);
  }
  for await (const piece of bytes) {
    unended += piece.length;
    if (unended > LONGEST) throw new Error(`a text of it is larger than ${LONGEST} bytes`);
    parser.write(decoder.decode(piece, { stream: true }));
    yield;
  }
  parser.write(decoder.decode()).close();
  yield;
}

/** Reports all of it. */
export async function readXml(
  bytes: AsyncIterable<Uint8Array>,
  listener: XmlListener,
): Promise<void> {
  for await (const _ of walkXml(bytes, listener));
}

function localOf(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
