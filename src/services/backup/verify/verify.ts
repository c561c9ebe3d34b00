/** Checks a store: each record against its shape, its parent and the columns made from it. */

import { type OwnColumn, rowSum } from '../../../core/objects/own-object.ts';
import { readChangeId } from '../../../core/schema/change-id.ts';
import { equalJson, stringify } from '../../../core/schema/json/json.ts';
import { merge } from '../../../core/schema/merge/merge.ts';
import { withoutPins } from '../../../core/schema/pins.ts';
import type { RecordShape } from '../../../core/schema/shape.ts';
import type { LoggedChange } from '../../../store/promises/log.ts';
import type {
  InspectedRecord,
  Snapshot,
  TombstoneImage,
} from '../../../store/promises/snapshot.ts';
import type { StoredRecord } from '../../../store/promises/stored.ts';
import { parseDocument, storedKeys } from '../../../store/records/records.ts';
import { type Pacing, paced } from '../../transfer/pace.ts';
import type { BackedUp, Part } from '../parts.ts';
import { createDigests, rowLine } from './digest.ts';
import { createLogCheck } from './verify-changes.ts';

type Row = Readonly<Record<string, unknown>>;

/** Columns of receipts, which no object declares. */
const RECEIPT_OUTCOMES = ['created', 'updated', 'unchanged', 'deleted', 'batch'];
const RECEIPT_JSON = ['document', 'drafts'];

const MAX_TOLD = 100;

export interface Verifying {
  /** Called with how many rows were read so far, and of what the last ones are. */
  readonly onRows?: (rows: number, of: string) => void;
  /** Not said: it takes no pauses. */
  readonly pace?: Pacing | undefined;
}

/** Reads everything. Of faults it says the first hundred in words, and counts all. */
export async function verifyStore(
  snapshot: Snapshot,
  parts: readonly Part[],
  resources: readonly BackedUp[],
  { onRows = () => {}, pace }: Verifying = {},
) {
  const faults: string[] = [...(await snapshot.damage())];
  let faultCount = faults.length;
  let rows = 0;
  const found = (fault: string): void => {
    faultCount += 1;
    if (faults.length < MAX_TOLD) faults.push(fault);
  };
  const log = createLogCheck(snapshot, resources);
  const faultsOfRow = createRowCheck();
  const sums = createDigests();
  // The log comes first: it shows how far back records can be compared with it.
  const inOrder = parts.toSorted((one, other) => isLog(other) - isLog(one));
  for (const part of inOrder) {
    sums.begin(part.name);
    for await (const batch of paced(part.read(snapshot), pace)) {
      for (const row of batch) {
        sums.add(part.counted?.(row) ?? part.name, rowLine(row));
        const columns = row as Readonly<Record<string, unknown>>;
        for (const fault of faultsOfRow(part, columns)) {
          const { unique_identifier = columns.idempotency_key, account } = columns;
          const of = part.name === 'receipts' ? ` of ${account}` : '';
          found(`${part.name} ${unique_identifier}${of}: ${fault}`);
        }
      }
      if (part.kind === 'changes') await log.check(batch as readonly LoggedChange[], found);
      if (part.kind === 'records') {
        const gone = (batch as readonly (StoredRecord | TombstoneImage)[]).filter(
          (row) => !('document' in row),
        );
        const removed = () => 'removed' as const;
        await log.checkRecords(gone, removed, ({ unique_identifier }, fault) =>
          found(`removed ${part.name} ${unique_identifier}: ${fault}`),
        );
      }
      rows += batch.length;
      onRows(rows, part.name);
    }
  }
  for (const { path, shape } of resources) {
    for await (const batch of paced(snapshot.inspect(shape), pace)) {
      const report = (record: InspectedRecord, fault: string) =>
        found(`${path} ${record.unique_identifier}: ${fault}`);
      for (const record of batch) {
        for (const fault of faultsOf(shape, record)) report(record, fault);
      }
      await log.checkRecords(batch, ({ version }) => version, report);
      rows += batch.length;
      onRows(rows, path);
    }
  }
  return { rows: sums.rows, digests: sums.digests, faults, faultCount };
}

function isLog({ kind }: Part): number {
  return kind === 'changes' ? 1 : 0;
}

function faultsOf(shape: RecordShape, record: InspectedRecord): readonly string[] {
  const faults: string[] = [];
  if (record.damaged) faults.push('it is not as it was written');
  if (!record.under) faults.push('what it belongs to is not there');
  try {
    const document = parseDocument(record.document);
    if (stringify(document) !== record.document)
      faults.push('its document is not written as it should be');
    const content = withoutPins(document);
    const merged = merge(shape.document, undefined, content);
    if (merged.faults !== undefined || !equalJson(merged.document, content)) {
      faults.push('its document is not of its shape');
    }
    const keys = storedKeys(shape, document);
    for (const [at, { name }] of shape.keys.entries()) {
      if (keys[at] !== record.keys[at]) faults.push(`its key ${name} is not that of its document`);
    }
  } catch {
    faults.push('its document cannot be read as one of its shape');
  }
  if (!record.timed) faults.push('what it is found by is not the time of its last update');
  return faults;
}

export function createRowCheck() {
  /** The accounts of webhook endpoints. */
  const accounts = new Map<string, string>();

  function ofDelivery({ endpoint, change, position, place, type }: Row): readonly string[] {
    const faults = /^[a-z_]+\.[a-z_]+$/.test(String(type))
      ? []
      : ['its type is none that there is'];
    const account = accounts.get(String(endpoint));
    if (account === undefined) return faults;
    const mark = readChangeId(account, String(change));
    return mark?.position === position && mark?.place === place
      ? faults
      : [...faults, 'its change is not at that place'];
  }

  /** The faults of a row of a part, in words. */
  return ({ name: part, columns = [] }: Pick<Part, 'name' | 'columns'>, row: Row) => {
    const faults = columns.flatMap((column) => faultOf(column, row[column.name]));
    const sum = columns.find(({ field }) => field.kind.isSum);
    const known = sum === undefined ? null : row[sum.name];
    if (known != null && known !== rowSum(columns, ({ name }) => row[name]))
      faults.push('it is not as it was written');
    if (part === 'receipts') faults.push(...ofReceipt(row));
    if (part === 'webhook_endpoints') {
      accounts.set(String(row.unique_identifier), String(row.of_account));
    }
    if (part === 'webhook_deliveries') faults.push(...ofDelivery(row));
    return faults;
  };
}

function faultOf({ name, kind, field }: OwnColumn, value: unknown): readonly string[] {
  const { isJson: holdsJson, blank, shown, words = wordsOf(shown) } = field.kind;
  if (value === null || value === undefined || value === blank) return [];
  if (kind === 'texts') return Array.isArray(value) ? [] : [`its ${name} is not a list`];
  if (holdsJson) return isJson(value) ? [] : [`its ${name} is not JSON`];
  return words?.includes(String(value)) === false ? [`its ${name} is none that there is`] : [];
}

/** The texts that a schema allows, where it names them. */
function wordsOf(shown: OwnColumn['field']['kind']['shown']): readonly string[] | undefined {
  return typeof shown === 'function' ? undefined : (shown.enum as readonly string[] | undefined);
}

function ofReceipt(row: Row): readonly string[] {
  const outcome = RECEIPT_OUTCOMES.includes(String(row.outcome))
    ? []
    : ['its outcome is none that there is'];
  const texts = RECEIPT_JSON.filter((name) => row[name] !== null && !isJson(row[name]));
  return [...outcome, ...texts.map((name) => `its ${name} is not JSON`)];
}

function isJson(value: unknown): boolean {
  try {
    JSON.parse(String(value));
    return true;
  } catch {
    return false;
  }
}
