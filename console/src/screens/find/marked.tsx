/** A text in which what was asked for is marked: the starts of words, or the digits at the end of a phone number. */
import type { JSX } from 'preact';

interface MarkedProps {
  readonly text: string;
  readonly by: string;
}

export function Marked({ text, by }: MarkedProps): JSX.Element {
  const [start, end] = placeIn(text, by) ?? [0, 0];
  if (end === 0) return <>{text}</>;
  return (
    <>
      {text.slice(0, start)}
      <mark>{text.slice(start, end)}</mark>
      {text.slice(end)}
    </>
  );
}

function placeIn(text: string, by: string): readonly [number, number] | undefined {
  const plain = text.toLowerCase();
  for (const word of by
    .toLowerCase()
    .split(/\s+/)
    .filter((one) => one !== '')) {
    for (let at = plain.indexOf(word); at >= 0; at = plain.indexOf(word, at + 1)) {
      if (at === 0 || !/[\p{L}\p{N}]/u.test(plain[at - 1] ?? '')) return [at, at + word.length];
    }
  }
  const digits = by.replace(/\D/g, '');
  if (digits.length < 4 || !text.replace(/\D/g, '').endsWith(digits)) return undefined;
  let left = digits.length;
  for (let at = text.length - 1; at >= 0; at -= 1) {
    if (/\d/.test(text[at] ?? '')) left -= 1;
    if (left === 0) return [at, text.length];
  }
  return undefined;
}
