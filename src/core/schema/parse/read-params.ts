/** Reads what was sent to an operation, by the members that its declaration names. */
import { Faults } from '../../errors.ts';
import { type Members, readMembers } from '../fields/members.ts';
import type { JsonObject } from '../values.ts';
import { type Params, parseBody } from './parse.ts';
import { readQuery } from './query-string.ts';

/** Parameters of an operation: members of its query, and members of its body if it takes one. */
export interface OperationParams {
  readonly query?: Members | undefined;
  readonly body?: Members | undefined;
  /** Adds faults that no member can see alone. */
  readonly check?: ((values: JsonObject, faults: Faults) => void) | undefined;
}

/** Gives the values, or throws one `ApiError` that names every fault; `check` adds those of a caller that knows more. */
export type ParamsReader<Values = JsonObject> = (check?: OperationParams['check']) => Values;

/** Nothing is read before the function is called. */
export function readerOf({ query = {}, body, check: own }: OperationParams, params: Params): ParamsReader {
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
