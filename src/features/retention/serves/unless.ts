/** Finds the records that a rule spares, by filters like those of lists. */
import type { Faults } from '../../../core/errors.ts';
import type { Resource } from '../../../core/schema/define.ts';
import { readMembers } from '../../../core/schema/fields/members.ts';
import { filterMembers, filtersOf } from '../../../core/schema/filters.ts';
import { comparisonsIn } from '../../../core/schema/parse/parse-list.ts';
import { keyValue, type RecordShape } from '../../../core/schema/shape.ts';
import type { JsonObject } from '../../../core/schema/values.ts';
import { whereOf } from '../../../records/query/page.ts';
import type { Filter, StoredRecord } from '../../../store/promises/store.ts';
import { meetsAll } from '../../../store/records/met.ts';

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

/** Exceptions as filters, by which stores compare records with them. */
export function sparesOf(resource: Resource, unless: JsonObject | null): readonly Filter[] | null {
  return unless === null ? null : whereOf(comparisonsIn(resource, unless));
}

/** By filters that were read when the rule was made. */
export function sparing({ shape }: Resource, spares: readonly unknown[] | null): Spares {
  if (spares === null) return () => false;
  return (record) =>
    meetsAll(spares as readonly Filter[], {
      shape,
      record,
      keys: () => keysOf(shape, JSON.parse(record.document) as JsonObject),
    });
}

function keysOf({ keys }: RecordShape, document: JsonObject): readonly string[] {
  return keys.map((key) => keyValue(key, document) ?? '');
}
