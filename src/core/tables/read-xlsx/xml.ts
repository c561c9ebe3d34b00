/** XML as it is read: what stands at known places of one language is reported in order, and nothing is stored. */
import { SaxesParser } from 'saxes';
import { faultOf, WorkbookFault } from './fault.ts';

/** The most characters in which nothing ends: no text, and no tag. */
const LONGEST = 8_388_608;

/** The most attributes of a tag; those of office programs have some dozens. */
const MOST_ATTRIBUTES = 1_000;
const MAX_DEPTH = 256;
/** The most prefixes of namespaces; office programs declare some two dozens. */
const MOST_PREFIXES = 100;

/** A part of the bytes that a workbook may unpack to: elements take time, however short they are. */
const BYTES_OF_ELEMENT = 32;

export type XmlAttributes = Readonly<Record<string, string>>;

/** Says what to do where an element stands. Others of its name, elsewhere or of another language, are passed over. */
export interface XmlPlace {
  /** `namespaceOf` gives the namespace of a prefix. */
  opened?(attributes: XmlAttributes, namespaceOf: (prefix: string) => string | undefined): void;
  text?(text: string): void;
  closed?(): void;
  /** The places within, by the names of their elements. */
  readonly inside?: ReadonlyMap<string, XmlPlace>;
}

/** A place with those within it. */
export function place(
  inside: Readonly<Record<string, XmlPlace>>,
  does: Omit<XmlPlace, 'inside'> = {},
): XmlPlace {
  return { ...does, inside: new Map(Object.entries(inside)) };
}

/** The places of one kind of document. */
export interface XmlReading {
  /** Its namespaces; elements that declare none are taken for these. */
  readonly namespaces: ReadonlySet<string>;
  /** By the name of the outermost element. */
  readonly root: ReadonlyMap<string, XmlPlace>;
}

const NOWHERE: XmlPlace = {};

/**
 * Yields after each piece of the bytes, so that what was reported can be handed on before the next one is read. Throws
 * where there are more elements than a workbook may have that may unpack to `most` bytes.
 */
export async function* walkXml(
  bytes: AsyncIterable<Uint8Array>,
  { namespaces, root }: XmlReading,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<void, void> {
  const parser = new SaxesParser();
  let unended = 0;
  let count = 0;
  let elements = 0;
  const places: XmlPlace[] = [];
  let here: XmlPlace = { inside: root };
  let prefixes: ReadonlyMap<string, string> = new Map();
  /** Prefixes of outer elements, with the depth at which they count again. */
  const outer: (readonly [depth: number, prefixes: ReadonlyMap<string, string>])[] = [];
  let declared: (readonly [prefix: string, namespace: string])[] | undefined;
  const mostElements = Math.floor(most / BYTES_OF_ELEMENT);
  const namespaceOf = (prefix: string): string | undefined => prefixes.get(prefix);
  const declare = (more: NonNullable<typeof declared>): void => {
    outer.push([places.length, prefixes]);
    prefixes = new Map([...prefixes, ...more]);
    if (prefixes.size > MOST_PREFIXES)
      throw new WorkbookFault(`it has more than ${MOST_PREFIXES} prefixes of namespaces`);
  };
  parser.on('attribute', ({ name, value }) => {
    count += 1;
    if (count > MOST_ATTRIBUTES)
      throw new WorkbookFault(`an element of it has more than ${MOST_ATTRIBUTES} attributes`);
    if (!name.startsWith('xmlns')) return;
    declared ??= [];
    declared.push([name.slice('xmlns:'.length), value]);
  });
  parser.on('opentag', ({ name, attributes }) => {
    unended = 0;
    count = 0;
    if (declared !== undefined) declare(declared);
    declared = undefined;
    places.push(here);
    if (places.length > MAX_DEPTH)
      throw new WorkbookFault(`its elements are nested more than ${MAX_DEPTH} deep`);
    elements += 1;
    if (elements > mostElements)
      throw new WorkbookFault(`a part of it has more than ${mostElements} elements`);
    const colon = name.indexOf(':');
    const namespace = prefixes.get(colon < 0 ? '' : name.slice(0, colon));
    const isOurs = !namespace || namespaces.has(namespace);
    here = (isOurs && here.inside?.get(name.slice(colon + 1))) || NOWHERE;
    here.opened?.(attributes as XmlAttributes, namespaceOf);
  });
  parser.on('closetag', () => {
    unended = 0;
    here.closed?.();
    here = places.pop() ?? NOWHERE;
    if (outer.at(-1)?.[0] !== places.length) return;
    prefixes = outer.pop()?.[1] ?? prefixes;
  });
  parser.on('error', () => {
    const { line, columnIndex } = parser;
    throw new WorkbookFault(`a part of it is no XML at its line ${line}, character ${columnIndex}`);
  });
  const text = (more: string): void => here.text?.(more);
  parser.on('text', text);
  parser.on('cdata', text);
  for await (const [piece, length] of decoded(bytes)) {
    unended += length;
    if (unended > LONGEST) throw new WorkbookFault(`a text of it is larger than ${LONGEST} bytes`);
    parser.write(piece);
    yield;
  }
  parser.close();
  yield;
}

/** Reports all of it. */
export async function readXml(
  bytes: AsyncIterable<Uint8Array>,
  reading: XmlReading,
): Promise<void> {
  for await (const _ of walkXml(bytes, reading));
}

/** The bytes in which a document says how it is encoded. */
const HEAD = 256;

/** The text, in the encoding that the mark or the first line of a document says, with the bytes of each piece. */
async function* decoded(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly [text: string, bytes: number], void> {
  let head: Uint8Array | undefined = new Uint8Array();
  let decoder = decoderOf(head);
  for await (const piece of bytes) {
    const more: Uint8Array = head === undefined ? piece : Buffer.concat([head, piece]);
    if (head !== undefined && more.length < HEAD) {
      head = more;
      continue;
    }
    if (head !== undefined) decoder = decoderOf(more);
    head = undefined;
    yield [text(more), piece.length];
  }
  if (head !== undefined) {
    decoder = decoderOf(head);
    yield [text(head), head.length];
  }
  yield [text(), 0];

  function text(more?: Uint8Array): string {
    try {
      return decoder.decode(more, { stream: more !== undefined });
    } catch (error) {
      throw faultOf(error, `a part of it has bytes that are not ${decoder.encoding}`);
    }
  }
}

function decoderOf(head: Uint8Array): TextDecoder {
  const [first, second] = head;
  const fatal = { fatal: true };
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be', fatal);
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le', fatal);
  if (first === 0 && second === 0x3c) return new TextDecoder('utf-16be', fatal);
  if (first === 0x3c && second === 0) return new TextDecoder('utf-16le', fatal);
  const line = Buffer.from(head.subarray(0, HEAD)).toString('latin1');
  const named = /^(?:ï»¿)?<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(line)?.[1];
  // What can be read as ASCII here is in no encoding of two bytes.
  if (named === undefined || /^(?:utf|ucs|iso-10646)/i.test(named))
    return new TextDecoder('utf-8', fatal);
  try {
    return new TextDecoder(named, fatal);
  } catch {
    throw new WorkbookFault(`a part of it is in an encoding that is not known, ${named}`);
  }
}
