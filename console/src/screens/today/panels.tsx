/** The panels of the first screen: services of today and tomorrow, and what has arrived. */
import { page as texts } from 'messages';
import type { ComponentChildren } from 'preact';
import { dayBeganIn, now } from '../../clock.ts';
import { useAgain, useLoad } from '../../load.ts';
import { later } from '../../parts/later.tsx';
import { zoneOfRecord } from '../../places/homes.ts';
import { chosenLocation, useLocations } from '../../places/locations.ts';
import { anchor, fieldOf, resourceNamed } from '../../records/description.ts';
import { at, parentOf, type Shown, subtitleOf, titleOf } from '../../records/records.ts';
import { said } from '../../records/said.tsx';
import { hrefOf } from '../../router.ts';
import type { PageOf } from '../../service/api.ts';
import { daysBetween } from '../../values/days.ts';
import { agoText, clockText, labelled, unturned } from '../../values/format.ts';
import { Phone, Value } from '../../values/value.tsx';
import { imageCount, imageSource } from '../record/image-source.ts';
import { peopleOf } from './load-today.ts';
import { happenedAt } from './visits.ts';

const CardImage = later((seldom) => seldom.CardImage, null);

/** About as long as a service lasts: before, it shows how near it is; afterwards, it is past. */
const LASTS_MS = 2 * 3_600_000;
const NEAR_MS = 12 * 3_600_000;

interface PanelProps {
  /** Another one whenever it was loaded again. */
  readonly page: PageOf<Shown>;
}

/** When, for whom and where, whom to call, and who has checked in so far. */
export function Services({ page }: PanelProps): JSX.Element | null {
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

function Service({ record, page }: PanelProps & { readonly record: Shown }): JSX.Element | null {
  const resource = resourceNamed('event');
  const id = record.unique_identifier;
  const { value: people, reload } = useLoad(`people of ${id}`, (signal) => peopleOf(id, signal));
  useAgain(page, reload);
  if (resource === undefined) return null;
  const kin = resourceNamed('event_administrator');
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
        {away <= -LASTS_MS && <small>{texts.today.over}</small>}
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
            <Phone number={String(one.person_phone_number ?? '')} zone={zoneOfRecord(record)} />{' '}
            {kin && said({ resource: kin, record: one })}
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

export function Replies({ page }: PanelProps): JSX.Element | null {
  const resource = resourceNamed('direct_mail_reply');
  if (resource === undefined || page.data.length === 0) return null;
  return (
    <Panel title={texts.today.replies} all={hrefOf(resource.path, { view: 'cards' })} wide>
      <ul class="replies">
        {page.data.map((record) => (
          <li key={record.unique_identifier} data-row>
            <a href={hrefOf(`${resource.path}/${record.unique_identifier}`)}>
              {imageCount({ resource, record }) > 0 && (
                <CardImage source={imageSource({ resource, record }, 0)} says="" />
              )}
              <strong>{titleOf(resource, record)}</strong>
              <small>{agoText(String(record.inserted_at))}</small>
            </a>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

export function Arrangements({ page }: PanelProps): JSX.Element | null {
  const resource = resourceNamed('online_arrangement');
  if (resource === undefined || page.data.length === 0) return null;
  const value = fieldOf(resource, 'additional_cart_metadata.cart_value_in_cents');
  const abandoned = fieldOf(resource, 'additional_cart_metadata.is_abandoned_cart');
  return (
    <Panel title={texts.today.arrangements} all={hrefOf(resource.path)}>
      <ul class="lines">
        {page.data.map((record) => (
          <li key={record.unique_identifier} data-row>
            <a href={hrefOf(`${resource.path}/${record.unique_identifier}`)}>
              <strong>{titleOf(resource, record)}</strong>{' '}
              {abandoned !== undefined && at(record, abandoned.at) === true && (
                <span class="tag warn">{abandoned.label}</span>
              )}
            </a>
            <span class="amount">
              {value !== undefined && (
                <Value resource={resource} record={record} field={value} short />
              )}
            </span>
            <small>{agoText(String(record.inserted_at))}</small>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

export function Interested({ page }: PanelProps): JSX.Element | null {
  const resource = resourceNamed('event_check_in_record');
  if (resource === undefined || page.data.length === 0) return null;
  const all = hrefOf(resource.path, { visitor_interested_in_pre_planning: 'true' });
  return (
    <Panel title={texts.today.interested} all={all}>
      <ul class="lines">
        {page.data.map((record) => (
          <li key={record.unique_identifier} data-row>
            <a href={hrefOf(`${resource.path}/${record.unique_identifier}`)}>
              <strong>{titleOf(resource, record)}</strong> {said({ resource, record })}{' '}
              <span class="quiet">{whose(record)}</span>
            </a>
            <Phone number={String(record.visitor_phone_number ?? '')} zone={zoneOfRecord(record)} />
            <small>{agoText(happenedAt(record))}</small>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function whose(record: Shown): string | undefined {
  const [service, event] = [resourceNamed('event'), parentOf(record, 'event')];
  return service && event && titleOf(service, event);
}

function Panel(props: {
  readonly title: string;
  readonly all: string;
  readonly wide?: boolean;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { title, all, wide = false, children } = props;
  return (
    <section class={`panel-of ${wide ? 'wide' : ''}`} aria-label={title}>
      <header>
        <h2>{title}</h2>
        <a href={all} aria-label={labelled(texts.record.seeAll, title)}>
          {texts.record.seeAll}
        </a>
      </header>
      {children}
    </section>
  );
}
