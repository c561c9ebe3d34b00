/** Reads a whole list, page by page, for paper. */
import { aboveOf, type DescribedResource } from '../../records/description.ts';
import type { Shown } from '../../records/records.ts';
import { listed } from '../../service/api.ts';
import { signedInFor } from '../../service/session.ts';

const PAGE = 1000;

/** Cursors are left out: it begins with the first record. */
export async function walkAll(
  resource: DescribedResource,
  params: Readonly<Record<string, string>>,
  most: number,
) {
  const { starting_after: _, ending_before: __, ...filters } = params;
  const expand = [...aboveOf(resource), 'identifiers'];
  const records: Shown[] = [];
  let more = true;
  while (more && records.length < most) {
    const last = records.at(-1)?.unique_identifier;
    const after = last === undefined ? {} : { starting_after: last };
    const limit = Math.min(PAGE, most - records.length);
    const of = { ...filters, ...after, limit, expand };
    const page = await signedInFor(() => listed(resource.path, of));
    records.push(...page.data);
    more = page.has_more && page.data.length > 0;
  }
  return { records, more };
}
