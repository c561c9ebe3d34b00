/** The fields of a record in their groups. Empty fields are not shown. */

import texts from 'messages:page';
import type { JSX } from 'preact';
import { Copy } from '../../parts/copy.tsx';
import { zoneOfRecord } from '../../places/homes.ts';
import { type DescribedResource, fieldOf } from '../../records/description.ts';
import { groupsOf } from '../../records/order.ts';
import { type Shown, valueIn } from '../../records/records.ts';
import { Time, Value } from '../../values/value.tsx';

interface FieldsProps {
  readonly resource: DescribedResource;
  readonly record: Shown;
}

export function Fields({ resource, record }: FieldsProps): JSX.Element {
  const groups = groupsOf(resource)
    .map(({ heading, fields }) => ({
      // Next to groups that have one.
      heading: heading ?? (resource.groups.length > 1 ? resource.singular : undefined),
      fields: fields
        .flatMap((param) => fieldOf(resource, param) ?? [])
        .filter((field) => field.param !== resource.images)
        .filter((field) => {
          const value = valueIn(resource, record, field);
          return value !== undefined && value !== null && value !== '';
        }),
    }))
    .filter(({ fields }) => fields.length > 0);
  return (
    <div class="groups">
      {groups.map(({ heading, fields }) => (
        <section key={heading ?? ''} class="group" aria-label={heading ?? resource.singular}>
          {heading !== undefined && <h2>{heading}</h2>}
          <dl>
            {fields.map((field) => (
              <div key={field.param}>
                <dt>{field.label === heading ? texts.record.name : field.label}</dt>
                <dd>
                  <Value resource={resource} record={record} field={field} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}

/** What programs and partners need; last, and folded. */
export function Identifiers({ record }: Pick<FieldsProps, 'record'>): JSX.Element {
  return (
    <details class="groups about-it">
      <summary>{texts.record.identifiers}</summary>
      <dl class="group">
        {typeof record.external_identifier === 'string' && (
          <div>
            <dt>{texts.record.identifier}</dt>
            <dd>
              <code>{record.external_identifier}</code>
            </dd>
          </div>
        )}
        <div>
          <dt>{texts.record.unique}</dt>
          <dd>
            <code>{record.unique_identifier}</code> <Copy text={record.unique_identifier} />
          </dd>
        </div>
        {record.inserted_at !== undefined && (
          <div>
            <dt>{texts.record.created}</dt>
            <dd>
              <Time at={record.inserted_at} zone={zoneOfRecord(record)} />
            </dd>
          </div>
        )}
      </dl>
    </details>
  );
}
