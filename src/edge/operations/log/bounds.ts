/** The times that a range in a query stands for. */
import { isObject, type Json, type JsonObject } from '../../../core/schema/values.ts';

const SECOND_MS = 1_000;

/** A time stands for its second; of several bounds the narrowest apply. */
export function boundsOf(value: Json | undefined): {
  readonly from: number | undefined;
  readonly to: number | undefined;
} {
  const bounds: JsonObject =
    typeof value === 'string'
      ? { gte: value, lte: value }
      : value !== undefined && isObject(value)
        ? value
        : {};
  const at = (name: string, seconds: number): readonly number[] => {
    const time = bounds[name];
    return typeof time === 'string' ? [Date.parse(time) + seconds * SECOND_MS] : [];
  };
  const later = [...at('gte', 0), ...at('gt', 1)];
  const earlier = [...at('lt', 0), ...at('lte', 1)];
  return {
    from: later.length === 0 ? undefined : Math.max(...later),
    to: earlier.length === 0 ? undefined : Math.min(...earlier),
  };
}
