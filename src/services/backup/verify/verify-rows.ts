/** Checks rows other than records against what their columns allow. */
import { readChangeId } from '../../../core/schema/change-id.ts';

type Row = Readonly<Record<string, unknown>>;

/** Columns with one of some words. */
const WORDS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  staff: { role: ['viewer', 'editor', 'administrator'] },
  webhook_endpoints: { status: ['enabled', 'failing', 'paused', 'disabled'] },
  webhook_deliveries: { status: ['pending', 'delivered', 'failed'] },
  receipts: { outcome: ['created', 'updated', 'unchanged', 'deleted', 'batch'] },
};

/** Columns with JSON, or nothing. */
const JSONS: Readonly<Record<string, readonly string[]>> = {
  staff: ['accounts', 'anchors'],
  staff_passkeys: ['transports'],
  webhook_endpoints: ['settings', 'secrets'],
  imports: ['state'],
  receipts: ['document', 'drafts'],
};

/** Columns with a list, or nothing. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  keys: ['accounts', 'anchors', 'permissions', 'resources', 'allow', 'from'],
};

export class RowCheck {
  /** The accounts of webhook endpoints. */
  readonly #accounts = new Map<string, string>();

  /** The faults of a row of a part, in words. */
  faultsOf(part: string, row: Row): readonly string[] {
    const faults: string[] = [];
    for (const [column, words] of Object.entries(WORDS[part] ?? {})) {
      if (!words.includes(String(row[column]))) faults.push(`its ${column} is none that there is`);
    }
    for (const column of JSONS[part] ?? []) {
      if (row[column] !== null && !isJson(row[column])) faults.push(`its ${column} is not JSON`);
    }
    for (const column of LISTS[part] ?? []) {
      if (row[column] !== null && !Array.isArray(row[column])) {
        faults.push(`its ${column} is not a list`);
      }
    }
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

function isJson(value: unknown): boolean {
  try {
    JSON.parse(String(value));
    return true;
  } catch {
    return false;
  }
}
