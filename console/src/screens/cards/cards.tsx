/** Records with images, one at a time: the image on the left, what was read of it on the right. */

import { images, edit as says, page as texts } from 'messages';
import { useEffect, useRef, useState } from 'preact/hooks';
import { isTick } from '../../../../src/core/schema/tick.ts';
import { onMoveKeys } from '../../frame/shortcuts.ts';
import { useRecord } from '../../load.ts';
import { Button, Step } from '../../parts/button.tsx';
import { Loading } from '../../parts/loading.tsx';
import { say } from '../../parts/notice.tsx';
import { useStay } from '../../parts/staying.ts';
import { tell } from '../../parts/told.ts';
import type { DescribedResource } from '../../records/description.ts';
import { type OfRecord, type Shown, titleOf, valueIn } from '../../records/records.ts';
import { hrefOf, query, setQuery } from '../../router.ts';
import type { PageOf } from '../../service/api.ts';
import { may } from '../../service/session.ts';
import { labelled } from '../../values/format.ts';
import { Offered } from '../edit/content.tsx';
import { type Draft, Edit } from '../edit/edit.tsx';
import { isOfTexts } from '../edit/typed.ts';
import { Fields } from '../record/fields.tsx';
import { imageCount, imageSource } from '../record/image-source.ts';
import { CardImage } from '../record/images.tsx';

interface CardsProps {
  readonly resource: DescribedResource;
  readonly page: PageOf<Shown>;
}

export function Cards({ resource, page }: CardsProps): JSX.Element | null {
  const { data, has_more } = page;
  const chosen = data.findIndex(({ unique_identifier: id }) => id === query.value.get('card'));
  const index = Math.max(chosen, 0);
  const listed = data[index];
  /** As they were read last: the list was loaded before something was saved. */
  const [read, setRead] = useState<ReadonlyMap<string, Shown>>(new Map());
  const record = listed && (read.get(listed.unique_identifier) ?? listed);
  // What was typed next to one card is there when they come back to it.
  const drafts = useRef(new Map<string, Draft>());
  useStay(() => drafts.current.size > 0);
  // Where the focus is: in the fields, until somebody goes from card to card by the keys for it.
  const types = useRef(true);
  const to = (next: number): void => {
    const id = data[next]?.unique_identifier;
    if (id !== undefined) setQuery({ card: id }, { instead: true });
  };
  const step = (by: 1 | -1): void => {
    types.current = false;
    to(index + by);
  };
  const heading = useRef<HTMLHeadingElement>(null);
  // Told, unless the fields are where one goes on.
  const title = record && titleOf(resource, record);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current && title !== undefined && !types.current) tell(`${title}, ${index + 1}`);
    isFirst.current = false;
  }, [index, title]);
  useEffect(() => onMoveKeys({ j: () => step(1), k: () => step(-1) }));
  if (record === undefined) return null;
  return (
    <section class="card" aria-label={texts.list.cards}>
      <header>
        <h2 tabIndex={-1} ref={heading}>
          {titleOf(resource, record)}
        </h2>
        <span class="quiet">
          {texts.record.countOf({
            shown: index + 1,
            all: has_more ? `${data.length}+` : data.length,
          })}
        </span>
        <a class="button" href={hrefOf(`${resource.path}/${record.unique_identifier}`)}>
          {says.openRecord}
        </a>
        <span class="pair">
          <Step
            label={`${texts.record.previous} (k)`}
            icon="left"
            disabled={index === 0}
            onClick={() => step(-1)}
          />
          <Step
            label={`${texts.record.next} (j)`}
            icon="right"
            disabled={index + 1 >= data.length}
            onClick={() => step(1)}
          />
        </span>
      </header>
      <div class="sides">
        <Picture key={record.unique_identifier} resource={resource} record={record} />
        {may('write') ? (
          <Offered.Provider value={detailsOn(resource, data)}>
            <CardForm
              key={`fields of ${record.unique_identifier}`}
              resource={resource}
              record={record}
              drafts={drafts.current}
              types={types.current}
              onRead={(one) =>
                setRead((before) => new Map([...before, [one.unique_identifier, one]]))
              }
              submit={index + 1 < data.length ? says.saveNext : texts.save}
              onSaved={() => {
                say(texts.saved);
                types.current = true;
                to(index + 1);
              }}
            />
          </Offered.Provider>
        ) : (
          <Fields resource={resource} record={record} />
        )}
      </div>
    </section>
  );
}

/** An arrow that goes round. */
const TURN = 'M15.500 9A5.500 5.500 0 1 0 14 13.500M16 4.500V9h-4.500';
const MAX_OFFERED = 8;

/** Cards of a mailing ask the same: which further details those have that were read, and how a tick is written there. */
function detailsOn(resource: DescribedResource, records: readonly Shown[]) {
  const free = resource.fields.filter(isOfTexts);
  const found = new Map<string, string | undefined>();
  for (const record of records)
    for (const field of free)
      for (const [name, text] of Object.entries(valueIn(resource, record, field) ?? {})) {
        const isSame = !found.has(name) || found.get(name) === text;
        found.set(name, isSame && isTick(text) ? text : undefined);
      }
  const rank = ([, text]: readonly [string, string | undefined]): number => Number(!text);
  return new Map([...found].sort((a, b) => rank(a) - rank(b)).slice(0, MAX_OFFERED));
}

/** Beside the image; below it, the page stays where it is. */
const beside = matchMedia('(width >= 56rem)');

function CardForm(
  props: OfRecord & {
    readonly drafts: Map<string, Draft>;
    readonly types: boolean;
    readonly submit: string;
    readonly onRead: (record: Shown) => void;
    readonly onSaved: () => void;
  },
): JSX.Element {
  const { resource, record, drafts, types, submit, onRead, onSaved } = props;
  const { unique_identifier: id } = record;
  const place = useRef<HTMLDivElement>(null);
  // A list has no ETag, which would refuse a save over another person's change.
  const { value, error, busy, reload } = useRecord(resource, id);
  const isThere = value?.unique_identifier === id && !busy;
  useEffect(() => {
    if (isThere && value !== undefined) onRead(value);
  }, [isThere, value]);
  useEffect(() => {
    if (isThere && types && beside.matches)
      place.current?.querySelector<HTMLElement>('input, select')?.focus({ preventScroll: true });
  }, [isThere, types]);
  return (
    <div ref={place}>
      <Loading of={{ value: isThere ? value : undefined, error, reload }} rows={6} />
      {isThere && (
        <Edit
          resource={resource}
          record={value}
          onClose={() => {
            drafts.delete(id);
            reload();
          }}
          onSaved={() => {
            drafts.delete(id);
            reload();
            onSaved();
          }}
          beside={{
            submit,
            draft: drafts.get(id),
            onDraft(draft) {
              if (draft === undefined) drafts.delete(id);
              else drafts.set(id, draft);
            },
          }}
        />
      )}
    </div>
  );
}

function Picture({ resource, record }: OfRecord): JSX.Element {
  const [image, setImage] = useState(0);
  const [turned, setTurned] = useState(0);
  const [zoomed, setZoomed] = useState(false);
  const count = imageCount({ resource, record });
  const to = (next: number): void => setImage(Math.min(Math.max(next, 0), Math.max(count - 1, 0)));
  useEffect(() => onMoveKeys({ ArrowLeft: () => to(image - 1), ArrowRight: () => to(image + 1) }));
  return (
    <div class="picture">
      <section
        class={`holder ${zoomed ? 'zoomed' : ''}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: people scroll it with the keyboard
        tabIndex={0}
        aria-label={images.images}
      >
        {count > 0 && (
          <CardImage
            key={image}
            turned={turned}
            source={imageSource({ resource, record }, image)}
            says={labelled(
              titleOf(resource, record),
              images.image({ number: image + 1, of: count }),
            )}
          />
        )}
      </section>
      <div class="tools">
        <Step
          label={says.previousImage}
          icon="left"
          disabled={image === 0}
          onClick={() => to(image - 1)}
        />
        <span class="quiet">{images.image({ number: image + 1, of: Math.max(count, 1) })}</span>
        <Step
          label={says.nextImage}
          icon="right"
          disabled={image + 1 >= count}
          onClick={() => to(image + 1)}
        />
        <Button label={says.zoom} aria-pressed={zoomed} onClick={() => setZoomed(!zoomed)} />
        <Button label={says.turn} icon={TURN} onClick={() => setTurned(turned + 1)} />
      </div>
    </div>
  );
}
