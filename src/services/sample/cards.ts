/** The pictures of the sample's mail replies, drawn by `scripts/sample-cards.ts`. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where they are served. */
export const CARDS_PATH = '/sample/cards';

export const cardsFolder = join(import.meta.dirname, 'cards');

/** The picture of that name; `undefined` if there is no such picture. */
export function readCard(name: string): Buffer | undefined {
  const file = join(cardsFolder, name);
  return /^[a-z]+-(?:front|back)\.jpg$/.test(name) && existsSync(file)
    ? readFileSync(file)
    : undefined;
}
