/** Text, stored as it was sent: never trimmed, never normalised. */
import type { FaultValues } from '../../../errors.ts';
import { inThousands } from '../../present/words.ts';
import {
  type BodyReading,
  type InputValue,
  type Kind,
  refusals,
  refuse,
  type Samples,
  wrongType,
} from '../kind.ts';

interface TextLimit {
  /** The most Unicode code points. */
  readonly max?: number;
  /** The most bytes of UTF-8. */
  readonly maxBytes?: number;
}

/** Any text of at most 2,000 characters, unless another limit is given. */
export function text(
  limit: TextLimit = { max: 2000 },
  samples = () => textSamples(limit),
): Kind<string> {
  const longest = limit.max ?? limit.maxBytes;
  const unit = limit.max === undefined ? 'bytes of UTF-8' : 'characters';
  return {
    name: 'text',
    ...(longest !== undefined && { limit: `at most ${inThousands(longest)} ${unit}` }),
    ...ofText((value, at, reading) => {
      const excess = excessOf(value, limit);
      if (excess === undefined) return value;
      return refuse(reading, at, 'text_too_long', { values: excess });
    }),
    schema: { type: 'string', ...(longest !== undefined && { maxLength: longest }) },
    shown: { type: 'string' },
    samples,
  };
}

/** An email address: text of at most 320 characters, not judged further. */
export function email(): Kind<string> {
  return {
    ...text({ max: 320 }, () => ({
      accepted: [{ send: 'jane@example.com' }, { send: 'jane at example' }, { send: '  ' }],
      refused: [...refusals('text_too_long', ['a'.repeat(321)]), ...refusals('type_invalid', [7])],
    })),
    name: 'email address',
  };
}

/** The parts of a kind of single texts; `take` gives the stored text, or `undefined` after a fault. */
export function ofText<T extends string>(
  take: (text: string, at: string, reading: BodyReading) => T | undefined,
): Pick<Kind<T>, 'shape' | 'scalar' | 'read'> {
  return {
    shape: () => ({ is: 'value' }),
    scalar: true,
    read: (sent, at, reading) => {
      const text = readText(sent, at, reading);
      return text === undefined ? undefined : take(text, at, reading);
    },
  };
}

/** The text that was sent, or `undefined` after a fault. */
export function readText(sent: InputValue, at: string, reading: BodyReading): string | undefined {
  return typeof sent === 'string' ? sent : wrongType(sent, at, 'a string', reading);
}

/** Whether a text is empty but for Unicode White_Space. */
export function isBlank(value: string): boolean {
  return /^\p{White_Space}*$/u.test(value);
}

/** The length of a text and its limit; `undefined` where it is within it. */
function excessOf(value: string, { max, maxBytes }: TextLimit): FaultValues | undefined {
  // As many UTF-16 units as that never make more code points, nor more than three times the bytes.
  if (max !== undefined && value.length > max) {
    const has = countCodePoints(value);
    if (has > max) return { has, unit: 'characters', most: max };
  }
  if (maxBytes !== undefined && value.length > maxBytes / 3) {
    const has = Buffer.byteLength(value);
    if (has > maxBytes) return { has, unit: 'bytes', most: maxBytes };
  }
  return undefined;
}

export function countCodePoints(value: string): number {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}

function textSamples(limit: TextLimit): Samples {
  const { max, maxBytes } = limit;
  const most = max ?? maxBytes;
  const texts = [
    'Celebration of life',
    '  Zoë Ünal, née “Ōta” \u{1f56f}\u{fe0f} ',
    'e\u0301 is not made one with \u00e9',
    'line\none\ttab',
    ...(max === undefined ? [] : ['\u{1f56f}'.repeat(max)]),
    ...(most === undefined ? [] : ['x'.repeat(most)]),
  ];
  return {
    accepted: texts.filter((send) => excessOf(send, limit) === undefined).map((send) => ({ send })),
    refused: [
      ...(most === undefined ? [] : refusals('text_too_long', ['x'.repeat(most + 1)])),
      ...(maxBytes === undefined
        ? []
        : refusals('text_too_long', ['é'.repeat(maxBytes / 2 + 1)], 'JSON Schema counts no bytes')),
      ...refusals('type_invalid', [7, true, ['x'], { x: 'x' }]),
    ],
  };
}
