/** What a rule spares: records that its filters, which are those of lists, would find. */
import type { Faults } from '../../core/errors.ts';
import type { Resource } from '../../core/schema/define.ts';
import { readMembers } from '../../core/schema/fields/members.ts';
import { filterMembers, filtersOf } from '../../core/schema/filters.ts';
import { comparisonsIn } from '../../core/schema/parse/parse-list.ts';
import { keyValue } from '../../core/schema/shape.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import { whereOf } from '../../records/query/where.ts';
import type { Filter, StoredRecord } from '../../store/promises/store.ts';

/** Whether a record is spared. */
export type Spares = (record: StoredRecord) => boolean;

/** The filters as they are stored. The result is only valid if no fault was added. */
export function readUnless(resource: Resource, sent: JsonObject, faults: Faults): JsonObject {
  const above = filtersOf(resource).flatMap(({ above, steps: [first = ''] }) =>
    above ? [first] : [],
  );
  const all = Object.entries(filterMembers(resource)).filter(([name]) => !above.includes(name));
  const members = Object.fromEntries(all);
  const before = faults.count;
  const reading = { encoding: 'json', faults, unknown: 'refuse', always: 'here' } as const;
  const read = readMembers(members, sent, 'unless.', reading);
  if (faults.count === before && comparisonsIn(resource, read).length === 0) {
    const names = all.map(([name]) => name).join(', ');
    const message = `unless has no filter: send one of ${names}, or leave it out.`;
    faults.add('unless', 'value_invalid', message);
  }
  return read;
}

/** By filters that were read when the rule was made. */
export function sparing(resource: Resource, unless: JsonObject | null): Spares {
  if (unless === null) return () => false;
  const filters = whereOf(comparisonsIn(resource, unless));
  const keys = new Map(resource.shape.keys.map((key) => [key.name, key]));
  const ownOf = (by: Filter['by'], record: StoredRecord, document: () => JsonObject) => {
    if (typeof by !== 'object') return by in record ? record[by as keyof StoredRecord] : null;
    const key = keys.get(by.key);
    return key === undefined ? null : keyValue(key, document());
  };
  return (record) => {
    let parsed: JsonObject | undefined;
    const document = () => (parsed ??= JSON.parse(record.document) as JsonObject);
    return (
      filters.length > 0 &&
      filters.every(({ by, is, value }) => {
        const own = ownOf(by, record, document);
        return own !== null && own !== '' && meets(own, is, value);
      })
    );
  };
}

function meets(own: string | number, is: Filter['is'], value: string | number): boolean {
  switch (is) {
    case '=':
      return own === value;
    case '>=':
      return own >= value;
    case '>':
      return own > value;
    case '<=':
      return own <= value;
    default:
      return own < value;
  }
}
