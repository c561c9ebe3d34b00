/** When a record was last changed, and by whom. */
import type { JSX } from 'preact';
import { etagOf, recordsOf } from '../../api.ts';
import type { DescribedResource } from '../../description.ts';
import { zoneOfRecord } from '../../homes.ts';
import { nameOf } from '../../key-names.ts';
import { useLoad } from '../../load.ts';
import type { Shown } from '../../records.ts';
import { texts } from '../../texts.ts';
import { Time } from '../../values/value.tsx';

interface LastlyProps {
  readonly resource: DescribedResource;
  readonly record: Shown;
}

export function Lastly({ resource, record }: LastlyProps): JSX.Element | null {
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
