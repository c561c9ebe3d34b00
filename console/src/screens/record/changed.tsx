/** Who changed a record, last and while it is open. */
import { page as texts } from 'messages';
import { useEffect, useState } from 'preact/hooks';
import { useLoad } from '../../load.ts';
import { Button } from '../../parts/button.tsx';
import { zoneOfRecord } from '../../places/homes.ts';
import { nameFirst, nameOf } from '../../records/key-names.ts';
import type { OfRecord } from '../../records/records.ts';
import { type Change, etagOf, recordsOf } from '../../service/api.ts';
import { follow } from '../../service/live.ts';
import { Time } from '../../values/value.tsx';

/** Any record of its kind may have changed: this one is looked at no more often. */
const PAUSE_MS = 10_000;

interface ChangedProps extends OfRecord {
  readonly onShow: () => void;
}

/** "Edith Editor changed this: show". The record stays as it is until the person asks for it. */
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

export function Lastly({ resource, record }: OfRecord): JSX.Element | null {
  const { unique_identifier: id, inserted_at, updated_at } = record;
  const { value } = useLoad(`who changed ${id} at ${etagOf(record)}`, (signal) =>
    recordsOf(resource.path).history(id, { limit: 1 }, { signal }).page(),
  );
  const [last] = value?.data ?? [];
  const at = last?.occurred_at ?? updated_at;
  if (at === undefined) return null;
  const isNew = last === undefined ? at === inserted_at : last.outcome === 'created';
  const { created, changed, by } = texts.record;
  const who = last?.key == null ? '' : nameOf(last.key);
  return (
    <span class="lastly">
      {isNew ? created : changed} <Time at={at} within zone={zoneOfRecord(record)} />
      {who !== '' && ` ${by(who)}`}
    </span>
  );
}
