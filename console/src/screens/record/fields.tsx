/** The fields of a record in their groups. Empty fields are not shown. */
import { page as texts } from 'messages';
import { Fact } from '../../parts/fact.tsx';
import { fieldOf } from '../../records/description.ts';
import { groupsOf } from '../../records/order.ts';
import { type OfRecord, valueIn } from '../../records/records.ts';
import { Value } from '../../values/value.tsx';

export function Fields({ resource, record }: OfRecord): JSX.Element {
  const groups = groupsOf(resource)
    .map(({ heading, fields }) => ({
      // Next to groups that have one.
      heading: heading ?? (resource.groups.length > 1 ? texts.record.details : undefined),
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
              <Fact key={field.param} label={field.label}>
                <Value resource={resource} record={record} field={field} />
              </Fact>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}

/** What programs and partners need; last, and folded. */
