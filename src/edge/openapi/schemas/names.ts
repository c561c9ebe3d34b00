/** Names in the OpenAPI document. */
import type { Resource } from '../../../core/schema/define.ts';
import { inWords, withArticle } from '../../../core/schema/present/words.ts';

/** The component of a resource's answers, such as `EventCheckInRecord`. */
export function componentName({ name, typeName }: Resource): string {
  return typeName ?? pascalCase(name);
}

/** `EventCheckInRecord` for `event_check_in_record`. */
export function pascalCase(name: string): string {
  return name
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/** The heading under which a resource's operations stand, such as `Event check-in records`. */
export function tagName({ path }: Resource): string {
  const words = inWords(path);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A resource in words with its article: `an event check-in record`. */
export function articled({ name }: Resource): string {
  return withArticle(inWords(name));
}

export function refTo(kind: string, name: string): { readonly $ref: string } {
  return { $ref: `#/components/${kind}/${name}` };
}
