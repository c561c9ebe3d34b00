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

/** An email address: text of at most 320 characters, not judged further. In a form, a space within what stands before its @ was a plus sign. */
export function email(): Kind<string> {
  const plain = text({ max: 320 }, () => ({
    accepted: [{ send: 'jane@example.com' }, { send: 'jane at example' }, { send: '  ' }],
    refused: [...refusals('text_too_long', ['a'.repeat(321)]), ...refusals('type_invalid', [7])],
  }));
  return {
    ...plain,
    name: 'email address',
    read: (sent, at, reading) => {
      const isText = reading.encoding === 'form' && typeof sent === 'string';
      // People type spaces around an address; no plus sign stands there.
      if (
        !isText ||
        !sent
          .slice(0, Math.max(0, sent.indexOf('@')))
          .trim()
          .includes(' ')
      )
        return plain.read(sent, at, reading);
      const message = `${at} has a space before its @, which a plus sign becomes that is not encoded: percent-encode + as %2B, such as jane%2Bcards@example.com. Where a space is meant, send JSON.`;
      return refuse(reading, at, 'value_invalid', message);
    },
  };
}

/**
 * The parts of a kind of single texts; `take` gives the stored text, or `undefined` after a fault. `such` is a text that
 * is taken, where not every text is: without an example, whoever sent a number would send its digits as a text.
 */
export function ofText<T extends string>(
  take: (text: string, at: string, reading: BodyReading) => T | undefined,
  such?: string,
): Pick<Kind<T>, 'shape' | 'scalar' | 'read'> {
  return {
    shape: () => ({ is: 'value' }),
    scalar: true,
    read: (sent, at, reading) => {
      const text = readText(sent, at, reading, such);
      return text === undefined ? undefined : take(text, at, reading);
    },
  };
}

/** The text that was sent, or `undefined` after a fault. */
export function readText(
  sent: InputValue,
  at: string,
  reading: BodyReading,
  such?: string,
): string | undefined {
  if (typeof sent === 'string') return sent;
  const wanted = such === undefined ? 'a string' : `a string such as ${JSON.stringify(such)}`;
  return wrongType(sent, at, wanted, reading);
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
