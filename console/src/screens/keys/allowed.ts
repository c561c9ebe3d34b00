/** Rights that are given by name, in words. */
import { resourceAt } from '../../records/description.ts';
import { says } from './texts.ts';

const AUTHORITATIVE = 'authoritative:';

export function allowedOf(allow: readonly string[]): string {
  return allow
    .map((right) => {
      if (!right.startsWith(AUTHORITATIVE)) return says.allowed[right] ?? right;
      const path = right.slice(AUTHORITATIVE.length);
      return says.decides(resourceAt(path)?.plural ?? path);
    })
    .join(' · ');
}
