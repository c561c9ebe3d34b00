/**
 * Proves that nothing is left of erased records: what they held is kept, sealed, before they are erased, so that a
 * process that is killed meanwhile can still search for it; then every place is read again, and the files of the store
 * are searched for it, byte by byte.
 */
import type { StoredErasure } from '../../../core/objects/records/erasure.ts';
import type { ErasurePlace } from '../../../core/objects/records/erasure-proof.ts';
import type { Resource } from '../../../core/schema/define.ts';
import { parseStored } from '../../../core/schema/json/json.ts';
import type { JsonObject } from '../../../core/schema/values.ts';
import type { Sealer } from '../../../core/sealing/sealer.ts';
import type { ByteSearch } from '../../../store/promises/erasing/book.ts';
import type { Store } from '../../../store/promises/store.ts';
import type { ChangeErasure } from '../changing.ts';
import { documentsOf } from '../documents.ts';
import { type Details, joined, knownOf, mentionsOf } from '../everywhere/mentions.ts';
import { readAgain } from './places.ts';
import { imageHostsOf, pieces, textsOf } from './texts.ts';

/** Texts of one erasure, and of those whose search is one. */
const MAX_TEXTS = 5_000;
const MAX_SEARCHED = 50_000;
/** Changes of a record whose content is searched for, the newest. */
const CHANGES = 200;
const BYTES = 131_072;
const AT_ONCE = 50;
/** Steps of the search index before the files are searched. */
const FED = 200;
const LATER_MS = 15_000;

/** What is known of the erased records, until nothing of it is found any more. */
interface Traces extends Details {
  readonly bytes: readonly string[];
}

const NONE: Traces = { names: [], phones: [], texts: [], bytes: [] };

interface Searched {
  readonly erasure: StoredErasure;
  readonly texts: readonly string[];
}

interface Search {
  readonly run: ByteSearch;
  readonly all: readonly Searched[];
}

export interface ProofParts {
  readonly resources: readonly Resource[];
  readonly sealer: Sealer | undefined;
  readonly now: () => number;
}

export class ErasureProof {
  readonly #store: Store;
  readonly #parts: ProofParts;
  readonly #change: ChangeErasure;
  #search: Search | undefined;
  /** Ends of the sealed texts of which this process has found copies: only `compact` changes that. */
  readonly #known = new Set<string>();
  /** By `performance.now()`. */
  #notBefore = 0;

  constructor(store: Store, parts: ProofParts, change: ChangeErasure) {
    this.#store = store;
    this.#parts = parts;
    this.#change = change;
  }

  /** Keeps what these records hold; gives that by record, and what is known of all that the erasure has taken. */
  async keep(
    erasure: StoredErasure,
    wanted: readonly { readonly resource: string; readonly record: string }[],
  ): Promise<{ readonly of: ReadonlyMap<string, Details>; readonly all: Details }> {
    const { unique_identifier, account } = erasure;
    const of = new Map<string, Details>();
    const bytes = new Set<string>();
    const hosts = new Set<string>();
    const add = (texts: readonly string[]): void => {
      for (const text of texts) if (bytes.size < MAX_TEXTS) bytes.add(text);
    };
    for await (const one of documentsOf(this.#store, this.#parts.resources, account, wanted)) {
      const { resource, record, document, external_identifier, position } = one;
      of.set(record, knownOf(resource, document, external_identifier));
      add([...textsOf(resource, document, true), ...pieces([external_identifier])]);
      const query = { account, record, position, limit: CHANGES, bytes: BYTES };
      for (const { content } of await this.#store.log.of(query)) {
        if (content === null) continue;
        const changed = parseStored(content) as JsonObject;
        add(textsOf(resource, changed, false));
        for (const host of imageHostsOf(resource, changed)) hosts.add(host);
      }
      for (const host of imageHostsOf(resource, document)) hosts.add(host);
    }
    let kept = NONE;
    await this.#change(unique_identifier, (now) => {
      const before = this.#open(now) ?? NONE;
      kept = merged(before, { ...joined([...of.values()]), bytes: [...bytes] });
      const text = JSON.stringify(kept);
      // A process that was killed, or another one, has kept them.
      if (text === JSON.stringify(before)) return now;
      const traces = this.#parts.sealer?.seal(text, sealedOf(unique_identifier)) ?? null;
      const physical = this.#store.file === undefined ? 'not_searched' : 'waiting';
      const image_hosts = [...new Set([...now.image_hosts, ...hosts])];
      return { ...now, image_hosts, traces, physical, physical_at: null };
    });
    return { of, all: kept };
  }

  /** Reads every place again. */
  read(erasure: StoredErasure, known: Details): Promise<readonly ErasurePlace[]> {
    return readAgain(this.#store, this.#parts.resources, erasure, mentionsOf(known));
  }

  /** Searches the files a little further; returns whether there may be more. */
  async piece(): Promise<boolean> {
    if (performance.now() < this.#notBefore) return false;
    try {
      this.#search ??= await this.#begin();
      if (this.#search === undefined) return false;
      const { run, all } = this.#search;
      const { done, value } = await run.next();
      if (!done) return true;
      this.#search = undefined;
      if (value === 'later') this.#notBefore = performance.now() + LATER_MS;
      else for (const one of all) await this.#settle(one, new Set(value));
      return value !== 'later';
    } catch (error) {
      this.#search = undefined;
      throw error;
    }
  }

  async #begin(): Promise<Search | undefined> {
    const all: Searched[] = [];
    let [count, known] = [0, 0];
    for (let after = ''; count < MAX_SEARCHED; ) {
      const some = await this.#store.erasures.traced(after, AT_ONCE);
      for (const erasure of some) {
        const isKnown = this.#known.has(endOf(erasure));
        if (isKnown) known += 1;
        if (isKnown || erasure.status === 'running') continue;
        const texts = this.#open(erasure)?.bytes ?? [];
        // The key of that time is gone, the records held nothing that could be told from others', or there are no files.
        if (texts.length === 0 || this.#store.file === undefined) await this.#giveUp(erasure);
        else all.push({ erasure, texts });
        count += texts.length;
      }
      const last = some.at(-1);
      if (last === undefined || some.length < AT_ONCE) break;
      after = last.unique_identifier;
    }
    const { searched } = this.#store.erasing;
    if (all.length === 0 || searched === undefined) {
      if (known > 0) this.#notBefore = performance.now() + LATER_MS;
      return undefined;
    }
    for (let steps = 0; steps < FED && (await this.#store.search.feed()); steps += 1);
    const texts = new Set(all.flatMap((one) => one.texts));
    return { run: searched([...texts]), all };
  }

  async #settle({ erasure, texts }: Searched, copies: ReadonlySet<string>): Promise<void> {
    const isFound = texts.some((text) => copies.has(text));
    if (isFound) this.#known.add(endOf(erasure));
    await this.#change(erasure.unique_identifier, (now) => {
      // More was erased meanwhile.
      if (now.traces !== erasure.traces) return now;
      if (isFound) return { ...now, physical: 'copies_found' };
      return { ...now, physical: 'clean', physical_at: this.#parts.now(), traces: null };
    });
  }

  async #giveUp({ unique_identifier, traces }: StoredErasure): Promise<void> {
    await this.#change(unique_identifier, (now) =>
      now.traces === traces ? { ...now, physical: 'not_searched', traces: null } : now,
    );
  }

  #open({ unique_identifier, traces }: StoredErasure): Traces | undefined {
    if (traces === null) return undefined;
    try {
      const text = this.#parts.sealer?.open(traces, sealedOf(unique_identifier)) ?? 'null';
      return (JSON.parse(text) as Traces | null) ?? undefined;
    } catch {
      return undefined;
    }
  }
}

function merged(one: Traces, other: Traces): Traces {
  const both = <Name extends keyof Traces>(name: Name) => [
    ...new Set([...one[name], ...other[name]]),
  ];
  return {
    ...{ names: both('names'), phones: both('phones'), texts: both('texts') },
    bytes: both('bytes').slice(0, MAX_TEXTS),
  };
}

/** Different for each sealed text. */
function endOf({ traces }: StoredErasure): string {
  return traces?.slice(-32) ?? '';
}

function sealedOf(erasure: string): string {
  return `what the records of ${erasure} held`;
}
