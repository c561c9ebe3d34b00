/** The services of today and tomorrow, with who has checked in so far. */
import type { JSX } from 'preact';
import type { PageOf } from '../../api.ts';
import { resourceNamed } from '../../description.ts';
import { useLoad } from '../../load.ts';
import { type Shown, subtitleOf, titleOf } from '../../records.ts';
import { hrefOf } from '../../router.ts';
import { texts } from '../../texts.ts';
import { midnight, withOffset } from '../../values/days.ts';
import { clockText } from '../../values/format.ts';
import { visitorsOf } from './load-today.ts';
import { Panel } from './panel.tsx';

export function Services({ page }: { readonly page: PageOf<Shown> }): JSX.Element | null {
  if (page.data.length === 0) return null;
  const tomorrow = midnight(new Date(), 1).getTime();
  const isToday = (record: Shown): boolean =>
    new Date(String(record.event_datetime)).getTime() < tomorrow;
  const days = [
    [texts.today.servicesToday, page.data.filter(isToday)],
    [texts.today.servicesTomorrow, page.data.filter((record) => !isToday(record))],
  ] as const;
  const all = hrefOf('events', {
    order: 'event_datetime',
    'event_datetime[gte]': withOffset(midnight()),
  });
  return (
    <>
      {days.map(([title, records]) =>
        records.length === 0 ? null : (
          <Panel key={title} title={title} all={all} wide>
            <ul class="services">
              {records.map((record) => (
                <Service key={record.unique_identifier} record={record} />
              ))}
            </ul>
          </Panel>
        ),
      )}
    </>
  );
}

function Service({ record }: { readonly record: Shown }): JSX.Element | null {
  const resource = resourceNamed('event');
  const id = record.unique_identifier;
  const { value: visitors } = useLoad(`visitors of ${id}`, (signal) => visitorsOf(id, signal));
  if (resource === undefined) return null;
  return (
    <li data-row>
      <a href={hrefOf(`events/${id}`)}>
        <time dateTime={String(record.event_datetime)}>
          {clockText(String(record.event_datetime))}
        </time>
        <span class="whom">
          <strong>{titleOf(resource, record)}</strong>
          <span class="quiet">{subtitleOf(resource, record)}</span>
        </span>
        <span class="visitors">{visitors !== undefined && texts.today.visitors(visitors)}</span>
      </a>
    </li>
  );
}
