/** Details that distinguish records of the same name. */
import { zoneOfRecord } from '../places/homes.ts';
import { timeText } from '../values/format.ts';
import { isPhone, textOfValue } from '../values/value.tsx';
import { aboveOf, type DescribedResource, fieldOf, resourceNamed } from './description.ts';
import { caseOf, parentOf, type Shown, subtitleOf, titleOf, valueIn } from './records.ts';

/** Values of a record that stand behind its name. */
const MAX_VALUES = 2;

/** When it is or came, its person and its place, as far as they were requested with it. */
export function detailsOf(resource: DescribedResource, record: Shown): readonly string[] {
  const when = resource.fields.find(({ kind }) => kind === 'date and time');
  const above = aboveOf(resource);
  // What belongs to a service is distinguished by it.
  const came = above.length === 1 ? record.inserted_at : undefined;
  const time = when === undefined ? came : valueIn(resource, record, when);
  return [
    caseOf(resource, record) ?? '',
    subtitleOf(resource, record) ?? '',
    typeof time === 'string' ? timeText(time, zoneOfRecord(record)) : '',
    ...above.map((name) => {
      const one = resourceNamed(name);
      const parent = parentOf(record, name);
      return one === undefined || parent === undefined ? '' : titleOf(one, parent);
    }),
  ].filter((part) => part !== '');
}

/** The first of its columns that say something by themselves: a relationship, a phone number. */
export function valuesOf(resource: DescribedResource, record: Shown) {
  return resource.columns
    .flatMap((param) => {
      const field = resource.title.includes(param) ? undefined : fieldOf(resource, param);
      const isShown = field !== undefined && (field.kind === 'text' || isPhone(field));
      return isShown
        ? [
            {
              param,
              text: textOfValue(valueIn(resource, record, field), field, zoneOfRecord(record)),
            },
          ]
        : [];
    })
    .slice(0, MAX_VALUES)
    .filter(({ text }) => text !== '');
}
