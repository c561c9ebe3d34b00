/** The follow-ups of a record, with their attempts. */
import { followups as says } from 'messages';
import { Fragment } from 'preact';
import type { FollowUp } from '../../../../client/src/generated/objects.d.ts';
import { useLoad } from '../../load.ts';
import { Button } from '../../parts/button.tsx';
import { saidOf } from '../../records/description.ts';
import { nameOf } from '../../records/key-names.ts';
import type { OfRecord } from '../../records/records.ts';
import { api } from '../../service/api.ts';
import { momentText } from '../../values/format.ts';
import { useFollowUpActs } from './acts.tsx';
import { FollowUpLine } from './line.tsx';

const SHOWN = 10;

export function RecordFollowUps({ resource, record }: OfRecord): JSX.Element | null {
  const id = record.unique_identifier;
  const may = saidOf(resource).includes('do_not_contact');
  const { value, reload } = useLoad(may ? `follow-ups of ${id}` : undefined, (signal) =>
    api.follow_ups.list({ record: id, limit: SHOWN }, { signal }).page(),
  );
  const { dialog, fault, acts } = useFollowUpActs(reload);
  if (!may || value === undefined) return null;
  const isOpen = value.data.some(({ state }) => state !== 'closed');
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
            {one.state === 'closed' ? <Closed one={one} /> : <FollowUpLine one={one} acts={acts} />}
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

function Closed({ one }: { readonly one: FollowUp }): JSX.Element {
  const { reason, outcome, closed_at, closed_by, note } = one;
  return (
    <li>
      <span>
        {says.reasons[reason]} · <strong>{outcome !== null && says.outcomes[outcome]}</strong>
      </span>{' '}
      <small>
        {closed_at !== null && momentText(closed_at)} {closed_by !== null && nameOf(closed_by)}
      </small>{' '}
      {note}
    </li>
  );
}
