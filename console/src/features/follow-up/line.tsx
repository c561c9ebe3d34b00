/** One follow-up on a line: whom it is about, why, until when, and by what they are reached. */

import { followUp as says } from 'messages';
import type { FollowUp } from '../../../../client/src/generated/objects.d.ts';
import { now } from '../../clock.ts';
import { useRecord } from '../../load.ts';
import { zoneOfRecord } from '../../places/homes.ts';
import { resourceNamed } from '../../records/description.ts';
import { nameOf } from '../../records/key-names.ts';
import { titleOf, valueIn } from '../../records/records.ts';
import { hrefOf } from '../../router.ts';
import { agoText, paperTimeText } from '../../values/format.ts';
import { isPhone, Phone } from '../../values/value.tsx';
import { ActsOf, type FollowUpActs, isMine } from './acts.tsx';

export function FollowUpLine(props: {
  readonly one: FollowUp;
  readonly acts: FollowUpActs;
}): JSX.Element {
  const { one, acts } = props;
  const resource = resourceNamed(one.resource);
  const { value } = useRecord(resource, one.record);
  const phones = resource?.fields
    .filter(isPhone)
    .map((one) => value && valueIn(resource, value, one));
  const phone = phones?.find((one) => typeof one === 'string');
  const name = resource && value ? titleOf(resource, value) : '…';
  const isLate = one.state !== 'scheduled' && Date.parse(one.due_at) < now();
  return (
    <li data-row data-follow-up={one.unique_identifier}>
      <a href={hrefOf(`${resource?.path}/${one.record}`)}>
        <strong>{name}</strong> <span class="quiet">{says.reasons[one.reason]}</span>
      </a>
      <span>
        {phone !== undefined && value && <Phone number={phone} zone={zoneOfRecord(value)} />}
      </span>
      <small
        class={isLate ? 'tag warn' : undefined}
        data-paper={whenOf(one, isLate, (at) => paperTimeText(at))}
      >
        {whenOf(one, isLate, agoText)}
      </small>
      <small class="printed">{one.owner !== null && !isMine(one) && nameOf(one.owner)}</small>
      <ActsOf one={one} acts={acts} name={name} />
    </li>
  );
}

function whenOf(
  { state, due_at, next_at }: FollowUp,
  isLate: boolean,
  textOf: (at: string) => string,
): string {
  if (state === 'scheduled' && next_at !== null) return says.again(textOf(next_at));
  return isLate ? says.late(textOf(due_at)) : says.due(textOf(due_at));
}
