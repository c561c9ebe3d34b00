/** Finds the hosts of the images that a document refers to. */
import type { Resource } from '../../../core/schema/define.ts';
import { isObject, type JsonObject } from '../../../core/schema/values.ts';

export function imageHostsOf(
  { fields, public_data }: Resource,
  document: JsonObject,
): readonly string[] {
  const members = { ...fields, ...public_data };
  return [document, document.public_data ?? null].flatMap((part) =>
    Object.entries(isObject(part) ? part : {}).flatMap(([name, value]) => {
      const isImage = members[name]?.kind.name.endsWith('JPG URL') === true;
      if (!isImage) return [];
      return [value].flat().flatMap((url) => URL.parse(String(url))?.host ?? []);
    }),
  );
}
