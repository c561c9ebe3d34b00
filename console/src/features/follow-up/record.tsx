/** The follow-ups of a record, with their attempts. */
import { followUp as says } from 'messages';
import { Fragment } from 'preact';
import type { FollowUp } from '../../../../client/src/generated/objects.d.ts';
import { useLoad } from '../../load.ts';
import { Button } from '../../parts/button.tsx';
import { nameOf } from '../../records/key-names.ts';
import { api } from '../../service/api.ts';
import { hasRight } from '../../service/session.ts';
import { momentText } from '../../values/format.ts';
import { isEmail, isPhone } from '../../values/value.tsx';
import type { Spots } from '../spots.ts';
import { useFollowUpActs } from './acts.tsx';
import { FollowUpLine } from './line.tsx';

const SHOWN = 10;

export function RecordPanel({ resource, record }: Spots['RecordPanel']): JSX.Element | null {
  const id = record.unique_identifier;
  const isReached = resource.fields.some((field) => isPhone(field) || isEmail(field));
  const may = hasRight('follow_up') && isReached;
  const { value, reload } = useLoad(may ? `follow-ups of ${id}` : undefined, (signal) =>
    api.follow_ups.list({ record: id, limit: SHOWN }, { signal }).page(),
  );
  const { dialog, fault, acts } = useFollowUpActs(reload);
  if (!may || value === undefined) return null;
  const isOpen = value.data.some(({ state }) => state !== 'closed');
  // The last that was closed can be opened again, long after its undo is gone. The register lifts what it has.
  const [last] = value.data.toSorted((one, other) =>
    (other.closed_at ?? '').localeCompare(one.closed_at ?? ''),
  );
  return (
    <section class="panel-of follow-ups" aria-label={says.title}>
      <header>
        <h2>{says.title}</h2>
        {!isOpen && <Button label={says.begin} asks onClick={() => acts.begin(id)} />}
      </header>
      {fault}
      <ul class="lines">
        {value.data.map((one) => (
          <Fragment key={one.unique_identifier}>
            {one.state === 'closed' ? (
              <Closed
                one={one}
                onReopen={
                  isOpen || one !== last || one.outcome === 'do_not_contact'
                    ? undefined
                    : acts.reopen
                }
              />
            ) : (
              <FollowUpLine one={one} acts={acts} />
            )}
            {one.attempts.map((it) => (
              <li key={it.at} class="quiet">
                {momentText(it.at)} · {says.channels[it.channel]} · {says.attempted[it.outcome]} ·{' '}
                {nameOf(it.by)} {it.note}
              </li>
            ))}
          </Fragment>
        ))}
      </ul>
      {dialog}
    </section>
  );
}

function Closed(props: {
  readonly one: FollowUp;
  readonly onReopen: ((one: FollowUp) => void) | undefined;
}): JSX.Element {
  const { one, onReopen } = props;
  const { reason, outcome, closed_at, closed_by, note } = one;
  return (
    <li>
      <span>
        {says.reasons[reason]} · <strong>{outcome !== null && says.outcomes[outcome]}</strong>
      </span>{' '}
      <small class="printed">
        {closed_at !== null && momentText(closed_at)} {closed_by !== null && nameOf(closed_by)}
      </small>{' '}
      {note}{' '}
      {onReopen !== undefined && (
        <Button class="plain link" label={says.reopen} asks onClick={() => onReopen(one)} />
      )}
    </li>
  );
}
