/** Above the fields of a record whose person nobody is to contact: since when, why, and the way to lift it. */
import { doNotContact as says, page as texts } from 'messages';
import { useLoad } from '../../load.ts';
import { Button } from '../../parts/button.tsx';
import { saidOf } from '../../records/description.ts';
import { nameOf } from '../../records/key-names.ts';
import { api } from '../../service/api.ts';
import { hasRight } from '../../service/session.ts';
import { dayText } from '../../values/format.ts';
import type { Spots } from '../spots.ts';
import { useLift } from './lift.tsx';
import { whoOf } from './who.ts';

export function RecordPanel(props: Spots['RecordPanel']): JSX.Element | null {
  const { resource, record } = props;
  const isSaid = saidOf(resource).includes('do_not_contact') && record.do_not_contact === true;
  return isSaid ? <Said {...props} /> : null;
}

function Said({ record }: Spots['RecordPanel']): JSX.Element {
  const id = record.unique_identifier;
  const may = hasRight('do_not_contact');
  const { value, reload } = useLoad(may ? `do not contact of ${id}` : undefined, (signal) =>
    api.do_not_contact.list({ record: id }, { signal }).page(),
  );
  const { dialog, fault, lift } = useLift(reload);
  return (
    <section class="panel-of no-contact" aria-label={says.panel}>
      <header>
        <h2>{says.panel}</h2>
      </header>
      <p>{says.panelHint}</p>
      {fault}
      <ul class="lines">
        {(value?.data ?? []).map((one) => (
          <li key={one.unique_identifier}>
            <span>{whoOf(one)}</span>
            <small>
              {says.saidOn(dayText(new Date(one.inserted_at)))}{' '}
              {texts.record.by(nameOf(one.said_by))}
            </small>
            <span class="quiet">{one.reason}</span>
            <Button
              class="plain"
              label={says.lift}
              of={whoOf(one)}
              asks
              onClick={() => lift(one)}
            />
          </li>
        ))}
      </ul>
      {dialog}
    </section>
  );
}
