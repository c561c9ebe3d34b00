/** Checks a store: each record against its shape, its parent and the columns made from it. */
import { type OwnColumn, rowSum } from '../../../core/objects/own-object.ts';
import { changeId, OF_NO_CHANGE, readChangeId } from '../../../core/schema/id.ts';
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
import { createDigests } from './digest.ts';

type Row = Readonly<Record<string, unknown>>;

/** Columns of receipts, which no object declares. */
const RECEIPT_OUTCOMES = ['created', 'updated', 'unchanged', 'deleted', 'batch'];

const MAX_TOLD = 100;

interface Verifying {
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
    for await (const batch of paced(sums.of(part, part.read(snapshot)), pace)) {
      for (const row of batch) {
        const columns = row as Readonly<Record<string, unknown>>;
        for (const fault of faultsOfRow(part, columns)) {
          const { unique_identifier = columns.idempotency_key, account } = columns;
          const of = part.name === 'receipts' ? ` of ${account}` : '';
          found(`${part.name} ${unique_identifier}${of}: ${fault}`);
        }
      }
      if (part.kind === 'changes') await log.check(batch as readonly LoggedChange[], found);
      if (part.kind === 'records') {
        const gone = (batch as readonly (StoredRecord | TombstoneImage)[]).flatMap((row) =>
          'document' in row ? [] : { ...row, version: undefined },
        );
        await log.checkRecords(gone, ({ unique_identifier }, fault) =>
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
      await log.checkRecords(batch, report);
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
    if (merged.faults !== undefined || !equalJson(merged.document, content))
      faults.push('its document is not of its shape');
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
    // A notification of no change is of what else happened at that place.
    if (account === undefined || String(change).startsWith(OF_NO_CHANGE)) return faults;
    const cursor = readChangeId(account, String(change));
    return cursor?.position === position && cursor?.place === place
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
    if (part === 'webhook_endpoints')
      accounts.set(String(row.unique_identifier), String(row.of_account));
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
  const isReadable = row.drafts === null || isJson(row.drafts);
  return isReadable ? outcome : [...outcome, 'its drafts is not JSON'];
}

function isJson(value: unknown): boolean {
  try {
    JSON.parse(String(value));
    return true;
  } catch {
    return false;
  }
}

/** A record, and a commit that is said to have changed it. */
interface ChangedRecord {
  readonly unique_identifier: string;
  readonly account: string;
  readonly position: number;
  /** `undefined`: it is removed. */
  readonly version?: number | undefined;
}

/** In words, of the record or the change that is named first. */
type OnFault = (fault: string) => void;

function createLogCheck(snapshot: Snapshot, resources: readonly BackedUp[]) {
  const shapes = new Map(resources.map(({ shape }) => [shape.resource, shape]));
  /** By account, the position from which the log is retained. */
  const first = new Map<string, number>();
  let last: LoggedChange | undefined;

  function faultsOf(change: LoggedChange): readonly string[] {
    const { account, position, place, token, occurred_at, resource, outcome, content } = change;
    const faults: string[] = [];
    const earlier = last?.account === account ? last : undefined;
    if (earlier?.position === position) {
      if (place <= earlier.place) faults.push('it is not behind the one before it');
      if (token !== earlier.token || occurred_at !== earlier.occurred_at)
        faults.push('it does not agree with the other changes of its commit');
    } else if (position < (earlier?.position ?? 0))
      faults.push('it is not behind the one before it');
    const shape = shapes.get(resource);
    if (change.damaged) faults.push('it is damaged');
    else if (shape === undefined) faults.push('it is of no resource');
    else if (content !== null && !isCanonical(content)) {
      faults.push('what it keeps is not written as it should be');
    } else if (outcome === 'created' && (change.version !== 1 || change.before !== 0)) {
      faults.push('its record was there before it was created');
    }
    return faults;
  }

  async function at(wanted: readonly ChangedRecord[]) {
    const changes = wanted.length === 0 ? [] : await snapshot.changesAt(wanted);
    return Map.groupBy(changes, ({ account, record, position }) =>
      nameOf(account, record, position),
    );
  }

  return {
    /** Some changes, in the order of the log. */
    async check(changes: readonly LoggedChange[], found: OnFault): Promise<void> {
      const followers: LoggedChange[] = [];
      for (const change of changes) {
        const { account, position, before, outcome } = change;
        const begin = first.get(account) ?? position;
        first.set(account, begin);
        const name = `change ${changeId(account, change)} of ${account}`;
        for (const fault of faultsOf(change)) found(`${name}: ${fault}`);
        last = change;
        if (!change.damaged && outcome !== 'wiped' && before > begin) followers.push(change);
      }
      const wanted = followers.map(({ record, account, before }) => {
        return { unique_identifier: record, account, position: before };
      });
      const all = await at(wanted);
      for (const change of followers) {
        const { account, record, before, version } = change;
        const previous = all
          .get(nameOf(account, record, before))
          ?.findLast(({ position, place }) => position < change.position || place < change.place);
        const name = `change ${changeId(account, change)} of ${account}`;
        if (previous === undefined) {
          found(`${name}: the change of ${record} before it, at position ${before}, is missing`);
        } else if (!previous.damaged && previous.version !== version - 1) {
          found(`${name}: version ${version} of ${record} follows version ${previous.version}`);
        }
      }
    },
    /** Whether the newest change of each of these records left it as it is: at that version, or removed. */
    async checkRecords<Row extends ChangedRecord>(
      rows: readonly Row[],
      found: (row: Row, fault: string) => void,
    ): Promise<void> {
      const wanted = rows.filter(
        ({ account, position }) => position > (first.get(account) ?? Number.POSITIVE_INFINITY),
      );
      const all = await at(wanted);
      for (const row of wanted) {
        const { account, unique_identifier, position, version } = row;
        const newest = all.get(nameOf(account, unique_identifier, position))?.at(-1);
        if (newest === undefined) {
          found(row, `the log does not have its last change, at position ${position}`);
        } else if (newest.damaged) {
          // It was reported where the log was read.
        } else if (
          version === undefined ? newest.outcome !== 'deleted' : newest.version !== version
        ) {
          found(row, `its version is not that of its last change, at position ${position}`);
        }
      }
    },
  };
}

function nameOf(account: string, record: string, position: number): string {
  return `${account} ${record} ${position}`;
}

/** Whether a text is an object as it is stored. */
function isCanonical(text: string): boolean {
  try {
    return stringify(parseDocument(text)) === text;
  } catch {
    return false;
  }
}
