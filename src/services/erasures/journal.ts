/**
 * The journal of erasures: the service lists erased records in files outside of the store, and after a restore erases
 * again what they list. The store is the source of the lines: those that a process did not write because it was killed,
 * or the disk was full, are written later. Lines of two journals are merged; the latest one about a record counts.
 */
import { dirname, resolve } from 'node:path';
import { ApiError } from '../../core/errors.ts';
import type { Events } from '../../core/observe/events.ts';
import type { Resource } from '../../core/schema/define.ts';
import type { Sealer } from '../../core/sealing/sealer.ts';
import type { JournalLine, NewLine } from '../../store/books/erasing/journal.ts';
import type { Store } from '../../store/promises/store.ts';
import { changing } from './changing.ts';
import { applyLine, runAgain } from './journal-apply.ts';
import { CopyUnreachable, JournalCopy } from './journal-copy.ts';
import { type Compared, compareJournal, type FileLine } from './journal-file.ts';
import {
  createJournalKeys,
  entryOf,
  type JournalKeys,
  JournalUnusable,
  macOf,
  type PastErased,
  subjectOf,
  timeOf,
  type Word,
} from './journal-lines.ts';

export interface JournalParts {
  readonly resources: readonly Resource[];
  /** The sealer, without which nothing is erased and no line can be verified. */
  readonly sealer: Sealer | undefined;
  /** The folders with a copy of the journal. */
  readonly folders: readonly string[];
  readonly now: () => number;
  readonly notices?: Events['journal'] | undefined;
  /** Called when any process has erased records since the last call. */
  readonly erased?: () => void;
  /** Whether only another process reaches some copies, so that this one never knows if all are synced. */
  readonly isElsewhere?: boolean;
}

/** Returns the folders of the journal: the configured ones, or the folder of a store that is a file. */
export function journalFolders(
  { file }: Pick<Store, 'file'>,
  set: readonly (string | undefined)[],
): readonly string[] {
  const folders = set.flatMap((folder) => (folder === undefined ? [] : [resolve(folder)]));
  return folders.length > 0 || file === undefined ? folders : [dirname(file)];
}

const AT_ONCE = 100;
/** More lines than any store lacks. */
const MAX_UNAPPLIED = 1_000_000;
/** The time between two notices of one failure. */
const TOLD_MS = 600_000;

export class ErasureJournal {
  readonly #store: Store;
  readonly #parts: JournalParts;
  readonly #keys: JournalKeys | undefined;
  readonly #copies: readonly JournalCopy[];
  /** Copies that fail, and when that was last reported, by `performance.now()`. */
  readonly #failing = new Map<JournalCopy, number>();
  /** Lines that wait, such as for the release of a hold. */
  readonly #waiting = new Set<number>();
  /** The lines that this process wrote about earlier versions, by erasure, then by record and version. */
  readonly #past = new Map<string, Map<string, number>>();
  #isApplying = false;
  /** The last line when `erased` was last called. */
  #line = 0;
  #round: Promise<boolean> | undefined;
  /** The time since which a copy has lacked lines, by `performance.now()`. */
  #behindSince: number | undefined;

  constructor(store: Store, parts: JournalParts) {
    this.#store = store;
    this.#parts = parts;
    this.#keys = parts.sealer && createJournalKeys(parts.sealer);
    this.#copies = [...new Set(parts.folders)].map((one) => new JournalCopy(one, store.journal));
  }

  /** Whether the store may still contain records that the journal lists as erased. */
  get isApplying(): boolean {
    return this.#isApplying;
  }

  /** Whether there is a copy outside of the store, so that a restore of an older backup brings nobody back. */
  get isOutside(): boolean {
    return this.#copies.length > 0 || this.#parts.isElsewhere === true;
  }

  /** The milliseconds for which a copy has lacked lines or been unreachable; 0 if none has. */
  get lag(): number {
    return this.#behindSince === undefined ? 0 : performance.now() - this.#behindSince;
  }

  /**
   * Imports lines that the store lacks from its journal, for `apply`, before the store is served. An unreachable disk
   * blocks nothing. Throws `JournalUnusable` if a line cannot be verified.
   */
  async look(): Promise<void> {
    this.#line = (await this.#store.journal.last())?.line ?? 0;
    for (const copy of this.#copies) {
      const error = await this.#attempt(copy, () => this.#take(() => copy.compare()));
      if (error instanceof JournalUnusable) throw error;
    }
    this.#isApplying = (await this.#store.journal.unapplied(1)).length > 0;
  }

  /** Erases again what a restore brought back. Returns how many lines it applied. */
  async apply(): Promise<number> {
    const lines = await this.#unapplied();
    const last = new Map(lines.map((line) => [subjectOf(entryOf(line)), line]));
    const isLast = (line: JournalLine) => last.get(subjectOf(entryOf(line))) === line;
    const { resources, now } = this.#parts;
    const news = lines.filter(({ line }) => !this.#waiting.has(line));
    this.#isApplying = news.length > 0;
    const change = changing(this.#store.erasures, now);
    if (this.#keys !== undefined)
      await runAgain(this.#store, { ...this.#parts, change }, news.filter(isLast));
    let count = 0;
    for (const line of lines) {
      if (await applyLine(this.#store, resources, line, isLast(line))) count += 1;
      else this.#waiting.add(line.line);
    }
    this.#isApplying = false;
    if (count > 0) this.#parts.notices?.applied(count);
    return count;
  }

  /** Reads the lines to apply; lines about accounts of another store are only copied. */
  async #unapplied(): Promise<readonly JournalLine[]> {
    const { journal, accounts } = this.#store;
    const lines = await journal.unapplied(MAX_UNAPPLIED);
    if (lines.length === 0) return [];
    const known = new Set((await accounts.list()).map((one) => one.unique_identifier));
    const [own = [], others = []] = [true, false].map((isOwn) =>
      lines.filter((line) => known.has(entryOf(line).account) === isOwn),
    );
    for (const { line } of others) await journal.applied(line);
    return own;
  }

  /** Reads all copies, applies lines the store lacks, and completes the copies. Returns whether all are complete. */
  sync(): Promise<boolean> {
    this.#round ??= this.#sync().finally(() => {
      this.#round = undefined;
    });
    return this.#round;
  }

  /** Returns whether all copies contain everything that an erasure did. */
  async isSynced(erasure: string): Promise<boolean> {
    await this.#tell();
    const line = await this.#store.journal.toldOf(erasure);
    if (line === undefined || this.#parts.isElsewhere) return false;
    const most = Math.max(line, ...(this.#past.get(erasure)?.values() ?? []));
    return this.#copies.every(({ synced }) => synced >= most);
  }

  /** Returns the last line, which follows all earlier erasures, and its signature; `undefined` if there is none. */
  async position(): Promise<{ readonly line: number; readonly mac: string } | undefined> {
    const last = await this.#store.journal.last();
    const mac = last && macOf(last);
    return last && mac !== undefined ? { line: last.line, mac } : undefined;
  }

  /** Allows a record to be created again. */
  async lift(account: string, record: string): Promise<void> {
    const lifts = { account, record };
    await this.#write({ did: 'lifted', ...lifts }, { lifts });
  }

  /** Writes, once, that earlier versions of a record were erased; `version` is the one that stays. */
  async tellPast({ erasure, ...past }: PastErased): Promise<void> {
    const told = this.#past.getOrInsertComputed(erasure, () => new Map<string, number>());
    const which = `${past.record} ${past.version}`;
    if (told.has(which)) return;
    told.set(which, await this.#write({ did: 'past_erased', erasure, ...past }));
  }

  async #write(word: Word, does: Pick<NewLine, 'lifts'> = {}): Promise<number> {
    for (;;) {
      const line = this.#sign(await this.#next(), word);
      if (await this.#store.journal.append([{ ...line, ...does }])) return line.line;
    }
  }

  /** Imports lines that the store lacks from a journal, for `apply`. Throws `JournalUnusable`. */
  async take(path: string): Promise<void> {
    await this.#take(() => compareJournal(path, this.#store.journal));
  }

  async #sync(): Promise<boolean> {
    const good: JournalCopy[] = [];
    for (const copy of this.#copies) {
      const error = await this.#attempt(copy, () => this.#take(() => copy.compare()));
      if (error === undefined) good.push(copy);
    }
    await this.apply();
    await this.#tell();
    const line = (await this.#store.journal.last())?.line ?? 0;
    if (line !== this.#line) this.#parts.erased?.();
    this.#line = line;
    for (const copy of good) {
      const error = await this.#attempt(copy, () => this.#complete(copy));
      if (error === undefined && this.#failing.delete(copy))
        this.#parts.notices?.resumed(copy.path);
    }
    const isSynced = this.#failing.size === 0;
    if (isSynced) this.#behindSince = undefined;
    else this.#behindSince ??= performance.now();
    return isSynced;
  }

  /** Runs work on a copy; returns the error if that fails. */
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

  async #complete(copy: JournalCopy): Promise<void> {
    const compared = await copy.compare();
    // Lines were added since the last import: the next round imports them.
    if (compared.others.length > 0) throw new CopyUnreachable(`${copy.path} is being written.`);
    await copy.complete(compared);
    if (compared.isCut) this.#parts.notices?.cut(copy.path);
  }

  /** Imports the lines that only a file has, once, however many processes do so. */
  async #take(compare: () => Promise<Compared>): Promise<void> {
    for (;;) {
      // Read first: if another process adds lines meanwhile, the files are compared again.
      const from = await this.#next();
      const { others } = await compare();
      if (others.length === 0 || (await this.#append(others, from))) return;
    }
  }

  /** Appends lines of a file from this number on. Returns false, with nothing appended, if it is taken. */
  async #append(others: readonly FileLine[], from: number): Promise<boolean> {
    const news = this.#proved(others);
    await this.#tell();
    const latest = await this.#latestOf(new Set(news.map(({ entry }) => subjectOf(entry))));
    return this.#store.journal.append(
      news.map(({ text, entry }, at): NewLine => {
        const known = latest.get(subjectOf(entry)) ?? Number.NEGATIVE_INFINITY;
        const line = { line: from + at, text };
        return timeOf(entry) > known ? { ...line, unapplied: true } : line;
      }),
    );
  }

  /** Verifies signed lines, and sorts them by time. */
  #proved(others: readonly FileLine[]) {
    const keys = this.#keys;
    if (keys === undefined)
      throw new JournalUnusable(
        `${others[0]?.where} is not known to this store, and only the key in SECRET_KEY_FILE proves it. Set SECRET_KEY_FILE.`,
      );
    return others
      .map(({ text, where }) => ({ text, entry: keys.read(text, where) }))
      .sort((one, other) => timeOf(one.entry) - timeOf(other.entry));
  }

  /** Returns when each of these subjects last changed according to the store's lines. */
  async #latestOf(subjects: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> {
    const latest = new Map<string, number>();
    for (let last = 0; ; ) {
      const some = await this.#store.journal.after(last, AT_ONCE);
      for (const one of some) {
        const entry = entryOf(one);
        const subject = subjectOf(entry);
        if (!subjects.has(subject)) continue;
        latest.set(subject, Math.max(latest.get(subject) ?? 0, timeOf(entry)));
      }
      last = some.at(-1)?.line ?? last;
      if (some.length < AT_ONCE) return latest;
    }
  }

  /** Writes lines, in the store, for erased records that have none yet. */
  async #tell(): Promise<void> {
    for (;;) {
      // Read first: what another process writes meanwhile takes the next number.
      const from = await this.#next();
      const untold = await this.#store.journal.untold(AT_ONCE);
      if (untold.length === 0) return;
      const lines = untold.map((tells, at): NewLine => {
        return { ...this.#sign(from + at, { did: 'erased', ...tells }), tells };
      });
      await this.#store.journal.append(lines);
    }
  }

  async #next(): Promise<number> {
    return ((await this.#store.journal.last())?.line ?? 0) + 1;
  }

  #sign(line: number, word: Word): JournalLine {
    if (this.#keys === undefined) throw new ApiError('erasure_keyless');
    return this.#keys.sign(line, word, this.#parts.now());
  }
}
