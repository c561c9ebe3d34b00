/** The field with the image URLs of a resource's records. */
import { perResource, type Resource } from '../define.ts';
import { jpgUrl } from '../fields/kinds/jpg-url.ts';
import { list } from '../fields/list.ts';
import { type JsonObject, valueAt } from '../values.ts';
import { fieldsIn, placeOf } from './display.ts';

/** The largest image that is fetched. */
export const MAX_IMAGE_MIB = 15;

const { name: KIND } = list(jpgUrl(), { min: 1, max: 1 });

/** `undefined` for a resource without images. */
export const imagesOf = perResource((resource: Resource) => {
  const all = fieldsIn({ ...resource.fields, ...resource.public_data });
  const found = all.find(({ field }) => field.kind.name === KIND);
  if (found === undefined) return undefined;
  const steps = placeOf(resource, found.path);
  return {
    param: found.path,
    /** The images of a document, by their addresses; none where it has none. */
    urls(document: JsonObject): readonly string[] {
      const at = valueAt(document, steps);
      return Array.isArray(at) ? at.map(String) : [];
    },
  };
});
