/** One file of a watched folder: from its bytes to where it goes. Killed after any step, the next run goes on with that. */
import { join } from 'node:path';
import { temporaryFolder } from '../../../../core/temporary.ts';
import type { ImportCounts } from '../../declares/import-run.ts';
import type { Earlier } from '../../serves/run.ts';
import type { ImportFlags } from '../asked.ts';
import { type FoundFile, Stays, type WatchedFolder } from './folder.ts';
import type { Delivery, FileOutcome, journalIn } from './journal.ts';

/** Brings a file into a store, or to a service. */
export interface Importer {
  /** `undefined`: it was interrupted, and goes on the next time. Throws what is no fault of the file. */
  import(file: {
    readonly path: string;
    readonly name: string;
    /** Where its refused rows go. */
    readonly rejected: string;
    /** Whether it was begun before, and may have ended. */
    readonly goesOn: boolean;
    readonly earlier: Earlier;
    readonly begun: (id: string) => void;
    readonly stopping: AbortSignal;
  }): Promise<Brought | undefined>;
  /** Notes that this came again, which was imported then. */
  again(file: {
    readonly path: string;
    readonly name: string;
    readonly import: string;
  }): Promise<unknown>;
  inWords(error: unknown, name: string): string;
}

/** The result of the import of a file. */
export interface Brought {
  readonly import: string | undefined;
  readonly resource: string | undefined;
  readonly counts?: ImportCounts | undefined;
  /** Why it was refused, or what did not follow from it. */
  readonly why?: string | undefined;
  /** Beside the counts. */
  readonly says?: readonly string[];
}

interface Taking {
  readonly folder: WatchedFolder;
  readonly journal: ReturnType<typeof journalIn>;
  readonly importer: Importer;
  readonly flags: ImportFlags;
  readonly stopping: AbortSignal;
}

/** Returns what is to be told; `undefined` where it was interrupted. */
export async function takeFile(file: FoundFile, taking: Taking) {
  const { folder, journal } = taking;
  using temporary = temporaryFolder('import');
  const path = join(temporary.path, file.name);
  const sha256 = await folder.copy(file, path);
  const before = journal.find(sha256);
  const isSame = before?.mark === file.mark;
  if (before?.outcome && isSame) return place(before, before.outcome, taking);
  if (before?.outcome && isKnown(before, taking)) {
    await taking.importer.again({ path, name: file.name, import: before.import ?? '' });
    return place(...sameAgain(before, before.outcome, file, taking), taking);
  }
  const goesOn = before !== undefined && before.outcome === undefined;
  const { name, mark } = file;
  const delivery = journal.put({
    ...{ sha256, name, mark, as: goesOn ? before.as : folder.freeName(name) },
    since: goesOn ? before.since : Date.now(),
    import: goesOn ? before.import : undefined,
  });
  const done = await broughtOf(path, delivery, goesOn, taking);
  if (done === undefined) return undefined;
  const outcome = outcomeOf(done);
  const ended = journal.put({ ...delivery, import: done.import, outcome });
  return place(ended, outcome, taking);
}

/** Whether these bytes were imported, and nothing is to be done again. */
function isKnown(before: Delivery, { journal, flags }: Taking): boolean {
  const { outcome } = before;
  if (outcome?.to !== 'done') return false;
  // As a sync they say what is there now: after others, they say it anew.
  return flags.sync === undefined || journal.last(outcome.resource)?.sha256 === before.sha256;
}

function sameAgain(
  before: Delivery,
  { resource, at }: FileOutcome,
  { name, mark }: FoundFile,
  { folder, journal }: Taking,
): [Delivery, FileOutcome] {
  const day = new Date(at).toISOString().slice(0, 16).replace('T', ' ');
  const says = `the same as ${before.name}, which was imported on ${day} UTC (${before.import}). Nothing was imported again.`;
  const outcome: FileOutcome = { to: 'done', says, resource, at: Date.now() };
  const as = folder.freeName(name);
  return [journal.put({ ...before, name, mark, as, outcome }), outcome];
}

async function broughtOf(
  path: string,
  delivery: Delivery,
  goesOn: boolean,
  { folder, journal, importer, stopping }: Taking,
): Promise<Brought | undefined> {
  const { name, as, since, import: id } = delivery;
  const ending = /\.(?:ndjson|jsonl)$/i.test(name) ? 'ndjson' : 'csv';
  return importer.import({
    ...{ path, name, stopping },
    rejected: folder.beside(as, `.rejected.${ending}`),
    ...{ goesOn, earlier: { import: id, since } },
    begun: (id) => void journal.put({ ...delivery, import: id }),
  });
}

function outcomeOf({ import: id, resource, counts, why, says = [] }: Brought): FileOutcome {
  const at = Date.now();
  const { created = 0, updated = 0, unchanged = 0, failed = 0 } = counts ?? {};
  const sums = `${created} created, ${updated} updated, ${unchanged} unchanged, ${failed} refused`;
  const named = id === undefined ? '' : ` (${id})`;
  const all = [...(counts ? [`${sums}${named}.`] : []), ...says, ...(why ? [why] : [])];
  const to = why === undefined && failed === 0 ? 'done' : 'refused';
  const common = { to, says: all.join(' '), resource, at } as const;
  return { ...common, ...(counts && { counts }), ...(why && { why }) };
}

/** Moves the file to where it belongs, with what belongs beside it. */
function place(delivery: Delivery, outcome: FileOutcome, { folder, journal }: Taking) {
  const { name, sha256 } = delivery;
  let { as } = delivery;
  if (folder.isTaken(outcome.to, as))
    ({ as } = journal.put({ ...delivery, as: folder.freeName(name) }));
  if (outcome.why !== undefined) folder.say(as, outcome.why);
  let isThere: boolean;
  try {
    isThere = folder.move(delivery, outcome.to, as);
  } catch (error) {
    if (error instanceof Stays) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new Stays(
      `${outcome.says} It cannot be moved to ${outcome.to}/ (${code}): give this user the right to write in both folders, and room. It is imported, and is not imported again.`,
    );
  }
  const where = isThere ? `Moved to ${outcome.to}/${as}.` : 'The file itself is gone.';
  const json = { file: name, sha256, import: delivery.import ?? null, ...outcome, as };
  return { says: `${name}: ${outcome.says} ${where}`, json };
}
