/** Checks whether a record meets the filters of a list, without a list. */
import type { RecordShape } from '../../core/schema/shape.ts';
import type { Filter, StoredRecord } from '../promises/records.ts';

/** A record as its filters see it; `keys` are the columns of its declared keys. */
export interface Filtered {
  readonly shape: RecordShape;
  readonly record: Partial<StoredRecord>;
  readonly keys: () => readonly string[];
}

export function meetsAll(filters: readonly Filter[], { shape, record, keys }: Filtered): boolean {
  return filters.every(({ by, is, value }) => {
    const own =
      typeof by === 'object'
        ? keys()[shape.keys.findIndex(({ name }) => name === by.key)]
        : record[by];
    return own !== undefined && own !== null && own !== '' && MEETS[is](own, value);
  });
}

type Value = string | number;

const MEETS: Readonly<Record<Filter['is'], (own: Value, value: Value) => boolean>> = {
  '=': (own, value) => own === value,
  '>=': (own, value) => own >= value,
  '>': (own, value) => own > value,
  '<=': (own, value) => own <= value,
  '<': (own, value) => own < value,
};
