/** Tells what is wrong with a file from what is wrong with where it goes. */
import { Mistake } from '../../../../cli/mistake.ts';
import { ApiError } from '../../../../core/errors.ts';
import { pathFault } from '../../../../core/owners.ts';
import { TransferRefused } from '../../../../services/transfer/refused.ts';

/** Statuses of the caller, the key, or the moment: no other file would fare better. */
const PASSING = new Set([401, 403, 404, 408, 409, 425, 429]);
/** Errors whose sentence is for who runs the command. */
const EXPLAINED = new Set([
  ...['StoreUnavailable', 'StoreUnsure', 'StoreUnusable', 'SettingsError', 'TransferRefused'],
  ...['StoreRefusal', 'ApiError', 'Stays'],
]);

/** Why this file is refused; `undefined`: nothing is wrong with it, and it is tried again. */
export function faultOf(error: unknown): string | undefined {
  if (error instanceof TransferRefused) return isOfSystem(error.cause) ? undefined : error.message;
  if (!(error instanceof ApiError) || error.status >= 500 || PASSING.has(error.status))
    return undefined;
  return error.message;
}

/** The reason for who runs the command, in one line. */
export function inWords(error: unknown): string {
  const { name, message } = error as Error;
  if (error instanceof Mistake || EXPLAINED.has(name)) return message.replaceAll('\n', ' ');
  return pathFault(error) ?? `unexpected: ${message}.`;
}

/** An error of a file system, such as a full disk. */
function isOfSystem(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return 'errno' in error || 'errcode' in error || isOfSystem(error.cause);
}
