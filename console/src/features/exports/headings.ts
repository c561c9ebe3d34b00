/**
 * The headings of a list as a table that people open, and that the import takes as it is: labels for names. The service
 * writes the table. What a record belongs to is there by name for people, and by identifier for the import.
 */
import { page as texts } from 'messages';
import { amountName } from '../../../../src/core/schema/money.ts';
import {
  aboveOf,
  type DescribedField,
  type DescribedResource,
  resourceNamed,
} from '../../records/description.ts';
import { targetLabel } from '../../refusals.ts';
import { isMoney } from '../../values/value.tsx';

/** By the name of a column its heading. */
export function headingsOf(resource: DescribedResource): Readonly<Record<string, string>> {
  const above = aboveOf(resource).flatMap((name) => resourceNamed(name) ?? []);
  const { parent } = resource;
  const named = parent && resourceNamed(parent.resource);
  return {
    external_identifier: targetLabel({ name: 'external_identifier', label: 'Identifier' }),
    ...(parent !== undefined &&
      named !== undefined && {
        [parent.param]: targetLabel({
          name: parent.param,
          label: `${named.singular}: Ledgerstone identifier`,
        }),
      }),
    ...Object.fromEntries(resource.fields.map((field) => [columnOf(field), headingOf(field)])),
    ...Object.fromEntries(above.map(({ name, singular }) => [`_${name}`, singular])),
    _unique_identifier: `_${texts.record.unique}`,
    _inserted_at: `_${texts.record.created}`,
    _updated_at: `_${texts.record.changed}`,
  };
}

/** An amount has its decimals, and another name for that. */
function columnOf(field: DescribedField): string {
  return isMoney(field) ? amountName(field.param) : field.param;
}

/** What the import calls the field; an amount says its unit. */
function headingOf(field: DescribedField): string {
  return isMoney(field)
    ? targetLabel({ name: amountName(field.param), label: `${field.label} (in dollars)` })
    : field.label;
}
