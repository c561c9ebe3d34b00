/** A value, or a range of values, to find records by: `event_datetime=…`, `event_datetime[gte]=…`. */
import { type BodyReading, type Field, type InputValue, type Kind, optional } from '../kind.ts';
import { object, type ParamsOf } from '../object.ts';

/** The comparisons of a range, by the names that they are sent under. */
export const comparisons = { gte: '>=', gt: '>', lte: '<=', lt: '<' } as const;

type Bounds<T> = ParamsOf<Record<keyof typeof comparisons, Field<T, false>>>;

export interface Range<T> extends Kind<T | Bounds<T>> {
  /** The kind of a bound, and of a value that is meant by itself. */
  readonly single: Kind<T>;
}

export function isRange(kind: Kind<unknown>): kind is Range<unknown> {
  return 'single' in kind;
}

/** Takes what the kind takes, and an object of up to four bounds, each of them of that kind. */
export function range<T>(kind: Kind<T>): Range<T> {
  const bounds = object({
    gte: optional(kind, 'This or later'),
    gt: optional(kind, 'Later than this'),
    lte: optional(kind, 'This or earlier'),
    lt: optional(kind, 'Earlier than this'),
  });
  return {
    ...bounds,
    single: kind,
    name: `${kind.name}, or a range`,
    // Nothing of a range is stored.
    shape: () => ({ is: 'value' }),
    read: (sent: InputValue, at: string, reading: BodyReading) =>
      typeof sent === 'string' ? kind.read(sent, at, reading) : bounds.read(sent, at, reading),
    schema: { anyOf: [kind.schema, bounds.schema] },
    shown: { anyOf: [kind.shown, bounds.shown] },
    samples: () => ({
      accepted: [...kind.samples().accepted, ...bounds.samples().accepted],
      refused: [
        ...kind.samples().refused,
        ...bounds.samples().refused.filter(({ send }) => typeof send !== 'string'),
      ],
    }),
  };
}
