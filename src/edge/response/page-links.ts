/** The `Link` header of a list (RFC 8288): where its neighbouring pages are. */
import type { Listed } from '../../records/query/list.ts';

/** `undefined` where there are none. The addresses repeat `query`, but for the place in the list. */
export function pageLinks(url: string, query: string, { next, prev }: Listed): string | undefined {
  const links = Object.entries({ next, prev }).flatMap(([rel, cursor]) => {
    if (cursor === undefined) return [];
    const params = new URLSearchParams(query);
    params.delete('starting_after');
    params.delete('ending_before');
    // The first page has said how many there are.
    params.delete('include[]');
    for (const [name, value] of Object.entries(cursor)) params.append(name, value);
    return [`<${url}?${params}>; rel="${rel}"`];
  });
  return links.length === 0 ? undefined : links.join(', ');
}
