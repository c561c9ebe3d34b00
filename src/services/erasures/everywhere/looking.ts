/** Searches for people in the background, and notes how far each search has come and what it has found. */
import type { StoredErasure } from '../../../core/objects/records/erasure.ts';
import type { Sealer } from '../../../core/sealing/sealer.ts';
import type { ChangeErasure } from '../changing.ts';
import { MAX_MATCHES } from '../look.ts';
import { type Looked, type LookParts, lookAt, lookStart } from './everywhere.ts';
import { type Details, mentionsOf, opened } from './mentions.ts';

/** The pieces of a search before the next caller's turn, so that a caller with many delays others no longer. */
const PIECES = 100;

export class BackgroundLook {
  readonly #parts: LookParts;
  readonly #sealer: Sealer | undefined;
  readonly #change: ChangeErasure;

  constructor(parts: LookParts, sealer: Sealer | undefined, change: ChangeErasure) {
    this.#parts = parts;
    this.#sealer = sealer;
    this.#change = change;
  }

  /** Returns the initial state of a search for a person; without a key it never begins. */
  begun(id: string, details: Details): Pick<StoredErasure, 'looked' | 'selectors' | 'place'> {
    const looks = Object.values(details).some(({ length }) => length > 0);
    if (!looks) return { looked: 'everywhere', selectors: null, place: null };
    const selectors = this.#sealer?.seal(JSON.stringify(details), sealedOf(id)) ?? null;
    return {
      looked: 'index',
      selectors,
      place: selectors === null ? null : lookStart(this.#parts.resources),
    };
  }

  /** Returns the details of the person, until the erasure ends. */
  detailsOf({ unique_identifier, selectors }: StoredErasure): Details | undefined {
    return opened(this.#sealer, selectors, sealedOf(unique_identifier));
  }

  /** Continues a search for some pieces. */
  async *work(id: string): AsyncGenerator<number, void> {
    const erasure = await this.#parts.store.erasures.find(id);
    let place = erasure?.place ?? null;
    if (erasure === undefined || place === null) return;
    const details = this.detailsOf(erasure);
    if (details === undefined) {
      // The key that sealed the details is gone, so they can no longer be read.
      await this.#change(id, (one) => ({ ...one, selectors: null, place: null }));
      return;
    }
    const mentions = mentionsOf(details, 1);
    for (let left = PIECES; place !== null && left > 0; left -= 1) {
      const looked = await lookAt(this.#parts, place, erasure.account, mentions);
      const isDue = looked.place === null || looked.found.length > 0 || left === 1;
      place = isDue ? (await this.#change(id, (one) => noted(one, looked))).place : looked.place;
      yield 1;
    }
  }
}

function sealedOf(erasure: string): string {
  return `the person of ${erasure}`;
}

/** Adds new findings to the erasure, unless another process finished the search or the erasure was closed. */
function noted(
  erasure: StoredErasure,
  { found, refused_rows = 0, named_in = [], place }: Looked,
): StoredErasure {
  if (erasure.place === null) return erasure;
  const matches = new Map(erasure.matches.map((match) => [match.record, match]));
  for (const { resource, record, reason } of found) {
    const reasons = matches.get(record)?.reasons ?? [];
    // A record found by its own fields always mentions the person.
    if (reasons.includes(reason) || (reason === 'mentioned' && reasons.length > 0)) continue;
    matches.set(record, { resource, record, reasons: [...reasons, reason] });
  }
  const isNew = matches.size > erasure.matches.length;
  const next = {
    ...erasure,
    matches: [...matches.values()].slice(0, MAX_MATCHES),
    status: isNew && erasure.status === 'done' ? 'ready' : erasure.status,
  };
  if (matches.size > MAX_MATCHES) return { ...next, looked: 'too_many', place: null };
  return place === null
    ? { ...next, looked: 'everywhere', refused_rows, named_in, place }
    : { ...next, place };
}
