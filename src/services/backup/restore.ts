/** Fills a new store with a backup, and verifies it before any process serves it. */
import type { Readable } from 'node:stream';
import { erasureJournal } from '../../core/objects/records/erased.ts';
import { storeIdentity } from '../../core/objects/transfer/backup.ts';
import { createIdentifiers } from '../../core/schema/id.ts';
import type { JournalLine, NewLine } from '../../store/books/erasing/journal.ts';
import type { Loading } from '../../store/promises/snapshot.ts';
import type { Overlay } from './folder/overlay.ts';
import { BackupUnusable, type Trailer } from './format.ts';
import { once, type Part } from './parts.ts';
import { type Backup, isSame, readBackup } from './read.ts';
import { createDigests } from './verify/digest.ts';

export interface Restoring {
  readonly bytes: Readable;
  readonly parts: readonly Part[];
  readonly overlay?: Overlay | undefined;
  /** Begins to fill the store; called when the backup has been opened. */
  readonly begin: () => Promise<Loading>;
  readonly now: () => number;
  readonly suspendKeys: boolean;
  readonly onRows?: ((rows: number) => void) | undefined;
  /** Given the lines of its journal of erasures that the backup has, those that it lacks. */
  readonly journal?: (lines: readonly JournalLine[]) => Promise<readonly NewLine[]>;
}

/** Changes nothing unless all of it succeeds. Throws `BackupUnusable`, or what `begin` throws. */
export async function restoreBackup(restoring: Restoring): Promise<Backup> {
  const { bytes, parts, overlay, onRows, now, suspendKeys } = restoring;
  bytes.on('error', () => undefined);
  const loading = await restoring.begin();
  try {
    const digests = createDigests();
    const read = await readBackup({
      bytes,
      parts,
      take: (part, rows) =>
        part.load(loading, overlay ? digests.of(part, overlay.fold(part, rows)) : rows),
      ...(onRows === undefined ? {} : { onRows }),
    });
    if (read.header.increment !== undefined) {
      throw new BackupUnusable(
        'The file holds only what changed since another one: name the folder that holds both.',
      );
    }
    const backup = overlay === undefined ? read : over(read, overlay, digests);
    await assertSame(loading, parts, backup);
    if (restoring.journal !== undefined) await addLines(loading, restoring.journal);
    await addIdentity(loading, backup, now());
    await loading.settle({ now: now(), suspendKeys });
    await loading.finish();
    return backup;
  } catch (error) {
    await loading.abandon();
    throw error;
  }
}

/** They are applied before anything is served. */
async function addLines(loading: Loading, journal: NonNullable<Restoring['journal']>) {
  const snapshot = await loading.snapshot(0);
  const known = (await Array.fromAsync(snapshot.rows(erasureJournal))).flat();
  await snapshot.close();
  const lines = known.map(({ line, text }) => ({ line: Number(line), text: String(text) }));
  const added = (await journal(lines)).map(({ line, text, unapplied }) => {
    return { line, text, applied: unapplied !== true };
  });
  await loading.rows(erasureJournal, once(added));
}

/** A restored store is another one than that of the backup, which may go on; it says where it comes from. */
async function addIdentity(loading: Loading, { header: { of } }: Backup, at: number) {
  if (of === undefined) return;
  const { store, number } = of;
  const origins = JSON.stringify([{ store, number, at }, ...of.origins]);
  const fixed = { single: true, made: 0, folder: null, host: null };
  const row = { ...fixed, store: createIdentifiers(() => at)('str_'), origins };
  await loading.rows(storeIdentity, once([row]));
}

/** The loaded contents, as a backup would describe them. */
function over(
  { header, trailer }: Backup,
  overlay: Overlay,
  { rows, digests }: Pick<Trailer, 'rows' | 'digests'>,
): Backup {
  overlay.assertBase({ header, trailer });
  const taken_at = new Date(overlay.taken_at).toISOString();
  const { of = header.of } = overlay;
  return { header: { ...header, taken_at, of }, trailer: { ...trailer, rows, digests } };
}

/** Throws unless the store, as it is read, equals the backup. */
async function assertSame(loading: Loading, parts: readonly Part[], { header, trailer }: Backup) {
  await using snapshot = await loading.snapshot(Date.parse(header.taken_at));
  const found = createDigests();
  for (const part of parts) {
    if (!(part.name in trailer.digests)) continue;
    for await (const _ of found.of(part, part.read(snapshot)));
  }
  if (isSame(trailer, found)) return;
  const differs = Object.keys(trailer.digests).filter(
    (name) => trailer.digests[name] !== found.digests[name],
  );
  throw new BackupUnusable(
    `The store made from the backup differs from it (${differs.join(', ')}): nothing was restored.`,
  );
}
