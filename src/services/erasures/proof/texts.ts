/** What of a record can be found again in the bytes of a file: the beginnings of its personal values. */
import type { Resource } from '../../../core/schema/define.ts';
import type { Field } from '../../../core/schema/fields/kind.ts';
import { termsOf } from '../../../core/schema/search/searching.ts';
import { keyValue } from '../../../core/schema/shape.ts';
import { isObject, type Json, type JsonObject } from '../../../core/schema/values.ts';

/** A longer text is cut where a large row goes on in another page, and a shorter one is in others' records. */
const LONGEST = 32;
const SHORTEST = 8;
const encoder = new TextEncoder();

/** `document` is a whole one, or what a change says of it. */
export function textsOf(
  resource: Resource,
  document: JsonObject,
  isWhole: boolean,
): readonly string[] {
  const { shape } = resource;
  const members = membersOf(resource);
  const isPersonal = (name: string): boolean => members[name]?.personal === true;
  const said = valuesOf(resource, document, ({ personal }) => personal === true);
  if (!isWhole) return pieces(said);
  const keys = shape.keys
    .filter(({ path }) => path.some(isPersonal))
    .map((key) => keyValue(key, document) ?? '');
  // A term begins with what it is of.
  const terms = termsOf(shape, document).map((term) => term.slice(term.indexOf(':') + 1));
  return pieces([...said, ...keys, ...terms]);
}

/** The hosts of the images that it names. */
export function imageHostsOf(resource: Resource, document: JsonObject): readonly string[] {
  return valuesOf(resource, document, ({ kind }) => kind.name.endsWith('JPG URL')).flatMap(
    (url) => URL.parse(url)?.host ?? [],
  );
}

/** The texts in these members of a document. */
function valuesOf(
  resource: Resource,
  document: JsonObject,
  wants: (field: Field) => boolean,
): readonly string[] {
  const members = membersOf(resource);
  return [document, document.public_data ?? null].flatMap((part) =>
    isObject(part)
      ? Object.entries(part).flatMap(([name, value]) => {
          const field = members[name];
          return field !== undefined && wants(field) ? textsIn(value) : [];
        })
      : [],
  );
}

function membersOf({ fields, public_data }: Resource): Readonly<Record<string, Field>> {
  return { ...fields, ...public_data };
}

/** The beginnings of texts as files have them: up to what JSON writes in another way. */
export function pieces(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => {
    const [plain = ''] = JSON.stringify(text).slice(1, -1).split('\\');
    const { read, written } = encoder.encodeInto(plain, new Uint8Array(LONGEST));
    return written < SHORTEST ? [] : [plain.slice(0, read)];
  });
}

function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}
