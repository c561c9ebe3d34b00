/** XML as it is read: what stands in it is told in its order, and nothing of it is kept. */
import { SaxesParser } from 'saxes';

/** Of XML in which nothing ends: a text, or a tag. */
const LONGEST = 16_777_216;

/** Of a tag; those of office programs have some dozens. */
const MOST_ATTRIBUTES = 1_000;
/** Elements within each other. */
const DEEPEST = 256;

/** Names are without their prefix. */
export interface XmlListener {
  opened(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  closed?(name: string): void;
}

/** Yields after each piece of the bytes, so that what was told can be handed on before the next one is read. */
export async function* walkXml(
  bytes: AsyncIterable<Uint8Array>,
  listener: XmlListener,
): AsyncGenerator<void, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parser = new SaxesParser();
  let unended = 0;
  let count = 0;
  let depth = 0;
  parser.on('attribute', () => {
    count += 1;
    if (count > MOST_ATTRIBUTES)
      throw new Error(`an element of it has more than ${MOST_ATTRIBUTES} attributes`);
  });
  parser.on('opentag', ({ name, attributes }) => {
    unended = 0;
    count = 0;
    depth += 1;
    if (depth > DEEPEST) throw new Error(`its elements are nested more than ${DEEPEST} deep`);
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

/** Tells all of it. */
export async function readXml(
  bytes: AsyncIterable<Uint8Array>,
  listener: XmlListener,
): Promise<void> {
  for await (const _ of walkXml(bytes, listener));
}

function localOf(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
