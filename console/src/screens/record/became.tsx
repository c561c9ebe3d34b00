/** The changed fields of a record, before and after. */

import { record as says, page as texts } from 'messages';
import { toJson } from '../../../../client/src/json.ts';
import { Fact } from '../../parts/fact.tsx';
import { zoneOfRecord } from '../../places/homes.ts';
import type { DescribedResource } from '../../records/description.ts';
import { type Json, type Shown, valueIn } from '../../records/records.ts';
import type { Change } from '../../service/api.ts';
import { currencyBeside, wordsOf } from '../../values/value.tsx';

export interface Became {
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

/** Says what a change made, whose members are named as the record is stored. */
export function becameBy(
  resource: DescribedResource,
  record: Shown | undefined,
  changes: NonNullable<Change['changes']>,
): readonly Became[] {
  return changes.flatMap(({ member, before, after }) => {
    const field = resource.fields.find(({ at }) => `${member}.`.startsWith(`${at.join('.')}.`));
    const isAround = resource.fields.some(({ at }) => at.join('.').startsWith(`${member}.`));
    if (field === undefined && isAround) return [];
    const beside =
      field === undefined || record === undefined
        ? {}
        : { currency: currencyBeside(resource, record, field), zone: zoneOfRecord(record) };
    const inside = member.slice(field === undefined ? 0 : field.at.join('.').length + 1);
    const name = inside === 'external_identifier' ? texts.record.identifier : readable(inside);
    const label = [field?.label ?? '', name].filter((one) => one !== '').join(', ');
    const kind = inside === '' ? field : undefined;
    return [{ label, before: wordsOf(before, kind, beside), after: wordsOf(after, kind, beside) }];
  });
}

/** Says what a record becomes that is to get the contents of another one. */
export function becameOf(resource: DescribedResource, now: Shown | undefined, then: Shown) {
  return resource.fields.flatMap((field) => {
    const text = (record: Shown | undefined): string =>
      record === undefined
        ? ''
        : wordsOf(jsonOf(record), field, {
            currency: currencyBeside(resource, record, field),
            zone: zoneOfRecord(now ?? record),
          });
    const jsonOf = (record: Shown): Json => valueIn(resource, record, field) ?? null;
    const isSame = toJson(jsonOf(then)) === toJson(now === undefined ? null : jsonOf(now));
    return isSame ? [] : [{ label: field.label, before: text(now), after: text(then) }];
  });
}

function readable(member: string): string {
  return member.replaceAll('_', ' ').replaceAll('.', ', ');
}

export function FromTo({ before, after }: Became): JSX.Element {
  return (
    <>
      <del>{before || says.empty}</del> <span aria-hidden="true">→</span>
      <span class="unseen"> {says.becomes}</span> <ins>{after || says.empty}</ins>
    </>
  );
}

/** A row for each; `single`: the other side is empty. */
export function BecameList(props: {
  readonly all: readonly Became[];
  readonly single?: boolean;
}): JSX.Element {
  const { all, single = false } = props;
  return (
    <dl class="became">
      {all.map((one) => (
        <Fact key={one.label} label={one.label}>
          {single ? one.after || one.before : <FromTo {...one} />}
        </Fact>
      ))}
    </dl>
  );
}
