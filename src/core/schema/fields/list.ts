/** Arrays of one kind, replaced whole by every upsert. */
import { FormGroup, formElements } from '../form/form.ts';
import type { Json } from '../values.ts';
import { type Kind, refusals, refuse, refuseSingle, type Samples, type Stored } from './kind.ts';

/** From `min` to `max` elements, in the order in which they were sent. */
export function list<T>(element: Kind<T>, { min, max }: { min: number; max: number }): Kind<T[]> {
  return {
    name: `array of ${element.name}`,
    limit: `${min} to ${max} elements`,
    shape: () => ({ is: 'value' }),
    scalar: false,
    read: (sent, at, reading) => {
      const elements = Array.isArray(sent)
        ? sent
        : sent instanceof FormGroup
          ? formElements(sent, at, reading.faults)
          : refuseSingle(sent, at, 'an array', reading);
      if (elements === undefined) return undefined;
      if (elements.length < min || elements.length > max) {
        const values = { has: elements.length, least: min, most: max };
        return refuse(reading, at, 'array_length_invalid', { values });
      }
      const values: Json[] = [];
      for (const [index, one] of elements.entries()) {
        const value = element.read(one, `${at}.${index}`, reading);
        if (value !== undefined) values.push(value);
      }
      return values.length === elements.length ? (values as Stored<T[]>) : undefined;
    },
    schema: { type: 'array', items: element.schema, minItems: min, maxItems: max },
    shown: { type: 'array', items: element.shown, minItems: min, maxItems: max },
    samples: () => samplesOf(element, min, max),
  };
}

function samplesOf<T>(element: Kind<T>, min: number, max: number): Samples {
  const enough = element.samples().accepted[0] as { send: Json; stored?: Json };
  const fill = (count: number): Json[] => Array.from({ length: count }, () => enough.send);
  const stored = (count: number): Json[] =>
    Array.from({ length: count }, () => enough.stored ?? enough.send);
  return {
    accepted: [
      { send: fill(min), stored: stored(min) },
      { send: fill(max), stored: stored(max) },
    ],
    refused: [
      ...(min > 0 ? refusals('array_length_invalid', [fill(min - 1)]) : []),
      ...refusals('array_length_invalid', [fill(max + 1)]),
      ...refusals('type_invalid', [enough.send, { 0: enough.send }]),
      ...element.samples().refused.map(({ send, ...sample }) => ({
        send: [...fill(Math.max(min, 1) - 1), send],
        ...sample,
      })),
    ],
  };
}
