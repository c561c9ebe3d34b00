/** Outcomes of a rehearsal for rows together: one that repeats an earlier one changes what that would make. */
import { numberOf } from '../../../../core/number-of.ts';
import type { Resource } from '../../../../core/schema/define.ts';
import { parseStored, stringify } from '../../../../core/schema/json/json.ts';
import { merge } from '../../../../core/schema/merge/merge.ts';
import { columnsForPeople, rowForPeople, rowOf } from '../../../../core/schema/row.ts';
import { isObject, type Json, type JsonObject, valueAt } from '../../../../core/schema/values.ts';
import type { ParsedRow, RowWritten } from '../../../../records/ingest/many/row.ts';
import type { Scope, Store } from '../../../../store/promises/store.ts';
import type { ChangedRecord } from '../../declares/answers.ts';
import { labelOf } from '../table/headings.ts';

/** Records that are remembered; those beyond are not compared. */
const REMEMBERED = 250_000;
const EXAMPLES = 3;
/** The most characters of a value that is shown. */
const LONGEST = 500;

/** Corrects the outcomes of a rehearsal, in which no row sees what another one would do. */
export function createRepeats(resource: Resource) {
  const made = new Map<number, number>();
  return (row: ParsedRow, result: RowWritten): RowWritten => {
    if (result.outcome !== 'created') return result;
    const { parent, external_identifier, patch } = row.request;
    const key = numberOf(JSON.stringify([resource.path, parent, external_identifier]));
    const now = numberOf(JSON.stringify(patch));
    const before = made.get(key);
    if (before !== undefined || made.size < REMEMBERED) made.set(key, now);
    if (before === undefined) return result;
    return { ...result, outcome: before === now ? 'unchanged' : 'updated' };
  };
}

interface Changing {
  readonly row: number;
  readonly of: string;
  readonly request: ParsedRow['request'];
  readonly unique_identifier: string;
  /** Members that stay as staff had corrected them. */
  readonly kept: readonly string[];
}

/** Takes the first rows that would change a record, to say afterwards how. */
export function createChanges() {
  const all: Changing[] = [];
  return {
    see(
      row: ParsedRow,
      { outcome, unique_identifier, kept = [] }: RowWritten,
      about: Pick<Changing, 'row' | 'of'>,
    ) {
      if (outcome !== 'updated' || unique_identifier === undefined || all.length >= EXAMPLES)
        return;
      all.push({ ...about, request: row.request, unique_identifier, kept });
    },
    async found(store: Pick<Store, 'findAll'>, resource: Resource, scope: Scope, zone: string) {
      if (all.length === 0) return [];
      const ids = all.map(({ unique_identifier }) => unique_identifier);
      const records = await store.findAll(resource.shape, ids, scope);
      return all.flatMap(({ row, of, request, unique_identifier, kept }): ChangedRecord[] => {
        const record = records.find((one) => one.unique_identifier === unique_identifier);
        if (record === undefined) return [];
        const stored = parseStored(record.document) as JsonObject;
        const merged = merge(resource.shape.document, stored, request.patch);
        if (!('document' in merged)) return [];
        const columns = columnsForPeople(resource);
        const [before, after] = [stored, merged.document].map((document) => {
          const shown = { ...record, document: stringify(document) };
          return rowForPeople(resource, rowOf(resource, shown, []), zone);
        });
        const isKept = (name: string) =>
          kept.some((one) => name === one || name.startsWith(`${one}.`));
        const fields = columns.flatMap(({ name, steps }) => {
          if (isKept(name) || name.startsWith('_')) return [];
          const [was, is] = [valueAt(before, steps), valueAt(after, steps)];
          const [from, to] = [changedIn(was, is), changedIn(is, was)].map((value) =>
            wordsOf(
              isObject(value) ? without(value, (member) => isKept(`${name}.${member}`)) : value,
            ),
          );
          if (from === undefined || to === undefined || from === to) return [];
          const cut = { from: from.slice(0, LONGEST), to: to.slice(0, LONGEST) };
          return [{ name, label: labelOf(resource, name), ...cut }];
        });
        return fields.length === 0 ? [] : [{ row, of, fields }];
      });
    },
  };
}

/** The members that the other one does not have alike; all of what is no object. */
function changedIn(value: Json | undefined, other: Json | undefined): Json | undefined {
  if (!isObject(value) || !isObject(other)) return value;
  return without(value, (member) => {
    const there = valueAt(other, [member]);
    return there !== undefined && stringify(there) === stringify(value[member] as Json);
  });
}

function without(value: JsonObject, isOut: (member: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([member]) => !isOut(member)));
}

/** As people read it, who know no JSON: `flowers: lilies, music: none`. */
function wordsOf(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(wordsOf).join(', ');
  if (!isObject(value)) return stringify(value);
  return Object.entries(value)
    .map(([name, one]) => `${name.replaceAll('_', ' ')}: ${wordsOf(one)}`)
    .join(', ');
}
