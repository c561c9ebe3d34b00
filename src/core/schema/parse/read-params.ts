/** Reads the parameters of an operation by the members that it declares. */
import { Faults } from '../../errors.ts';
import { type Members, readMembers } from '../fields/members.ts';
import type { JsonObject } from '../values.ts';
import { type Params, parseBody } from './parse.ts';
import { readQuery } from './query-string.ts';

/** Parameters of an operation: members of its query, and members of its body if it takes one. */
export interface OperationParams {
  readonly query?: Members | undefined;
  readonly body?: Members | undefined;
  /** Adds faults that concern several members. */
  readonly check?: ((values: JsonObject, faults: Faults) => void) | undefined;
}

/** Returns the values, or throws one `ApiError` that names every fault; `check` adds the caller's own faults. */
export type ParamsReader<Values = JsonObject> = (check?: OperationParams['check']) => Values;

/** Nothing is read before the function is called. */
export function readerOf(
  { query = {}, body, check: own }: OperationParams,
  params: Params,
): ParamsReader {
  return (check) => {
    const { encoding, unknown } = params;
    const faults = new Faults();
    const values = readQuery(query, params.query, faults, unknown);
    if (body !== undefined) {
      const sent = parseBody(params, faults) ?? {};
      const reading = { encoding, faults, unknown, always: 'here' };
      Object.assign(values, readMembers(body, sent, '', reading));
    }
    own?.(values, faults);
    check?.(values, faults);
    faults.throwIfAny();
    return values;
  };
}
