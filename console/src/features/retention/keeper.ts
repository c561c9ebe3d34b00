/** What the search for a person says of a record that a rule keeps until it is old enough. */
import { retention as says } from 'messages';
import { hrefOf } from '../../router.ts';
import type { Keeper } from '../spots.ts';

export const keeper: Keeper = {
  prefix: 'ret_',
  why: says.keeper.why,
  isFirm: true,
  name: says.keeper.name,
  right: 'erase',
  hrefOf: (rule) => hrefOf(`retention/${rule}`),
};
