/** "12 new: show": records that have arrived since the list was loaded. Rows never move by themselves. */

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { recordsOf } from '../../api.ts';
import type { DescribedResource } from '../../description.ts';
import { follow } from '../../live.ts';
import { texts } from '../../texts.ts';

interface FreshProps {
  readonly resource: DescribedResource;
  /** What the list is asked for. */
  readonly params: Readonly<Record<string, string>>;
  /** The newest record that is shown. */
  readonly first: string | undefined;
  readonly onShow: () => void;
}

/** More are not told apart. */
const MAX_COUNTED = 100;

export function Fresh({ resource, params, first, onShow }: FreshProps): JSX.Element | null {
  const [count, setCount] = useState(0);
  const isNewest = !('order' in params || 'starting_after' in params || 'ending_before' in params);
  const text = new URLSearchParams(params).toString();
  useEffect(() => {
    setCount(0);
    if (!isNewest || resource.parent === undefined) return;
    return follow([resource.name], async (signal) => {
      const before = first === undefined ? {} : { ending_before: first };
      const { data } = await recordsOf(resource.path)
        .list({ ...params, ...before, limit: MAX_COUNTED }, { signal })
        .page();
      if (!signal.aborted) setCount(data.length);
    });
  }, [resource, text, first, isNewest]);
  if (count === 0) return null;
  const said = count >= MAX_COUNTED ? `${MAX_COUNTED}+` : String(count);
  return (
    <p class="fresh" role="status">
      <button
        type="button"
        onClick={() => {
          setCount(0);
          onShow();
        }}
      >
        {texts.list.fresh(said, (count === 1 ? resource.singular : resource.plural).toLowerCase())}
      </button>
    </p>
  );
}
