/** Names in the OpenAPI document. */
import type { Resource } from '../../../src/core/schema/define.ts';
import { inWords, withArticle } from '../../../src/core/schema/present/words.ts';

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

/** A resource in words with its article: `an event check-in record`. */
export function articled({ name }: Resource): string {
  return withArticle(inWords(name));
}

export function refTo(kind: string, name: string): { readonly $ref: string } {
  return { $ref: `#/components/${kind}/${name}` };
}
