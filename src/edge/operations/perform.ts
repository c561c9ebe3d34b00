/** Performs an operation for HTTP, the console and the command line: authorizes it, records it in the audit, and runs it. */
import { ApiError } from '../../core/errors.ts';
import type { AuditAction, AuditFacts } from '../../core/objects/requests/audit-entry.ts';
import {
  authorizeAction,
  authorizeNamedRight,
  authorizeRight,
  checkAdministrator,
  type Principal,
} from '../../records/auth/principal.ts';
import type { Runnable } from './operation.ts';

export type Performed = Pick<Runnable<never>, 'name' | 'route' | 'needs' | 'audits' | 'confirms'>;

export interface Auditing {
  /** The action to record before anything is done; `undefined`: nothing is recorded. */
  readonly action: AuditAction | undefined;
  /** Rejects where it cannot be recorded, so that nothing is done. */
  readonly record: (facts: AuditFacts) => Promise<void>;
  /** Whether an error that is no `ApiError` says that nothing was done. */
  readonly isMistake?: (error: unknown) => boolean;
}

export function perform<Answer>(
  operation: Performed,
  caller: () => Principal,
  auditing: Auditing,
  run: () => Promise<Answer>,
): Promise<Answer> {
  return audited(auditing, auditedAs(operation), async (begins) => {
    // Who calls an open operation is not known.
    if (operation.needs !== undefined) authorizeFor(operation, caller());
    await begins();
    return run();
  });
}

/** Runs what calls `begins` before it does anything; what is refused leaves another entry, `refused`. */
export async function audited<Answer>(
  { action, record, isMistake }: Auditing,
  what: string,
  run: (begins: () => Promise<void>) => Promise<Answer>,
): Promise<Answer> {
  if (action === undefined) return run(async () => {});
  try {
    return await run(() => record({ action, what }));
  } catch (error) {
    const isRefusal = error instanceof ApiError ? error.status < 500 : isMistake?.(error) === true;
    // The refusal is what the caller must learn, also while the audit takes nothing.
    if (isRefusal) await record({ action: 'refused', what }).catch(() => undefined);
    throw error;
  }
}

/** The action that stands in the audit before the operation is done, for who must be in it. */
export function auditedBefore({ audits, confirms }: Performed): AuditAction | undefined {
  return confirms === true ? (audits ?? 'administer') : undefined;
}

/** The audit's name for an operation. */
export function auditedAs({ name, route }: Pick<Performed, 'name' | 'route'>): string {
  return name ?? route;
}

/** Throws `permission_denied` unless the principal may call the operation. */
export function authorizeFor({ needs = {} }: Pick<Performed, 'needs'>, principal: Principal): void {
  const { permission, right, whole, administrator } = needs;
  if (administrator === true) checkAdministrator(principal);
  if (right !== undefined)
    (whole === true ? authorizeRight : authorizeNamedRight)(principal, right);
  if (permission !== undefined) authorizeAction(principal, permission);
}
