/** Prints accounts. */
import type { ListColumns } from '../../core/objects/own-object.ts';
import { dayOf } from '../keys/key-view.ts';

export interface AccountJson {
  readonly unique_identifier: string;
  readonly name: string;
  readonly livemode: boolean;
  readonly inserted_at: string;
  readonly closed_at?: string;
  readonly becomes?: string;
  readonly time_zone: string;
  readonly inherited: readonly string[];
}

export const accountColumns: ListColumns = [
  ['ACCOUNT', 'unique_identifier'],
  'name',
  ['MODE', modeOf],
  ['STATUS', statusOf],
  [
    'TIME ZONE',
    ({ time_zone: zone, inherited }: AccountJson) =>
      inherited.includes('time_zone') ? `${zone} (not set)` : zone,
  ],
  ['CREATED', (one: AccountJson) => dayOf(one.inserted_at)],
];

function statusOf({ closed_at, becomes }: AccountJson): string {
  if (becomes !== undefined) return becomes === 'gone' ? 'being removed' : 'being emptied';
  return closed_at === undefined ? 'open' : `closed ${dayOf(closed_at)}`;
}

export function modeOf({ livemode }: AccountJson): string {
  return livemode ? 'live' : 'test';
}
