/** When a record was last changed, and by whom. */
import { page as texts } from 'messages';
import { useLoad } from '../../load.ts';
import { zoneOfRecord } from '../../places/homes.ts';
import { nameOf } from '../../records/key-names.ts';
import type { OfRecord } from '../../records/records.ts';
import { etagOf, recordsOf } from '../../service/api.ts';
import { Time } from '../../values/value.tsx';

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
