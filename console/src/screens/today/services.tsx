/** The services of today and tomorrow: when, for whom and where, whom to call, and who has checked in so far. */
import { page as texts } from 'messages';
import { dayBeganIn, now } from '../../clock.ts';
import { useAgain, useLoad } from '../../load.ts';
import { zoneOfRecord } from '../../places/homes.ts';
import { chosenLocation, useLocations } from '../../places/locations.ts';
import { anchor, resourceNamed } from '../../records/description.ts';
import { parentOf, type Shown, subtitleOf, titleOf } from '../../records/records.ts';
import { hrefOf } from '../../router.ts';
import type { PageOf } from '../../service/api.ts';
import { daysBetween } from '../../values/days.ts';
import { agoText, clockText, unturned } from '../../values/format.ts';
import { Phone } from '../../values/value.tsx';
import { peopleOf } from './load-today.ts';
import { Panel } from './panels.tsx';

/** About as long as a service lasts: before, it shows how near it is; afterwards, it is past. */
const LASTS_MS = 2 * 3_600_000;
const NEAR_MS = 12 * 3_600_000;

interface ServicesProps {
  /** Another one whenever it was loaded again. */
  readonly page: PageOf<Shown>;
}

export function Services({ page }: ServicesProps): JSX.Element | null {
  if (page.data.length === 0) return null;
  // Each by the calendar of its own location.
  const onDay = (day: number) =>
    page.data.filter((record) => {
      const zone = zoneOfRecord(record);
      return daysBetween(dayBeganIn(zone), new Date(beginsAt(record)), zone) === day;
    });
  const days = [
    [texts.today.servicesToday, onDay(0), 'today'],
    [texts.today.servicesTomorrow, onDay(1), 'tomorrow'],
  ] as const;
  return (
    <>
      {days.map(([title, records, day]) => {
        if (records.length === 0) return null;
        const all = hrefOf('events', { order: 'event_datetime', 'event_datetime[days]': day });
        return (
          <Panel key={title} title={title} all={all} wide>
            <ul class="services">
              {records.map((record) => (
                <Service key={record.unique_identifier} record={record} page={page} />
              ))}
            </ul>
          </Panel>
        );
      })}
    </>
  );
}

function Service({ record, page }: ServicesProps & { readonly record: Shown }): JSX.Element | null {
  const resource = resourceNamed('event');
  const id = record.unique_identifier;
  const { value: people, reload } = useLoad(`people of ${id}`, (signal) => peopleOf(id, signal));
  useAgain(page, reload);
  if (resource === undefined) return null;
  const at = String(record.event_datetime);
  const away = beginsAt(record) - now();
  const isNear = away > -LASTS_MS && away < NEAR_MS;
  // Before it begins, no one is missing.
  const visitors = people?.visitors.count === 0 && away > 0 ? undefined : people?.visitors;
  return (
    <li data-row class={away <= -LASTS_MS ? 'past' : undefined}>
      <time dateTime={at}>
        {clockText(at, zoneOfRecord(record), true)}
        {isNear && <small>{agoText(at)}</small>}
      </time>
      <a class="whom" href={hrefOf(`events/${id}`)}>
        <strong>{titleOf(resource, record)}</strong>
        <span class="quiet">{subtitleOf(resource, record)}</span>
      </a>
      <Place record={record} />
      <span class="kin">
        {people?.kin.map((one) => (
          <span key={one.unique_identifier}>
            <a href={hrefOf(`event_administrators/${one.unique_identifier}`)}>
              {unturned(String(one.person_full_name ?? ''))}
            </a>{' '}
            <Phone number={String(one.person_phone_number ?? '')} />
          </span>
        ))}
      </span>
      <span class="visitors">{visitors !== undefined && texts.today.visitors(visitors)}</span>
    </li>
  );
}

/** Where it is, for those to whom more than one place belongs. */
function Place({ record }: { readonly record: Shown }): JSX.Element {
  const { value: locations } = useLocations();
  const isOne = chosenLocation.value !== undefined || (locations?.data.length ?? 2) < 2;
  const place = anchor && parentOf(record, anchor.name);
  return (
    <span class="place">
      {anchor !== undefined && place !== undefined && !isOne && titleOf(anchor, place)}
    </span>
  );
}

function beginsAt(record: Shown): number {
  return new Date(String(record.event_datetime)).getTime();
}
