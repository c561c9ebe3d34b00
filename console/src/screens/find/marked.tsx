/** A text in which the query is marked: the starts of words, words that are nearly the same, or the digits at the end of a phone number. */
import {
  firstFolding,
  NEAR_LENGTH,
  startsNearly,
} from '../../../../src/core/schema/search/spelling.ts';
import { typedPhone } from '../../values/contact.ts';

export function Marked({ text, by }: { readonly text: string; readonly by: string }): JSX.Element {
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

/** From the one character until before the other. */
type Place = readonly [start: number, end: number];

function placeIn(text: string, by: string): Place | undefined {
  const words = plain(by)
    .text.split(/\s+/)
    .filter((one) => one !== '');
  return exactIn(text, words) ?? digitsIn(text, by) ?? nearIn(text, words);
}

function exactIn(text: string, words: readonly string[]): Place | undefined {
  const { text: searched, places } = plain(text);
  for (const word of words) {
    for (let at = searched.indexOf(word); at >= 0; at = searched.indexOf(word, at + 1)) {
      const start = places[at] ?? 0;
      if (start === 0 || !/[\p{L}\p{N}]/u.test(text[start - 1] ?? ''))
        return [start, places[at + word.length] ?? text.length];
    }
  }
  return undefined;
}

function nearIn(text: string, words: readonly string[]): Place | undefined {
  for (const { 0: one, index } of text.matchAll(/[\p{L}\p{N}\p{M}'’]+/gu)) {
    const own = plain(one).text;
    if (words.some((word) => word.length >= NEAR_LENGTH && startsNearly(own, word)))
      return [index, index + one.length];
  }
  return undefined;
}

/** As it is compared: without marks, apostrophes and capitals; and where each of its characters stands in the text. */
function plain(text: string): { readonly text: string; readonly places: readonly number[] } {
  let folded = '';
  const places: number[] = [];
  let at = 0;
  for (const character of text) {
    const own = firstFolding(character).replace(/['’ʼ`]/g, '');
    for (let index = 0; index < own.length; index += 1) places.push(at);
    folded += own;
    at += character.length;
  }
  return { text: folded, places };
}

function digitsIn(text: string, by: string): Place | undefined {
  const typed = typedPhone(by);
  // All of a number was typed: it is another one that ends with the same digits.
  if (typed.startsWith('+')) return typed === typedPhone(text) ? [0, text.length] : undefined;
  const digits = by.replace(/\D/g, '');
  if (digits.length < 4 || !text.replace(/\D/g, '').endsWith(digits)) return undefined;
  let left = digits.length;
  for (let at = text.length - 1; at >= 0; at -= 1) {
    if (/\d/.test(text[at] ?? '')) left -= 1;
    if (left === 0) return [at, text.length];
  }
  return undefined;
}
