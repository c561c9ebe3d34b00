/** Recent arrivals: mail replies with their first image, arrangements, and visitors who think of pre-planning. */
import { page as texts } from 'messages';
import type { ComponentChildren } from 'preact';
import { type DescribedResource, fieldOf, resourceNamed } from '../../records/description.ts';
import { at, parentOf, type Shown, titleOf } from '../../records/records.ts';
import { hrefOf } from '../../router.ts';
import type { PageOf } from '../../service/api.ts';
import { agoText } from '../../values/format.ts';
import { Phone, Value } from '../../values/value.tsx';
import { CardImage, imageCount, imageSource } from '../record/images.tsx';

interface PanelPageProps {
  readonly page: PageOf<Shown>;
}

export function Replies({ page }: PanelPageProps): JSX.Element | null {
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

export function Arrangements({ page }: PanelPageProps): JSX.Element | null {
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

export function Interested({ page }: PanelPageProps): JSX.Element | null {
  const resource = resourceNamed('event_check_in_record');
  if (resource === undefined || page.data.length === 0) return null;
  const all = hrefOf(resource.path, { visitor_interested_in_pre_planning: 'true' });
  const service = resourceNamed('event');
  return (
    <Panel title={texts.today.interested} all={all}>
      <ul class="lines">
        {page.data.map((record) => (
          <li key={record.unique_identifier} data-row>
            <a href={hrefOf(`${resource.path}/${record.unique_identifier}`)}>
              <strong>{titleOf(resource, record)}</strong>{' '}
              <span class="quiet">{service !== undefined && whose(service, record)}</span>
            </a>
            <Phone number={String(record.visitor_phone_number ?? '')} />
            <small>{agoText(String(record.inserted_at))}</small>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function whose(service: DescribedResource, record: Shown): string | undefined {
  const event = parentOf(record, service.name);
  return event === undefined ? undefined : titleOf(service, event);
}

interface PanelProps {
  readonly title: string;
  readonly all: string;
  readonly wide?: boolean;
  readonly children: ComponentChildren;
}

/** A part of the first screen: what it is, and the way to all of it. */
export function Panel({ title, all, wide = false, children }: PanelProps): JSX.Element {
  return (
    <section class={`panel-of ${wide ? 'wide' : ''}`} aria-label={title}>
      <header>
        <h2>{title}</h2>
        <a href={all} aria-label={`${texts.record.seeAll}: ${title}`}>
          {texts.record.seeAll}
        </a>
      </header>
      {children}
    </section>
  );
}
