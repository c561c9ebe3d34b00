/** "Edith Editor changed this: show": changes to an open record meanwhile. It stays as it is until the person asks for them. */

import { page as texts } from 'messages';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { nameFirst } from '../../records/key-names.ts';
import type { OfRecord } from '../../records/records.ts';
import { type Change, etagOf, recordsOf } from '../../service/api.ts';
import { follow } from '../../service/live.ts';

/** Any record of its kind may have changed: this one is looked at no more often. */
const PAUSE_MS = 10_000;

interface ChangedProps extends OfRecord {
  readonly onShow: () => void;
}

export function Changed({ resource, record, onShow }: ChangedProps): JSX.Element | null {
  const [change, setChange] = useState<Change>();
  const { unique_identifier: id } = record;
  const version = Number(/\d+/.exec(etagOf(record) ?? ''));
  useEffect(() => {
    setChange(undefined);
    return follow({ resources: [resource.name], pauseMs: PAUSE_MS }, async (signal) => {
      const { data } = await recordsOf(resource.path).history(id, { limit: 1 }, { signal }).page();
      const [last] = data;
      if (!signal.aborted && last !== undefined && last.version > version) setChange(last);
    });
  }, [resource, id, version]);
  if (change === undefined) return null;
  const who = (change.key === null ? '' : nameFirst(change.key)) || texts.record.somebody;
  return (
    <p class="fresh" role="status">
      <Button
        label={
          change.outcome === 'deleted' ? texts.record.removedBy(who) : texts.record.changedBy(who)
        }
        onClick={onShow}
      />
    </p>
  );
}
