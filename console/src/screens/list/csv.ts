/** A table that people open: labels for names, values as they read them, and nothing that a spreadsheet would run. */
import { page as texts } from 'messages';
import { zoneOfRecord } from '../../places/homes.ts';
import { aboveOf, type DescribedResource, resourceNamed } from '../../records/description.ts';
import { parentOf, type Shown, titleOf, valueIn } from '../../records/records.ts';
import { listed } from '../../service/api.ts';
import { signedInFor } from '../../service/session.ts';
import { withOffset } from '../../values/days.ts';
import { textOfValue } from '../../values/value.tsx';

/** Spreadsheets recognize UTF-8 by it. */
const MARK = '\uFEFF';

export function csvOf(resource: DescribedResource, records: readonly Shown[]): string {
  const above = aboveOf(resource).flatMap((name) => resourceNamed(name) ?? []);
  const head = [
    ...resource.fields.map(({ label }) => label),
    ...above.map(({ singular }) => singular),
    texts.record.identifier,
    texts.record.unique,
    texts.record.created,
    texts.record.changed,
  ];
  const rows = records.map((record) => {
    const zone = zoneOfRecord(record);
    const local = (text: string | undefined): string => localTime(text, zone);
    return [
      ...resource.fields.map((field) => {
        const value = valueIn(resource, record, field);
        // A spreadsheet reads and orders times in this form.
        if (field.kind === 'date and time' && typeof value === 'string') return local(value);
        if (field.kind === 'date' && typeof value === 'string') return value;
        return textOfValue(value, field);
      }),
      ...above.map((one) => {
        const parent = parentOf(record, one.name);
        return parent === undefined ? '' : titleOf(one, parent);
      }),
      record.external_identifier ?? '',
      record.unique_identifier,
      local(record.inserted_at),
      local(record.updated_at),
    ];
  });
  return MARK + [head, ...rows].map((cells) => cells.map(cellOf).join(',')).join('\r\n');
}

/** The clock of the location, with how far it is ahead of UTC. */
function localTime(text: string | undefined, zone: string): string {
  return text === undefined ? '' : withOffset(new Date(text), zone).replace('T', ' ');
}

/** What would begin a formula begins with an apostrophe, which spreadsheets do not show. */
function cellOf(text: string): string {
  const inert = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

const PAGE = 1000;

/** Cursors are left out: it begins with the first record. */
export async function walkAll(
  resource: DescribedResource,
  params: Readonly<Record<string, string>>,
  most: number,
) {
  const { starting_after: _, ending_before: __, ...filters } = params;
  const expand = aboveOf(resource);
  const records: Shown[] = [];
  let more = true;
  while (more && records.length < most) {
    const last = records.at(-1)?.unique_identifier;
    const after = last === undefined ? {} : { starting_after: last };
    const limit = Math.min(PAGE, most - records.length);
    const of = { ...filters, ...after, limit, ...(expand.length > 0 && { expand }) };
    const page = await signedInFor(() => listed(resource.path, of));
    records.push(...page.data);
    more = page.has_more && page.data.length > 0;
  }
  return { records, more };
}
