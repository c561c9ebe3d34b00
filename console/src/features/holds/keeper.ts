/** What the search for a person says of a record that a hold keeps. */
import { holds as says } from 'messages';
import { hrefOf } from '../../router.ts';
import type { Keeper } from '../spots.ts';

export const keeper: Keeper = {
  prefix: 'hld_',
  why: says.keeper.why,
  isFirm: false,
  name: says.keeper.name,
  right: 'hold',
  hrefOf: (_, record) => hrefOf('holds', { record }),
};
