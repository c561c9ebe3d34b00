/** Rights that are given by name, in words. */
import { keys as says } from 'messages';
import { resourceAt } from '../../records/description.ts';

const AUTHORITATIVE = 'authoritative:';

export function Allowed({ of }: { readonly of: readonly string[] }): JSX.Element | null {
  if (of.length === 0) return null;
  return (
    <span class="line rights">
      {of.map((right) => (
        <span key={right} class="tag">
          {wordsOf(right)}
        </span>
      ))}
    </span>
  );
}

function wordsOf(right: string): string {
  if (!right.startsWith(AUTHORITATIVE)) return says.allowed[right] ?? right;
  const path = right.slice(AUTHORITATIVE.length);
  return says.decides(resourceAt(path)?.plural ?? path);
}
