/** The pictures of the sample's mail replies, drawn by `scripts/sample-cards.ts`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sampleReplies } from './replies.ts';

/** Where they are served. */
export const CARDS_PATH = '/sample/cards';

export const cardNames: readonly string[] = sampleReplies.flatMap(({ card, back }) => [
  `${card}-front.jpg`,
  ...(back ? [`${card}-back.jpg`] : []),
]);

export const cardsFolder = join(import.meta.dirname, 'cards');

/** The picture of that name; `undefined` if there is no such picture. */
export function readCard(name: string): Buffer | undefined {
  return cardNames.includes(name) ? readFileSync(join(cardsFolder, name)) : undefined;
}
