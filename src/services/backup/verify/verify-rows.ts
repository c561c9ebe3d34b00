/** Checks rows other than records against what their columns allow. */
import { type OwnColumn, rowSum } from '../../../core/objects/own-object.ts';
import { readChangeId } from '../../../core/schema/change-id.ts';
import type { Part } from '../parts.ts';

type Row = Readonly<Record<string, unknown>>;

/** Columns of receipts, which no object declares. */
const RECEIPT_OUTCOMES = ['created', 'updated', 'unchanged', 'deleted', 'batch'];
const RECEIPT_JSON = ['document', 'drafts'];

export class RowCheck {
  /** The accounts of webhook endpoints. */
  readonly #accounts = new Map<string, string>();

  /** The faults of a row of a part, in words. */
  faultsOf(
    { name: part, columns = [] }: Pick<Part, 'name' | 'columns'>,
    row: Row,
  ): readonly string[] {
    const faults = columns.flatMap((column) => faultOf(column, row[column.name]));
    const sum = columns.find(({ field }) => field.kind.isSum);
    const known = sum === undefined ? null : row[sum.name];
    if (known != null && known !== rowSum(columns, ({ name }) => row[name]))
      faults.push('it is not as it was written');
    if (part === 'receipts') faults.push(...ofReceipt(row));
    if (part === 'webhook_endpoints') {
      this.#accounts.set(String(row.unique_identifier), String(row.of_account));
    }
    if (part === 'webhook_deliveries') faults.push(...this.#ofDelivery(row));
    return faults;
  }

  #ofDelivery({ endpoint, change, position, place, type }: Row): readonly string[] {
    const faults = /^[a-z_]+\.[a-z_]+$/.test(String(type))
      ? []
      : ['its type is none that there is'];
    const account = this.#accounts.get(String(endpoint));
    if (account === undefined) return faults;
    const mark = readChangeId(account, String(change));
    return mark?.position === position && mark?.place === place
      ? faults
      : [...faults, 'its change is not at that place'];
  }
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
