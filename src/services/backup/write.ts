/** Writes a snapshot as the bytes of a backup. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { createZstdCompress } from 'node:zlib';
import type { Snapshot } from '../../store/promises/snapshot.ts';
import { type Pacing, paced } from '../transfer/pace.ts';
import {
  compression,
  FORMAT,
  type Header,
  type Increment,
  type Made,
  type PartLine,
  type Positions,
  sealed,
  type Trailer,
  WRITER,
} from './format.ts';
import type { Part } from './parts.ts';
import { createDigests, rowLine } from './verify/digest.ts';

export interface Writing {
  readonly snapshot: Snapshot;
  readonly parts: readonly Part[];
  readonly taken_at?: number | undefined;
  /** The place of the store. */
  readonly place: string;
  readonly increment?: Increment | undefined;
  /** Left out of what nobody keeps. */
  readonly of?: Made | undefined;
  /** The folder beside a whole backup. */
  readonly beside?: string | undefined;
  /** Called when all rows were read. */
  readonly marks?: (() => Positions) | undefined;
  /** Left out: no pauses. */
  readonly pace?: Pacing | undefined;
  /** Called after each batch with the number of rows so far. */
  readonly onRows?: ((rows: number) => void) | undefined;
}

export interface BackupSummary {
  readonly header: Header;
  readonly trailer: Trailer;
  /** How many changes are damaged in the store, and are left out: a restored store has whole ones alone. */
  readonly leftOut: number;
}

/** The bytes, made as fast as they are read. `written` is settled when all were read. */
export function writeBackup(writing: Writing) {
  const { promise: written, resolve, reject } = Promise.withResolvers<BackupSummary>();
  // The reader of the bytes gets the error first.
  written.catch(() => undefined);
  const lines = Readable.from(linesOf(writing, resolve), { objectMode: false });
  const packed = lines.pipe(createZstdCompress(compression));
  lines.once('error', (error) => packed.destroy(error));
  const bytes = Readable.from(sealed(packed), { objectMode: false });
  bytes.once('error', reject);
  bytes.once('close', () => lines.destroy());
  return { bytes, written };
}

async function* linesOf(
  { snapshot, parts, place, increment, of, beside, marks, pace, ...writing }: Writing,
  done: (written: BackupSummary) => void,
): AsyncGenerator<Buffer, void> {
  const sha256 = createHash('sha256');
  const digests = createDigests();
  const hashed = (text: string): Buffer => {
    const bytes = Buffer.from(text);
    sha256.update(bytes);
    return bytes;
  };
  const taken_at = new Date(writing.taken_at ?? snapshot.taken_at).toISOString();
  const kind = { ledgerstone: 'backup', format: FORMAT, version: WRITER } as const;
  const store = place.slice(0, place.indexOf(':'));
  const header: Header = { ...kind, taken_at, store, increment, beside, of };
  yield hashed(lineOf(header));
  let rows = 0;
  let leftOut = 0;
  for (const part of parts) {
    yield hashed(lineOf({ part: part.name } satisfies PartLine));
    digests.begin(part.name);
    for await (const batch of paced(part.read(snapshot), pace)) {
      let text = '';
      for (const row of batch) {
        if ('damaged' in row) {
          leftOut += 1;
          continue;
        }
        const line = rowLine(row);
        digests.add(part.counted?.(row) ?? part.name, line);
        text += `${line}\n`;
      }
      yield hashed(text);
      rows += batch.length;
      writing.onRows?.(rows);
    }
  }
  const trailer: Trailer = {
    end: true,
    rows: digests.rows,
    digests: digests.digests,
    sha256: sha256.digest('hex'),
    marks: marks?.(),
  };
  yield Buffer.from(lineOf(trailer));
  done({ header, trailer, leftOut });
}

function lineOf(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
