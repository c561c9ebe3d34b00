/** Why a request was refused, or some of its rows were, as it may be logged: without values, and without names of the caller's own. */
import type { FastifyRequest } from 'fastify';
import { FaultSummary } from '../../services/requests/fault-summary.ts';
import { type ParamMask, UNDECLARED } from '../../services/requests/names.ts';

const maskAll: ParamMask = () => UNDECLARED;

/** `undefined` where nothing was refused. */
export function faultsOf({ done, route }: FastifyRequest): FaultSummary | undefined {
  if (done?.rows !== undefined && done.rows.refused > 0) return done.rows.faults;
  if (done?.code === undefined) return undefined;
  const { paramMask } = route.config ?? {};
  const summary = new FaultSummary(paramMask ?? maskAll);
  for (const fault of done.faults ?? []) {
    const row = done.code === 'batch_refused' ? rowIn(fault.param) : undefined;
    if (row === undefined) summary.add(fault);
    else summary.add({ ...fault, param: row.param }, row.index);
  }
  return summary;
}

/** The faults of an atomic batch begin with the index of their row. */
function rowIn(
  param = '',
): { readonly index: number; readonly param: string | undefined } | undefined {
  const [, index, rest] = /^(\d+)(?:\.(.*))?$/s.exec(param) ?? [];
  return index === undefined ? undefined : { index: Number(index), param: rest };
}
