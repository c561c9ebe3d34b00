/** Translates the filters of a list into those of the store. */
import type { Comparison } from '../../core/schema/parse/parse-list.ts';
import { keyText } from '../../core/schema/shape.ts';
import type { Filter } from '../../store/promises/store.ts';

export function whereOf(comparisons: readonly Comparison[]): readonly Filter[] {
  return comparisons.flatMap(({ filter: { by }, is, value }): readonly Filter[] => {
    if (by === 'inserted_at' || by === 'updated_at') return wholeSeconds(by, is, Date.parse(value));
    if (typeof by === 'string') return [{ by, is, value }];
    return [{ by: { key: by.name }, is, value: keyText(by, value) }];
  });
}

/** Stores have milliseconds, and responses show whole seconds: times that look equal to a caller must be equal. */
function wholeSeconds(
  by: 'inserted_at' | 'updated_at',
  is: Filter['is'],
  start: number,
): readonly Filter[] {
  const next = start + 1000;
  switch (is) {
    case '=':
      return [
        { by, is: '>=', value: start },
        { by, is: '<', value: next },
      ];
    case '>':
      return [{ by, is: '>=', value: next }];
    case '<=':
      return [{ by, is: '<', value: next }];
    default:
      return [{ by, is, value: start }];
  }
}
