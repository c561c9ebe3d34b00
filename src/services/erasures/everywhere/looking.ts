/** The look that goes on in the background: whose, how far it has come, and what it has found. */
import type { StoredErasure } from '../../../core/objects/records/erasure.ts';
import type { Sealer } from '../../../core/sealing/sealer.ts';
import type { ChangeErasure } from '../changing.ts';
import { MAX_MATCHES } from '../look.ts';
import { type Looked, type LookParts, lookAt, lookStart } from './everywhere.ts';
import { type Details, mentionsOf, opened } from './mentions.ts';

/** Pieces of a look until it is noted how far it has come, and the next caller's goes on: who begins many delays others by no more. */
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

  /** How the look for a person begins; without a key it never does. */
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

  /** The details of the person, until the erasure ends. */
  detailsOf({ unique_identifier, selectors }: StoredErasure): Details | undefined {
    return opened(this.#sealer, selectors, sealedOf(unique_identifier));
  }

  /** Looks further for some pieces. */
  async *work(id: string): AsyncGenerator<number, void> {
    const erasure = await this.#parts.store.erasures.find(id);
    let place = erasure?.place ?? null;
    if (erasure === undefined || place === null) return;
    const details = this.detailsOf(erasure);
    if (details === undefined) {
      // The key of that time is gone: what the person sent cannot be read any more.
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

/** The erasure with what was found since; `place` is `null` where another process came to the end, or it was closed. */
function noted(
  erasure: StoredErasure,
  { found, refused_rows = 0, named_in = [], place }: Looked,
): StoredErasure {
  if (erasure.place === null) return erasure;
  const matches = new Map(erasure.matches.map((match) => [match.record, match]));
  for (const { resource, record, reason } of found) {
    const reasons = matches.get(record)?.reasons ?? [];
    // What was found by its own fields mentions the person, of course.
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
