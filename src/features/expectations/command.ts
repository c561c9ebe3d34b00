/** Says beside each source in their list whether what is expected of it comes. */
import type { Expectation } from '../../../client/src/generated/objects.d.ts';
import type { SaysBeside } from '../../cli/sources/beside.ts';
import { EXPECTATION_STATES } from './declares.ts';
import { operations, takes } from './operations.ts';

/** The worst state of a source, and at how many of its locations it is in that. */
export const beside: SaysBeside<Expectation> = {
  as: 'state',
  by: 'source',
  operation: operations().find(({ name }) => name === 'list_expectations') as never,
  takes: [...takes, 'expectations'],
  says(all) {
    const expected = all.filter(({ status }) => status !== 'off').map(({ state }) => state);
    const worst = EXPECTATION_STATES.findLast((state) => expected.includes(state));
    const alike = expected.filter((state) => state === worst).length;
    if (worst === undefined) return null;
    return expected.length === 1 ? worst : `${worst} (${alike} of ${expected.length})`;
  },
};
