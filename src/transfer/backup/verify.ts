/** Checks a store: each record against its shape, its parent and the columns made from it. */
import { equalJson, stringify } from '../../schema/json/json.ts';
import { merge } from '../../schema/merge/merge.ts';
import type { RecordShape } from '../../schema/shape.ts';
import { hourOf, storedKeys } from '../../store/indexed.ts';
import { parseDocument } from '../../store/records.ts';
import type { InspectedRecord, Snapshot } from '../../store/snapshot.ts';
import { type Pacing, paced } from '../pace.ts';
import { Digests } from './digest.ts';
import type { Trailer } from './format.ts';
import type { BackedUp, Part } from './parts.ts';

export interface Verified extends Pick<Trailer, 'rows' | 'digests'> {
  /** In words; the first ones of each kind. */
  readonly faults: readonly string[];
  readonly faultCount: number;
}

/** How many faults are told. */
const MAX_TOLD = 100;

export interface Verifying {
  /** Is told how many rows were read so far. */
  readonly onRows?: (rows: number) => void;
  /** Not said: it takes no pauses. */
  readonly pace?: Pacing | undefined;
}

/** Reads everything. */
export async function verifyStore(
  snapshot: Snapshot,
  parts: readonly Part[],
  resources: readonly BackedUp[],
  { onRows = () => {}, pace }: Verifying = {},
): Promise<Verified> {
  const faults: string[] = [...(await snapshot.damage())];
  let faultCount = faults.length;
  let rows = 0;
  const found = (fault: string): void => {
    faultCount += 1;
    if (faults.length < MAX_TOLD) faults.push(fault);
  };
  for (const { path, shape } of resources) {
    for await (const batch of paced(snapshot.inspect(shape), pace)) {
      for (const record of batch) {
        for (const fault of faultsOf(shape, record)) {
          found(`${path} ${record.unique_identifier}: ${fault}`);
        }
      }
      rows += batch.length;
      onRows(rows);
    }
  }
  const sums = new Digests();
  for (const part of parts) {
    sums.begin(part.name);
    for await (const batch of paced(part.read(snapshot), pace)) {
      for (const row of batch) sums.add(part.counted?.(row) ?? part.name, JSON.stringify(row));
      rows += batch.length;
      onRows(rows);
    }
  }
  return { rows: sums.rows, digests: sums.digests, faults, faultCount };
}

function faultsOf(shape: RecordShape, record: InspectedRecord): readonly string[] {
  const faults: string[] = [];
  if (!record.under) faults.push('what it belongs to is not there');
  try {
    const document = parseDocument(record.document);
    if (stringify(document) !== record.document)
      faults.push('its document is not written as it should be');
    const merged = merge(shape.document, undefined, document);
    if (merged.faults !== undefined || !equalJson(merged.document, document)) {
      faults.push('its document is not of its shape');
    }
    const keys = storedKeys(shape, document);
    for (const [at, { name }] of shape.keys.entries()) {
      if (keys[at] !== record.keys[at]) faults.push(`its key ${name} is not that of its document`);
    }
  } catch {
    faults.push('its document cannot be read as one of its shape');
  }
  const { updated_at, updated_hour } = record;
  if (updated_hour !== null && updated_hour !== hourOf(updated_at)) {
    faults.push('its hour is not that of its last update');
  }
  return faults;
}
