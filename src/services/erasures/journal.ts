/**
 * The journal of erasures: what was erased is told in files outside of the store, and a store that was set back learns
 * from them what it holds again, and erases it. The store is the source of the lines: what a process did not write
 * because it was killed, or the disk was full, is written later.
 */
import { resolve } from 'node:path';
import { ApiError } from '../../core/errors.ts';
import type { JournalNotices } from '../../core/observe/observers.ts';
import type { Resource } from '../../core/schema/define.ts';
import { createIdentifiers } from '../../core/schema/id.ts';
import type { Sealer } from '../../core/sealing/sealer.ts';
import type { JournalLine, NewLine } from '../../store/promises/erasing/journal.ts';
import type { Store } from '../../store/promises/store.ts';
import { changing } from './changing.ts';
import { applyLine, runAgain } from './journal-apply.ts';
import { CopyUnreachable, JournalCopy } from './journal-copy.ts';
import { type Compared, compareJournal, replaceJournal } from './journal-file.ts';
import {
  createJournalKeys,
  entryOf,
  JournalAhead,
  type JournalKeys,
  JournalUnusable,
  macOf,
  namedStore,
  type PastErased,
  type Word,
} from './journal-lines.ts';
import { ErasureProof } from './proof/proof.ts';

export interface JournalParts {
  readonly resources: readonly Resource[];
  /** Without them nothing is erased, and nothing can be proved. */
  readonly keys: JournalKeys | undefined;
  readonly again: Parameters<typeof runAgain>[1];
  /** The folders with a copy of the journal. */
  readonly folders: readonly string[];
  readonly now: () => number;
  readonly identify: (prefix: string) => string;
  readonly notices?: JournalNotices | undefined;
  /** Called when any process has erased records since the last call. */
  readonly erased?: () => void;
  /** Whether it has copies that only another process reaches, so that this one never knows whether all are synced. */
  readonly isElsewhere?: boolean;
}

/** The journal of a store, as settings say; a folder may be left out. */
export function journalOf(
  store: Store,
  {
    sealer,
    folders,
    now,
    ...parts
  }: Pick<JournalParts, 'resources' | 'now' | 'notices' | 'erased' | 'isElsewhere'> & {
    readonly sealer: Sealer | undefined;
    readonly folders: readonly (string | undefined)[];
  },
): ErasureJournal {
  const change = changing(store.erasures, now);
  const { resources } = parts;
  return new ErasureJournal(store, {
    ...{ ...parts, now, identify: createIdentifiers(now) },
    keys: sealer && createJournalKeys(sealer),
    again: { change, proof: new ErasureProof(store, { resources, sealer }, change) },
    folders: folders.flatMap((folder) => (folder === undefined ? [] : [resolve(folder)])),
  });
}

const AT_ONCE = 100;
/** More than any store lacks. */
const MAX_UNAPPLIED = 1_000_000;
/** Between two words of one failure. */
const TOLD_MS = 600_000;

export class ErasureJournal {
  readonly #store: Store;
  readonly #parts: JournalParts;
  readonly #copies: readonly JournalCopy[];
  /** Copies that fail, and when that was last told, by `performance.now()`. */
  readonly #failing = new Map<JournalCopy, number>();
  /** Lines that wait, such as for what is held. */
  readonly #waiting = new Set<number>();
  /** By erasure, then by record and version: the lines that this process wrote of earlier versions. */
  readonly #past = new Map<string, Map<string, number>>();
  #isApplying = false;
  /** The last line of which `erased` knows. */
  #line = 0;
  #round: Promise<boolean> | undefined;
  /** By `performance.now()`: since when a copy has lacked something. */
  #behindSince: number | undefined;

  constructor(store: Store, parts: JournalParts) {
    this.#store = store;
    this.#parts = parts;
    this.#copies = [...new Set(parts.folders)].map((one) => new JournalCopy(one, store.journal));
  }

  /** Whether the store may still hold what the journal says is erased. */
  get isApplying(): boolean {
    return this.#isApplying;
  }

  /** For how many milliseconds a copy has lacked something, or could not be reached; 0: none. */
  get lag(): number {
    return this.#behindSince === undefined ? 0 : performance.now() - this.#behindSince;
  }

  /**
   * Before the store is served: takes what it lacks of its journal, for `apply`. A disk that cannot be reached holds up
   * nothing. Throws `JournalUnusable` if the store may lack lines that cannot be proved.
   */
  async look(): Promise<void> {
    this.#line = (await this.#named()).line;
    for (const copy of this.#copies) {
      const error = await this.#attempt(copy, () => this.#takeFrom(copy));
      if (error instanceof JournalAhead) throw error;
    }
    this.#isApplying = (await this.#store.journal.unapplied(1)).length > 0;
  }

  /** Erases again what the store was set back to. Returns how many lines it did. */
  async apply(): Promise<number> {
    const lines = await this.#store.journal.unapplied(MAX_UNAPPLIED);
    const last = new Map(lines.map((line) => [subjectOf(line), line]));
    const isLast = (line: JournalLine) => last.get(subjectOf(line)) === line;
    const { resources, keys, again } = this.#parts;
    const news = lines.filter(({ line }) => !this.#waiting.has(line));
    this.#isApplying = news.length > 0;
    if (keys !== undefined) await runAgain(this.#store, again, news.filter(isLast));
    let count = 0;
    for (const line of lines) {
      if (await applyLine(this.#store, resources, line, isLast(line))) count += 1;
      else this.#waiting.add(line.line);
    }
    this.#isApplying = false;
    if (count > 0) this.#parts.notices?.applied(count);
    return count;
  }

  /** Looks at all copies, applies what the store lacks, and completes them. Whether all are complete. */
  sync(): Promise<boolean> {
    this.#round ??= this.#sync().finally(() => {
      this.#round = undefined;
    });
    return this.#round;
  }

  /** Whether all that an erasure did is told in all copies. */
  async isSynced(erasure: string): Promise<boolean> {
    await this.#tell();
    const line = await this.#store.journal.toldOf(erasure);
    if (line === undefined || this.#parts.isElsewhere) return false;
    const most = Math.max(line, ...(this.#past.get(erasure)?.values() ?? []));
    return this.#copies.every(({ synced }) => synced >= most);
  }

  /** Its last line, which tells of all that was erased before, and by what that is known; `undefined`: it tells of nothing. */
  async position(): Promise<{ readonly line: number; readonly mac: string } | undefined> {
    const last = await this.#named();
    const mac = macOf(last);
    return mac === undefined ? undefined : { line: last.line, mac };
  }

  /** Lets a record be made again. */
  async lift(account: string, record: string): Promise<void> {
    const lifts = { account, record };
    await this.#write({ did: 'lifted', ...lifts }, { lifts });
  }

  /** Tells, once, that earlier versions of a record were erased; `version` is the one that stays. */
  async tellPast({ erasure, ...past }: PastErased): Promise<void> {
    const told = this.#past.getOrInsertComputed(erasure, () => new Map<string, number>());
    const which = `${past.record} ${past.version}`;
    if (told.has(which)) return;
    told.set(which, await this.#write({ did: 'past_erased', erasure, ...past }));
  }

  async #write(word: Word, does: Pick<NewLine, 'lifts'> = {}): Promise<number> {
    for (;;) {
      const line = this.#sign(await this.#named(), word);
      if (await this.#store.journal.append([{ ...line, ...does }])) return line.line;
    }
  }

  /** Takes what the store lacks of a journal, for `apply`. Throws `JournalUnusable`. */
  async take(text: string, where: string): Promise<void> {
    await this.#named();
    const { journal } = this.#store;
    while (!(await this.#take(await compareJournal(text, where, journal), where)));
  }

  async #sync(): Promise<boolean> {
    const good: JournalCopy[] = [];
    for (const copy of this.#copies) {
      const error = await this.#attempt(copy, () => this.#takeFrom(copy));
      if (error === undefined) good.push(copy);
    }
    await this.apply();
    await this.#tell();
    const last = await this.#named();
    if (last.line !== this.#line) this.#parts.erased?.();
    this.#line = last.line;
    for (const copy of good) {
      const error = await this.#attempt(copy, () => copy.complete(last));
      if (error === undefined && this.#failing.delete(copy))
        this.#parts.notices?.resumed(copy.path);
    }
    const isSynced = this.#failing.size === 0;
    if (isSynced) this.#behindSince = undefined;
    else this.#behindSince ??= performance.now();
    return isSynced;
  }

  /** Does work on a copy, and returns why that failed. */
  async #attempt(copy: JournalCopy, work: () => Promise<void>): Promise<Error | undefined> {
    try {
      await work();
      return undefined;
    } catch (error) {
      if (!(error instanceof JournalUnusable || error instanceof CopyUnreachable)) throw error;
      const now = performance.now();
      if (now - (this.#failing.get(copy) ?? Number.NEGATIVE_INFINITY) >= TOLD_MS) {
        this.#failing.set(copy, now);
        this.#parts.notices?.failed(error.message);
      }
      return error;
    }
  }

  async #takeFrom(copy: JournalCopy): Promise<void> {
    const { notices, now } = this.#parts;
    for (;;) {
      const compared = await copy.compare();
      if (compared === undefined || compared.others.length === 0) return;
      const isTaken = await this.#take(compared, copy.path);
      if (!isTaken || !compared.isApart) continue;
      const { path } = copy;
      const aside = await copy.within(() => replaceJournal(path, this.#store.journal, now()));
      notices?.replaced(path, aside);
    }
  }

  /** False, with nothing done, if another process has added lines meanwhile. */
  async #take({ common, others, isApart }: Compared, where: string): Promise<boolean> {
    if (others.length === 0) return true;
    const { journal } = this.#store;
    const isNews = common.line + others.length > (await this.#named()).line;
    const proved = this.#proved(common, others, where, isNews ? JournalAhead : JournalUnusable);
    if (!isApart) return journal.append(proved);
    // The store was set back and has erased since, under the same numbers: what it did since is the last word.
    await this.#tell();
    const own = new Set<string>();
    let last = common;
    for (let some = [last]; some.length > 0; ) {
      some = [...(await journal.after(last.line, AT_ONCE))];
      for (const line of some) own.add(subjectOf(line));
      last = some.at(-1) ?? last;
    }
    const news = new Map(proved.map((line) => [subjectOf(line), line]));
    const added: NewLine[] = [];
    for (const [record, line] of news) {
      if (own.has(record)) continue;
      const { line: _, at: __, ...word } = entryOf(line);
      last = this.#sign(last, word as Word);
      added.push({ ...last, unapplied: true });
    }
    return added.length === 0 || journal.append(added);
  }

  #proved(
    common: JournalLine,
    others: readonly string[],
    where: string,
    Fault: typeof JournalUnusable,
  ): readonly NewLine[] {
    const { keys } = this.#parts;
    if (keys === undefined)
      throw new Fault(
        `${where} tells of erasures that this store does not know, and only the key in SECRET_KEY_FILE proves them. Set SECRET_KEY_FILE.`,
      );
    let before = common;
    return others.map((text) => {
      try {
        keys.read(before, text, where);
      } catch (error) {
        throw error instanceof JournalUnusable ? new Fault(error.message) : error;
      }
      before = { line: before.line + 1, text };
      return { ...before, unapplied: true };
    });
  }

  /** Writes lines, in the store, of all that was erased and is in none yet. */
  async #tell(): Promise<void> {
    for (;;) {
      // Read first: what another process tells of meanwhile takes the next number.
      let before = await this.#named();
      const untold = await this.#store.journal.untold(AT_ONCE);
      if (untold.length === 0) return;
      const lines = untold.map((tells): NewLine => {
        before = this.#sign(before, { did: 'erased', ...tells });
        return { ...before, tells };
      });
      await this.#store.journal.append(lines);
    }
  }

  #named(): Promise<JournalLine> {
    return namedStore(this.#store.journal, this.#parts.identify);
  }

  #sign(before: JournalLine, word: Word): JournalLine {
    const { keys, now } = this.#parts;
    if (keys === undefined) throw new ApiError('erasure_keyless');
    return keys.sign(before, word, now());
  }
}

/** What a line tells of: the last one that does counts. */
function subjectOf({ text }: JournalLine): string {
  const { account, record, did } = entryOf({ text });
  return `${account} ${record}${did === 'past_erased' ? ' past' : ''}`;
}
