/** Records that have arrived since a list was loaded. */
import { page as texts } from 'messages';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import type { DescribedResource } from '../../records/description.ts';
import type { Shown } from '../../records/records.ts';
import { listed } from '../../service/api.ts';
import { follow } from '../../service/live.ts';
import { PAGE } from './query.ts';

interface FreshProps {
  readonly resource: DescribedResource;
  readonly params: Readonly<Record<string, string>>;
  readonly shown: readonly Shown[];
  readonly onShow: () => void;
}

/** More are not distinguished. */
const MAX_COUNTED = 100;

/** "12 new: show": records that have arrived since the list was loaded. Rows never move by themselves. */
export function Fresh({ resource, params, shown, onShow }: FreshProps): JSX.Element | null {
  const [says, setSays] = useState<string>();
  const isFirst = !('starting_after' in params || 'ending_before' in params);
  const isNewest = !('order' in params) && !resource.orders.includes('name');
  const text = new URLSearchParams(params).toString();
  useEffect(() => {
    setSays(undefined);
    if (!isFirst || resource.parent === undefined) return;
    const list = async (more: object, signal: AbortSignal): Promise<readonly Shown[]> => {
      const { data } = await listed(resource.path, { ...params, ...more }, signal);
      return data;
    };
    const [first] = shown;
    const followed = { resources: [resource.name], outcomes: ['created', 'restored'] };
    return follow(followed, async (signal) => {
      if (isNewest) {
        const before = first === undefined ? {} : { ending_before: first.unique_identifier };
        const { length } = await list({ ...before, limit: MAX_COUNTED }, signal);
        if (!signal.aborted) setSays(length === 0 ? undefined : newText(resource, length));
      } else {
        // In another order, what is new may be anywhere.
        const now = await list({ limit: PAGE }, signal);
        if (!signal.aborted)
          setSays(namesOf(now) === namesOf(shown) ? undefined : texts.list.changed);
      }
    });
  }, [resource, text, shown, isFirst, isNewest]);
  if (says === undefined) return null;
  return (
    <p class="fresh" role="status">
      <Button
        label={says}
        onClick={() => {
          setSays(undefined);
          onShow();
        }}
      />
    </p>
  );
}

function newText(resource: DescribedResource, count: number): string {
  const shown = count >= MAX_COUNTED ? `${MAX_COUNTED}+` : String(count);
  return texts.list.fresh({
    count,
    shown,
    what: (count === 1 ? resource.singular : resource.plural).toLowerCase(),
  });
}

function namesOf(records: readonly Shown[]): string {
  return records.map(({ unique_identifier }) => unique_identifier).join();
}
