/** Verifies the audit: whether anything was changed, removed, added or moved. */
import type { AuditEntry, AuditHead } from '../../core/objects/requests/audit-entry.ts';
import { type AuditBook, dayOf } from '../../store/books/log/audit.ts';
import { macOf, NO_KEY } from './chain.ts';

const AT_ONCE = 500;
const DAY_MS = 86_400_000;

export interface AuditFault extends Pick<AuditEntry, 'chain' | 'number'> {
  readonly unique_identifier: string | null;
  readonly says: string;
}

export interface AuditVerifying {
  readonly book: Pick<AuditBook, 'walk'>;
  /** All that may have been used. */
  readonly keys: readonly Uint8Array[];
  /** Ends of chains that were kept elsewhere. */
  readonly heads: readonly Omit<AuditHead, 'time'>[];
  readonly days: number;
  readonly now: number;
  readonly progress?: (entries: number) => void;
}

export async function verifyAudit(verifying: AuditVerifying) {
  const { book, keys, heads, days, now, progress } = verifying;
  const retained = new Map(heads.map(({ chain, number, mac }) => [`${chain} ${number}`, mac]));
  const last = new Map<string, number>();
  const faults = new Map<string, AuditFault>();
  let [entries, keyless, unchecked] = [0, 0, 0];
  let before: Pick<AuditEntry, 'chain' | 'number' | 'mac'> | undefined;

  const check = (entry: AuditEntry): string | undefined => {
    const { chain, number, mac } = entry;
    const previous = before?.chain === chain ? before : { number: 0, mac: chain };
    if (number !== previous.number + 1) return missing(previous.number + 1, number - 1);
    if (!keys.some((key) => macOf(key, previous.mac, entry) === mac)) {
      const isKeyless = macOf(NO_KEY, previous.mac, entry) === mac;
      if (!isKeyless && keys.length > 0)
        return 'does not match its mac: it was changed, moved or added, or written with another key';
      if (isKeyless) keyless += 1;
      else unchecked += 1;
    }
    const known = retained.get(`${chain} ${number}`);
    return known === undefined || known === mac ? undefined : 'is not the one of the kept head';
  };

  for (;;) {
    const some = await book.walk(before ?? { chain: '', number: 0 }, AT_ONCE);
    for (const entry of some) {
      const { chain, number, unique_identifier } = entry;
      const says = faults.has(chain) ? undefined : check(entry);
      if (says !== undefined) faults.set(chain, { chain, number, unique_identifier, says });
      last.set(chain, number);
      before = entry;
      entries += 1;
      progress?.(entries);
    }
    if (some.length < AT_ONCE) break;
  }
  // Chains of which some may be removed for their age are cut from their ends.
  const young = dayOf(now - days * DAY_MS);
  for (const { chain, number } of heads) {
    const has = last.get(chain) ?? 0;
    if (has >= number || faults.has(chain) || chain < young) continue;
    const says = missing(has + 1, number);
    faults.set(chain, { chain, number: has + 1, unique_identifier: null, says });
  }
  return {
    entries,
    chains: last.size,
    /** Entries that were written without a key: they prove nothing about somebody who can write to the database. */
    keyless,
    /** Entries of which, without a key, only their numbers and the kept heads could be checked. */
    unchecked,
    faults: [...faults.values()],
  };
}

function missing(from: number, to: number): string {
  return from === to ? `entry ${from} is missing` : `entries ${from} to ${to} are missing`;
}
