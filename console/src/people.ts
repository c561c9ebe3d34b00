/** Words of people for what programs have a name for: fields, records, days. */
import { page as texts } from 'messages';
import { described, fieldOf } from './records/description.ts';
import type { People } from './translated-refusals.ts';
import { dateText, labelled, timeText } from './values/format.ts';

/** By the whole name of a field, or by its last part; `undefined` where no field is called so. */
function labelOf(param: string): string | undefined {
  const name = param.replaceAll(/\[(\w+)\]/g, '.$1');
  for (const resource of described) {
    const found =
      fieldOf(resource, name) ?? resource.fields.find((field) => field.param.endsWith(`.${name}`));
    if (found !== undefined) return found.label;
    if (name.startsWith(`${resource.name}_`) && name.endsWith('_identifier'))
      return labelled(resource.singular, texts.record.identifier.toLowerCase());
  }
  return /(?:^|_)identifier$/.test(name) ? texts.record.identifier : undefined;
}

export const people: People = {
  labelOf,
  dayText: dateText,
  timeText: (time) => timeText(time),
};
