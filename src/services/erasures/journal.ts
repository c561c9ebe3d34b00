/**
 * The journal of erasures: what was erased is written to files outside of the store, and a store that was set back
 * erases again what they say. The store is the source of the lines: what a process did not write because it was killed,
 * or the disk was full, is written later. Lines of two journals are united; the latest one about a record counts.
 */
import { dirname, resolve } from 'node:path';
import { ApiError } from '../../core/errors.ts';
import type { Events } from '../../core/observe/events.ts';
import type { Resource } from '../../core/schema/define.ts';
import type { Sealer } from '../../core/sealing/sealer.ts';
import type { JournalLine, NewLine } from '../../store/promises/erasing/journal.ts';
import type { Store } from '../../store/promises/store.ts';
import { changing } from './changing.ts';
import { applyLine, runAgain } from './journal-apply.ts';
import { CopyUnreachable, JournalCopy } from './journal-copy.ts';
import { compareJournal, type FileLine } from './journal-file.ts';
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
  /** Without it nothing is erased, and nothing can be proved. */
  readonly sealer: Sealer | undefined;
  /** The folders with a copy of the journal. */
  readonly folders: readonly string[];
  readonly now: () => number;
  readonly notices?: Events['journal'] | undefined;
  /** Called when any process has erased records since the last call. */
  readonly erased?: () => void;
  /** Whether it has copies that only another process reaches, so that this one never knows whether all are synced. */
  readonly isElsewhere?: boolean;
}

/** The folders of the journal: those that are set, or that of a store that is a file. */
export function journalFolders(
  { file }: Pick<Store, 'file'>,
  set: readonly (string | undefined)[],
): readonly string[] {
  const folders = set.flatMap((folder) => (folder === undefined ? [] : [resolve(folder)]));
  return folders.length > 0 || file === undefined ? folders : [dirname(file)];
}

const AT_ONCE = 100;
/** More than any store lacks. */
const MAX_UNAPPLIED = 1_000_000;
/** Between two words of one failure. */
const TOLD_MS = 600_000;

export class ErasureJournal {
  readonly #store: Store;
  readonly #parts: JournalParts;
  readonly #keys: JournalKeys | undefined;
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
    this.#keys = parts.sealer && createJournalKeys(parts.sealer);
    this.#copies = [...new Set(parts.folders)].map((one) => new JournalCopy(one, store.journal));
  }

  /** Whether the store may still hold what the journal says is erased. */
  get isApplying(): boolean {
    return this.#isApplying;
  }

  /** Whether there is a copy outside of the store, so that a restore of an older backup brings nobody back. */
  get isOutside(): boolean {
    return this.#copies.length > 0 || this.#parts.isElsewhere === true;
  }

  /** For how many milliseconds a copy has lacked something, or could not be reached; 0: none. */
  get lag(): number {
    return this.#behindSince === undefined ? 0 : performance.now() - this.#behindSince;
  }

  /**
   * Before the store is served: takes what it lacks of its journal, for `apply`. A disk that cannot be reached holds up
   * nothing. Throws `JournalUnusable` if a line cannot be proved.
   */
  async look(): Promise<void> {
    this.#line = (await this.#store.journal.last())?.line ?? 0;
    for (const copy of this.#copies) {
      const error = await this.#attempt(copy, () => this.#takeFrom(copy));
      if (error instanceof JournalUnusable) throw error;
    }
    this.#isApplying = (await this.#store.journal.unapplied(1)).length > 0;
  }

  /** Erases again what the store was set back to. Returns how many lines it did. */
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

  /** Reads the lines to apply; those about accounts of another store are only copied. */
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

  /** Its last line, which comes after all that was erased before, and its signature; `undefined`: it has none. */
  async position(): Promise<{ readonly line: number; readonly mac: string } | undefined> {
    const last = await this.#store.journal.last();
    const mac = last && macOf(last);
    return last && mac !== undefined ? { line: last.line, mac } : undefined;
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
      const line = this.#sign(await this.#next(), word);
      if (await this.#store.journal.append([{ ...line, ...does }])) return line.line;
    }
  }

  /** Takes what the store lacks of a journal, for `apply`. Throws `JournalUnusable`. */
  async take(path: string): Promise<void> {
    const { journal } = this.#store;
    while (!(await this.#take((await compareJournal(path, journal)).others)));
  }

  async #sync(): Promise<boolean> {
    const good: JournalCopy[] = [];
    for (const copy of this.#copies) {
      const error = await this.#attempt(copy, () => this.#takeFrom(copy));
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
    while (!(await this.#take((await copy.compare()).others)));
  }

  async #complete(copy: JournalCopy): Promise<void> {
    const compared = await copy.compare();
    // Somebody has added them since they were taken: the next round does.
    if (compared.others.length > 0) throw new CopyUnreachable(`${copy.path} is being written.`);
    await copy.complete(compared);
    if (compared.isCut) this.#parts.notices?.cut(copy.path);
  }

  /** False, with nothing done, if another process has added lines meanwhile. */
  async #take(others: readonly FileLine[]): Promise<boolean> {
    if (others.length === 0) return true;
    const { journal } = this.#store;
    const news = this.#proved(others);
    await this.#tell();
    const latest = await this.#latestOf(new Set(news.map(({ entry }) => subjectOf(entry))));
    const from = await this.#next();
    return journal.append(
      news.map(({ text, entry }, at): NewLine => {
        const known = latest.get(subjectOf(entry)) ?? Number.NEGATIVE_INFINITY;
        const line = { line: from + at, text };
        return timeOf(entry) > known ? { ...line, unapplied: true } : line;
      }),
    );
  }

  /** Reads signed lines, in the order of their times. */
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

  /** When the store last did something of what these lines are about. */
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

  /** Writes lines, in the store, of all that was erased and is in none yet. */
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
