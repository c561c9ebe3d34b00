/** Remembers what became of the files of a watched folder, in a file there: on disk before the step that follows from it. */
import { randomUUID } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Mistake } from '../../../../cli/mistake.ts';
import { codeOf } from '../../../../core/disk-failure.ts';
import { replaceFile } from '../../../../services/transfer/new-files.ts';
import type { ImportCounts } from '../../declares/import-run.ts';
import type { Place, WatchedFolder } from './folder.ts';

const NAME = '.ledgerstone-import.json';
/** The newest that are remembered. */
const MOST = 1_000;
const MOST_BYTES = 8_388_608;

/** Where a file went, and why. */
export interface FileOutcome {
  readonly to: Place;
  readonly says: string;
  readonly counts?: ImportCounts;
  /** Why nothing of it, or not all that belongs to it, was done. */
  readonly why?: string;
  readonly resource?: string | undefined;
  readonly at: number;
}

/** A file that has come, known by its bytes. */
export interface Delivery {
  readonly sha256: string;
  readonly name: string;
  readonly mark: string;
  /** The name under which it is kept. */
  readonly as: string;
  readonly since: number;
  readonly import?: string | undefined;
  readonly outcome?: FileOutcome | undefined;
}

interface Journal {
  readonly by: string;
  readonly deliveries: readonly Delivery[];
}

export function journalIn(folder: WatchedFolder) {
  const by = randomUUID();
  let isBegun = false;

  const read = (): Journal =>
    folder.opened('', (at) => {
      try {
        const file = openSync(join(at, NAME), constants.O_RDONLY | constants.O_NOFOLLOW);
        try {
          if (!fstatSync(file).isFile() || fstatSync(file).size > MOST_BYTES) return EMPTY;
          const found = JSON.parse(readFileSync(file, 'utf8')) as Partial<Journal>;
          const all = Array.isArray(found.deliveries) ? found.deliveries : [];
          return { by: String(found.by), deliveries: all.filter(isDelivery) };
        } finally {
          closeSync(file);
        }
      } catch (error) {
        // What is not there, or is none of ours, is made anew.
        if (['', 'ENOENT', 'ELOOP'].includes(codeOf(error))) return EMPTY;
        throw error;
      }
    });

  const write = (deliveries: readonly Delivery[]): void =>
    folder.opened('', (at) =>
      replaceFile(join(at, NAME), `${JSON.stringify({ by, deliveries }, null, 1)}\n`),
    );

  const all = (): readonly Delivery[] => {
    const journal = read();
    if (!isBegun) {
      write(journal.deliveries);
      isBegun = true;
    } else if (journal !== EMPTY && journal.by !== by)
      throw new AnotherWatches(
        `Another command has begun to watch ${folder.path}, and this one ends.`,
      );
    return journal.deliveries;
  };

  return {
    find: (sha256: string): Delivery | undefined => all().find((one) => one.sha256 === sha256),
    /** The last one of that resource that was imported. */
    last: (resource: string | undefined): Delivery | undefined =>
      all().find(({ outcome, ...one }) => one.import && outcome?.resource === resource),
    put(one: Delivery): Delivery {
      const others = all().filter(({ sha256 }) => sha256 !== one.sha256);
      write([one, ...others].slice(0, MOST));
      return one;
    },
    /** Throws where another command has begun. */
    check: (): void => void all(),
  };
}

/** The folder belongs to another command by now. */
export class AnotherWatches extends Mistake {}

const EMPTY: Journal = { by: '', deliveries: [] };

function isDelivery(one: unknown): one is Delivery {
  const { sha256, name, mark, as, since } = (one ?? {}) as Partial<Delivery>;
  const texts = [sha256, name, mark, as];
  return (
    texts.every((text) => typeof text === 'string' && !/[/\0]/.test(text)) &&
    as !== '..' &&
    as !== '.' &&
    typeof since === 'number'
  );
}
