/** The identifiers of a record, folded: for those who compare it with another system. */
import { page as texts } from 'messages';
import { Copy } from '../../parts/button.tsx';
import { Fact } from '../../parts/fact.tsx';
import { zoneOfRecord } from '../../places/homes.ts';
import type { OfRecord } from '../../records/records.ts';
import { Time } from '../../values/value.tsx';

export function Identifiers({ resource, record }: OfRecord): JSX.Element {
  return (
    <details class="hint groups about-it">
      <summary>{texts.record.identifiers}</summary>
      <dl class="group">
        {typeof record.external_identifier === 'string' && (
          <Fact label={resource.identifier ?? texts.record.identifier}>
            <code>{record.external_identifier}</code>
          </Fact>
        )}
        <Fact label={texts.record.unique}>
          <code>{record.unique_identifier}</code> <Copy text={record.unique_identifier} />
        </Fact>
        {record.inserted_at !== undefined && (
          <Fact label={texts.record.created}>
            <Time at={record.inserted_at} zone={zoneOfRecord(record)} />
          </Fact>
        )}
      </dl>
    </details>
  );
}
