/** Why a request was refused, or some of its rows were, as it may be logged: without values, and without names of the caller's own. */
import type { FastifyRequest } from 'fastify';
import { type TellParam, tellParamOf, UNDECLARED } from '../../services/requests/names.ts';
import { ToldFaults } from '../../services/requests/told-faults.ts';

const tellNone: TellParam = () => UNDECLARED;

/** `undefined` where nothing was refused. */
export function faultsOf({ done, route }: FastifyRequest): ToldFaults | undefined {
  if (done?.rows !== undefined && done.rows.refused > 0) return done.rows.faults;
  if (done?.code === undefined) return undefined;
  const { needs, tell = needs && tellParamOf(needs.resource) } = route.config ?? {};
  const told = new ToldFaults(tell ?? tellNone);
  for (const { code, param, message } of done.faults ?? []) {
    const row = done.code === 'batch_refused' ? rowIn(param) : undefined;
    if (row === undefined) told.add({ code, param, message });
    else told.add({ code, param: row.param, message }, row.index);
  }
  return told;
}

/** The faults of an atomic batch begin with the index of their row. */
function rowIn(
  param = '',
): { readonly index: number; readonly param: string | undefined } | undefined {
  const [, index, rest] = /^(\d+)(?:\.(.*))?$/s.exec(param) ?? [];
  return index === undefined ? undefined : { index: Number(index), param: rest };
}
