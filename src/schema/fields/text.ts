/** Text, kept as it was sent: never trimmed, never normalised. */
import { type Kind, type Reading, refuse, type Samples, type Sent, wrongType } from './kind.ts';

interface TextLimit {
  /** The most Unicode code points. */
  readonly max?: number;
  /** The most bytes of UTF-8. */
  readonly maxBytes?: number;
}

/** Any text of at most 2,000 characters, unless another limit is given. */
export function text(limit: TextLimit = { max: 2000 }, samples?: Samples): Kind<string> {
  const schema = { type: 'string', maxLength: limit.max ?? limit.maxBytes };
  return {
    name: 'text',
    shape: () => ({ is: 'value' }),
    scalar: true,
    read: (sent, at, reading) => {
      const value = readText(sent, at, reading);
      if (value === undefined) return undefined;
      const { max, maxBytes } = limit;
      if (max !== undefined && value.length > max) {
        const length = countCodePoints(value);
        if (length > max) {
          return refuse(
            reading,
            at,
            'text_too_long',
            `${at} has ${length} characters; send at most ${max}.`,
          );
        }
      }
      if (maxBytes !== undefined && value.length > maxBytes / 3) {
        const bytes = Buffer.byteLength(value);
        if (bytes > maxBytes) {
          return refuse(
            reading,
            at,
            'text_too_long',
            `${at} takes ${bytes} bytes of UTF-8; send at most ${maxBytes}.`,
          );
        }
      }
      return value;
    },
    schema,
    shown: { type: 'string' },
    samples: samples ?? textSamples(limit),
  };
}

/** An email address: text of at most 320 characters, not judged further. */
export function email(): Kind<string> {
  return {
    ...text(
      { max: 320 },
      {
        accepted: [{ send: 'jane@example.com' }, { send: 'jane at example' }, { send: '  ' }],
        refused: [
          { send: 'a'.repeat(321), code: 'text_too_long' },
          { send: 7, code: 'type_invalid' },
        ],
      },
    ),
    name: 'email address',
  };
}

/** The text that was sent, or `undefined` after a fault. */
export function readText(sent: Sent, at: string, reading: Reading): string | undefined {
  return typeof sent === 'string' ? sent : wrongType(sent, at, 'a string', reading);
}

/** Whether a text is empty but for Unicode White_Space. */
export function isBlank(value: string): boolean {
  return /^\p{White_Space}*$/u.test(value);
}

function countCodePoints(value: string): number {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}

function textSamples({ max, maxBytes }: TextLimit): Samples {
  const most = max ?? maxBytes ?? 0;
  return {
    accepted: [
      { send: 'Celebration of life' },
      { send: '  Zoë Ünal, née “Ōta” \u{1f56f}\u{fe0f} ' },
      { send: 'e\u0301 is not made one with \u00e9' },
      { send: 'line\none\ttab' },
      ...(max === undefined ? [] : [{ send: '\u{1f56f}'.repeat(max) }]),
      { send: 'x'.repeat(most) },
    ],
    refused: [
      { send: 'x'.repeat(most + 1), code: 'text_too_long' },
      ...(maxBytes === undefined
        ? []
        : [
            {
              send: 'é'.repeat(maxBytes / 2 + 1),
              code: 'text_too_long' as const,
              beyondSchema: 'JSON Schema counts characters, not bytes',
            },
          ]),
      { send: 7, code: 'type_invalid' },
      { send: true, code: 'type_invalid' },
      { send: ['x'], code: 'type_invalid' },
      { send: { x: 'x' }, code: 'type_invalid' },
    ],
  };
}
