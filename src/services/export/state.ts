/** The position of an export: a file from which the next one continues. */
import { readFileSync } from 'node:fs';
import { changeId, readChangeId } from '../../core/schema/change-id.ts';
import type { ChangeMark } from '../../store/promises/log.ts';
import { TransferRefused } from '../transfer/refused.ts';

/** By account, the last change that was in an export; `undefined` where there was none. */
export type ExportState = ReadonlyMap<string, ChangeMark | undefined>;

const FORMAT = 1;

/** `undefined` where the file does not exist yet. Throws `TransferRefused` where it contains no state to continue from. */
export function readState(path: string): ExportState | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new TransferRefused(`${path} cannot be read (${code}).`);
  }
  const accounts = accountsIn(text);
  if (accounts === undefined) {
    throw new TransferRefused(
      `${path} was not written by an export. Name another file to start with everything.`,
    );
  }
  return new Map(
    Object.entries(accounts).map(([account, change]) => [
      account,
      typeof change === 'string' ? readChangeId(account, change) : undefined,
    ]),
  );
}

export function stateText(state: ExportState): string {
  const accounts = Array.from(state, ([account, mark]) => [
    account,
    mark === undefined ? null : changeId(account, mark),
  ]);
  return `${JSON.stringify({ ledgerstone: 'export', format: FORMAT, accounts: Object.fromEntries(accounts) }, null, 2)}\n`;
}

function accountsIn(text: string): object | undefined {
  try {
    const { ledgerstone, format, accounts } = JSON.parse(text);
    const isOurs = ledgerstone === 'export' && format === FORMAT;
    return isOurs && typeof accounts === 'object' && accounts !== null ? accounts : undefined;
  } catch {
    return undefined;
  }
}
