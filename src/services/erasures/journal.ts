/**
 * The journal of erasures: the service lists erased records in files outside of the store, and after a restore erases
 * again what they list. The store is the source of the lines: those that a process did not write because it was killed,
 * or the disk was full, are written later. Lines of two journals are merged; the latest one about a record counts.
 */
import { dirname, resolve } from 'node:path';
import { EachAccount } from '../../core/each-account.ts';
import { ApiError } from '../../core/errors.ts';
import type { Events } from '../../core/observe/events.ts';
import type { Resource } from '../../core/schema/define.ts';
import type { Sealer } from '../../core/sealing/sealer.ts';
import type { JournalLine, NewLine } from '../../store/books/erasing/journal.ts';
import type { Store } from '../../store/promises/store.ts';
import { applyLine, runAgain } from './journal-apply.ts';
import {
  type Compared,
  CopyUnreachable,
  compareJournal,
  createJournalCopy,
  type FileLine,
  type JournalCopy,
  missingWords,
} from './journal-copy.ts';
import {
  createJournalKeys,
  type ErasedHistory,
  entryOf,
  JournalUnusable,
  macOf,
  subjectOf,
  timeOf,
  type Word,
} from './journal-lines.ts';
import { changing } from './steps.ts';

interface JournalParts {
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

const WORK = 'journal of erasures';
const AT_ONCE = 100;
/** More lines than any store lacks. */
const MAX_UNAPPLIED = 1_000_000;
/** The time between two notices of one failure. */
const NOTICE_MS = 600_000;

export function createErasureJournal(store: Store, parts: JournalParts) {
  const { journal } = store;
  const keys = parts.sealer && createJournalKeys(parts.sealer);
  const own = store.file === undefined ? undefined : dirname(store.file);
  const copies = [...new Set(parts.folders)].map((one) =>
    createJournalCopy(one, journal, { here: one === own }),
  );
  /** Copies that fail, and when that was last reported, by `performance.now()`. */
  const failing = new Map<JournalCopy, number>();
  /** Lines that wait, such as for the release of a hold. */
  const waiting = new Set<number>();
  /** The lines that this process wrote about earlier versions, by erasure, then by record and version. */
  const historyLines = new Map<string, Map<string, number>>();
  let isApplying = false;
  /** Accounts of which some lines could not be applied: they are not served meanwhile, and all others are. */
  let failed: ReadonlySet<string> = new Set();
  /** The first error, where nobody watches. */
  let failure: { readonly error: unknown } | undefined;
  let accounts = new EachAccount(WORK, {
    failed({ error }) {
      failure ??= { error };
    },
  });
  /** The last line when `erased` was last called. */
  let lastLine = 0;
  let round: Promise<boolean> | undefined;
  /** The time since which a copy has lacked lines, by `performance.now()`. */
  let behindSince: number | undefined;

  /**
   * Imports lines that the store lacks from its journal, for `apply`, before the store is served. An unreachable disk
   * blocks nothing. Throws `JournalUnusable` if a line cannot be verified.
   */
  async function look(): Promise<void> {
    lastLine = (await journal.last())?.line ?? 0;
    const failed: JournalCopy[] = [];
    for (const copy of copies) {
      const error = await attempt(copy, () => importFrom(copy.compare));
      if (error instanceof JournalUnusable) failed.push(copy);
    }
    // What one copy lacks, another one may have had.
    for (const copy of failed) await importFrom(copy.compare);
    isApplying = (await journal.unapplied(1)).length > 0;
  }

  /** Erases again what a restore brought back. Returns how many lines it applied. */
  async function apply(): Promise<number> {
    const lines = await unapplied();
    const last = new Map(lines.map((line) => [subjectOf(entryOf(line)), line]));
    const isLast = (line: JournalLine) => last.get(subjectOf(entryOf(line))) === line;
    const isNew = ({ line }: JournalLine) => !waiting.has(line);
    const byAccount = Map.groupBy(lines, (line) => entryOf(line).account);
    const left = new Set(byAccount.keys());
    isApplying = lines.some((line) => isNew(line) && !failed.has(entryOf(line).account));
    const change = changing(store.erasures, parts.now);
    let count = 0;
    try {
      await accounts.through(
        byAccount,
        ([account]) => account,
        async ([account, own]) => {
          const news = own.filter((line) => isNew(line) && isLast(line));
          if (keys !== undefined) await runAgain(store, { ...parts, change }, news);
          for (const line of own) {
            if (await applyLine(store, parts.resources, line, isLast(line))) count += 1;
            else waiting.add(line.line);
          }
          left.delete(account);
        },
      );
    } finally {
      await accounts.settled();
      failed = left;
      isApplying = false;
    }
    if (failure !== undefined) throw failure.error;
    if (count > 0) parts.notices?.applied(count);
    return count;
  }

  /** Reads the lines to apply; lines about accounts of another store are only copied. */
  async function unapplied(): Promise<readonly JournalLine[]> {
    const lines = await journal.unapplied(MAX_UNAPPLIED);
    if (lines.length === 0) return [];
    const known = new Set((await store.accounts.list()).map((one) => one.unique_identifier));
    const [own = [], others = []] = [true, false].map((isOwn) =>
      lines.filter((line) => known.has(entryOf(line).account) === isOwn),
    );
    for (const { line } of others) await journal.applied(line);
    return own;
  }

  /** Reads all copies, applies lines the store lacks, and completes the copies. Returns whether all are complete. */
  function sync(): Promise<boolean> {
    round ??= syncAll().finally(() => {
      round = undefined;
    });
    return round;
  }

  /** Returns whether all copies contain everything that an erasure did. */
  async function isSynced(erasure: string): Promise<boolean> {
    await listErased();
    const line = await journal.listedUpTo(erasure);
    if (line === undefined || parts.isElsewhere) return false;
    const most = Math.max(line, ...(historyLines.get(erasure)?.values() ?? []));
    return copies.every(({ synced }) => synced >= most);
  }

  /** Returns the last line, which follows all earlier erasures, and its signature; `undefined` if there is none. */
  async function position(): Promise<{ readonly line: number; readonly mac: string } | undefined> {
    const last = await journal.last();
    const mac = last && macOf(last);
    return last && mac !== undefined ? { line: last.line, mac } : undefined;
  }

  /** Allows a record to be created again. */
  async function lift(account: string, record: string): Promise<void> {
    const lifts = { account, record };
    await write({ did: 'lifted', ...lifts }, { lifts });
  }

  /** Writes, once, that earlier versions of a record were erased; `version` is the one that stays. */
  async function writeHistory({ erasure, ...past }: ErasedHistory): Promise<void> {
    const written = historyLines.getOrInsertComputed(erasure, () => new Map<string, number>());
    const which = `${past.record} ${past.version}`;
    if (written.has(which)) return;
    written.set(which, await write({ did: 'past_erased', erasure, ...past }));
  }

  async function write(word: Word, does: Pick<NewLine, 'lifts'> = {}): Promise<number> {
    let line = sign(await nextLine(), word);
    while (!(await journal.append([{ ...line, ...does }]))) line = sign(await nextLine(), word);
    return line.line;
  }

  /** Imports lines that the store lacks from a journal, for `apply`. Throws `JournalUnusable`. */
  async function take(path: string, acceptMissing = false): Promise<void> {
    await importFrom(() => compareJournal(path, journal), acceptMissing);
  }

  async function syncAll(): Promise<boolean> {
    const good: JournalCopy[] = [];
    for (const copy of copies) {
      const error = await attempt(copy, () => importFrom(copy.compare));
      if (error === undefined) good.push(copy);
    }
    await apply();
    await listErased();
    const line = (await journal.last())?.line ?? 0;
    if (line !== lastLine) parts.erased?.();
    lastLine = line;
    for (const copy of good) {
      const error = await attempt(copy, () => complete(copy));
      if (error === undefined && failing.delete(copy)) parts.notices?.resumed(copy.path);
    }
    behindSince = failing.size === 0 ? undefined : (behindSince ?? performance.now());
    return failing.size === 0;
  }

  /** Runs work on a copy; returns the error if that fails. */
  async function attempt(copy: JournalCopy, work: () => Promise<void>): Promise<Error | undefined> {
    try {
      await work();
      return undefined;
    } catch (error) {
      if (!(error instanceof JournalUnusable || error instanceof CopyUnreachable)) throw error;
      const now = performance.now();
      if (now - (failing.get(copy) ?? Number.NEGATIVE_INFINITY) >= NOTICE_MS) {
        failing.set(copy, now);
        parts.notices?.failed(error.message);
      }
      return error;
    }
  }

  async function complete(copy: JournalCopy): Promise<void> {
    const compared = await copy.compare();
    // Lines were added since the last import: the next round imports them.
    if (compared.others.length > 0) throw new CopyUnreachable(`${copy.path} is being written.`);
    await copy.complete(compared);
    if (compared.isCut) parts.notices?.cut(copy.path);
  }

  /** Imports the lines that only a file has, once, however many processes do so. */
  async function importFrom(compare: () => Promise<Compared>, acceptMissing = false) {
    for (;;) {
      // Read first: if another process adds lines meanwhile, the files are compared again.
      const from = await nextLine();
      const { path, others, missing } = await compare();
      if (others.length === 0) return;
      if (missing.length > 0 && !acceptMissing)
        throw new JournalUnusable(missingWords(path, missing));
      if (await append(others, from)) return;
    }
  }

  /** Appends lines of a file from this number on. Returns false, with nothing appended, if it is taken. */
  async function append(others: readonly FileLine[], from: number): Promise<boolean> {
    const news = proved(others);
    await listErased();
    const latest = await latestOf(new Set(news.map(({ entry }) => subjectOf(entry))));
    return journal.append(
      news.map(({ text, entry }, at): NewLine => {
        const known = latest.get(subjectOf(entry)) ?? Number.NEGATIVE_INFINITY;
        return { line: from + at, text, ...(timeOf(entry) > known && { unapplied: true }) };
      }),
    );
  }

  /** Verifies signed lines, and sorts them by time. */
  function proved(others: readonly FileLine[]) {
    if (keys === undefined)
      throw new JournalUnusable(
        `${others[0]?.where} is not known to this store, and only the key in SECRET_KEY_FILE proves it. Set SECRET_KEY_FILE.`,
      );
    return others
      .map(({ text, where }) => ({ text, entry: keys.read(text, where) }))
      .sort((one, other) => timeOf(one.entry) - timeOf(other.entry));
  }

  /** Returns when each of these subjects last changed according to the store's lines. */
  async function latestOf(subjects: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> {
    const latest = new Map<string, number>();
    for (let last = 0; ; ) {
      const some = await journal.after(last, AT_ONCE);
      for (const one of some) {
        const entry = entryOf(one);
        const subject = subjectOf(entry);
        if (subjects.has(subject))
          latest.set(subject, Math.max(latest.get(subject) ?? 0, timeOf(entry)));
      }
      last = some.at(-1)?.line ?? last;
      if (some.length < AT_ONCE) return latest;
    }
  }

  /** Writes lines, in the store, for erased records that have none yet. */
  async function listErased(): Promise<void> {
    for (;;) {
      // Read first: what another process writes meanwhile takes the next number.
      const from = await nextLine();
      const unlisted = await journal.unlisted(AT_ONCE);
      if (unlisted.length === 0) return;
      const lines = unlisted.map((lists, at): NewLine => {
        return { ...sign(from + at, { did: 'erased', ...lists }), lists };
      });
      await journal.append(lines);
    }
  }

  async function nextLine(): Promise<number> {
    return ((await journal.last())?.line ?? 0) + 1;
  }

  function sign(line: number, word: Word): JournalLine {
    if (keys === undefined) throw new ApiError('erasure_keyless');
    return keys.sign(line, word, parts.now());
  }

  return {
    ...{ look, apply, sync, isSynced, position, lift, writeHistory, take },
    /** Reports accounts of which lines cannot be applied; all others go on. */
    watched(each: EachAccount): void {
      accounts = each;
    },
    work: WORK,
    /** Whether these accounts, or any, may still contain records that the journal lists as erased. */
    isSetBack: (some?: ReadonlySet<string>): boolean =>
      isApplying || (failed.size > 0 && some?.isDisjointFrom(failed) === false),
    /** Whether there is a copy outside of the store, so that a restore of an older backup brings nobody back. */
    get isOutside(): boolean {
      return copies.length > 0 || parts.isElsewhere === true;
    },
    /** The milliseconds for which a copy has lacked lines or been unreachable; 0 if none has. */
    get lag(): number {
      return behindSince === undefined ? 0 : performance.now() - behindSince;
    },
  };
}

export type ErasureJournal = ReturnType<typeof createErasureJournal>;
