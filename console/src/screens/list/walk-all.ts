/** Everything that a filter selects, page by page, up to a bound. */

import { aboveOf, type DescribedResource } from '../../records/description.ts';
import type { Shown } from '../../records/records.ts';
import { recordsOf } from '../../service/api.ts';
import { signedInFor } from '../../service/session.ts';

const PAGE = 1000;

export interface All {
  readonly records: readonly Shown[];
  /** Whether there are more than the bound. */
  readonly more: boolean;
}

/** Cursors are left out: it begins with the first record. */
export async function walkAll(
  resource: DescribedResource,
  params: Readonly<Record<string, string>>,
  most: number,
): Promise<All> {
  const { starting_after: _, ending_before: __, ...filters } = params;
  const expand = aboveOf(resource);
  const records: Shown[] = [];
  let more = true;
  while (more && records.length < most) {
    const last = records.at(-1)?.unique_identifier;
    const after = last === undefined ? {} : { starting_after: last };
    const limit = Math.min(PAGE, most - records.length);
    const page = await signedInFor(() =>
      recordsOf(resource.path)
        .list({ ...filters, ...after, limit, ...(expand.length === 0 ? {} : { expand }) })
        .page(),
    );
    records.push(...page.data);
    more = page.has_more && page.data.length > 0;
  }
  return { records, more };
}
