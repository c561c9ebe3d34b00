/** Records with images, one at a time: the image on the left, what was read of it on the right. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { onKeys } from '../../frame/shortcuts.ts';
import { useLoad } from '../../load.ts';
import { Failure } from '../../parts/failure.tsx';
import { Icon } from '../../parts/icon.tsx';
import { say } from '../../parts/notice.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import type { DescribedResource } from '../../records/description.ts';
import { type Shown, titleOf } from '../../records/records.ts';
import { hrefOf, query, setQuery } from '../../router.ts';
import { type PageOf, recordsOf } from '../../service/api.ts';
import { may } from '../../service/session.ts';
import { texts } from '../../texts.ts';
import { type Draft, Edit } from '../edit/edit.tsx';
import { Fields } from '../record/fields.tsx';
import { CardImage, imageCount, imageSource } from '../record/images.tsx';

const says = texts.cards;

interface CardsProps {
  readonly resource: DescribedResource;
  readonly page: PageOf<Shown>;
}

export function Cards({ resource, page }: CardsProps): JSX.Element | null {
  const { data, has_more } = page;
  const asked = data.findIndex(({ unique_identifier: id }) => id === query.value.get('card'));
  const index = Math.max(asked, 0);
  const record = data[index];
  // What was typed next to one card is there when they come back to it.
  const drafts = useRef(new Map<string, Draft>());
  // After a save, the fields next to the next card are open.
  const goesOn = useRef(false);
  const to = (next: number): void => {
    const id = data[next]?.unique_identifier;
    if (id !== undefined) setQuery({ card: id }, { instead: true });
  };
  const step = (by: 1 | -1): void => {
    goesOn.current = false;
    to(index + by);
  };
  useEffect(() => onKeys({ j: () => step(1), k: () => step(-1) }));
  if (record === undefined) return null;
  return (
    <section class="card" aria-label={texts.list.cards}>
      <header>
        <h2>{titleOf(resource, record)}</h2>
        <span class="quiet">
          {says.number(index + 1, has_more ? `${data.length}+` : String(data.length))}
        </span>
        <a class="button" href={hrefOf(`${resource.path}/${record.unique_identifier}`)}>
          {says.open}
        </a>
        <span class="pair">
          <Step label={says.previous} icon="left" disabled={index === 0} onClick={() => step(-1)} />
          <Step
            label={says.next}
            icon="right"
            disabled={index + 1 >= data.length}
            onClick={() => step(1)}
          />
        </span>
      </header>
      <div class="sides">
        <Picture key={record.unique_identifier} resource={resource} record={record} />
        {may('write') ? (
          <Desk
            key={`fields of ${record.unique_identifier}`}
            resource={resource}
            record={record}
            drafts={drafts.current}
            goesOn={goesOn.current}
            onSaved={() => {
              say(says.saved);
              goesOn.current = true;
              to(index + 1);
            }}
          />
        ) : (
          <Fields resource={resource} record={record} />
        )}
      </div>
    </section>
  );
}

/** The fields of a card, open to be typed into. */
function Desk({
  resource,
  record: { unique_identifier: id },
  drafts,
  goesOn,
  onSaved,
}: {
  readonly resource: DescribedResource;
  readonly record: Shown;
  readonly drafts: Map<string, Draft>;
  readonly goesOn: boolean;
  readonly onSaved: () => void;
}): JSX.Element {
  const desk = useRef<HTMLDivElement>(null);
  // A list has no ETag, which would refuse a save over another person's change.
  const { value, error, busy, reload } = useLoad(`card ${id}`, (signal) =>
    recordsOf(resource.path).retrieve(id, { signal }),
  );
  const isThere = value?.unique_identifier === id && !busy;
  useEffect(() => {
    if (isThere && goesOn) desk.current?.querySelector<HTMLElement>('input, select')?.focus();
  }, [isThere, goesOn]);
  return (
    <div ref={desk}>
      {error !== undefined && <Failure error={error} onAgain={reload} />}
      {!isThere && error === undefined && <Skeleton rows={6} />}
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
            submit: says.save,
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

function Step({
  label,
  icon,
  disabled,
  onClick,
}: {
  readonly label: string;
  readonly icon: string;
  readonly disabled: boolean;
  readonly onClick: () => void;
}): JSX.Element {
  return (
    <button
      type="button"
      class="square"
      aria-label={label}
      title={label}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

const TURNS = ['', 'quarter', 'half', 'three-quarters'] as const;

function Picture({
  resource,
  record,
}: {
  readonly resource: DescribedResource;
  readonly record: Shown;
}): JSX.Element {
  const [image, setImage] = useState(0);
  const [turned, setTurned] = useState(0);
  const [zoomed, setZoomed] = useState(false);
  const count = imageCount({ resource, record });
  const to = (next: number): void => setImage(Math.min(Math.max(next, 0), Math.max(count - 1, 0)));
  useEffect(() => onKeys({ ArrowLeft: () => to(image - 1), ArrowRight: () => to(image + 1) }));
  return (
    <div class="picture">
      <section
        class={`holder ${zoomed ? 'zoomed' : ''}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: people scroll it with the keyboard
        tabIndex={0}
        aria-label={texts.record.images}
      >
        {count > 0 && (
          <CardImage
            key={image}
            class={TURNS[turned % TURNS.length] ?? ''}
            source={imageSource({ resource, record }, image)}
            says={`${titleOf(resource, record)}: ${texts.record.image(image + 1, count)}`}
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
        <span class="quiet">{texts.record.image(image + 1, Math.max(count, 1))}</span>
        <Step
          label={says.nextImage}
          icon="right"
          disabled={image + 1 >= count}
          onClick={() => to(image + 1)}
        />
        <button type="button" aria-pressed={zoomed} onClick={() => setZoomed(!zoomed)}>
          {says.zoom}
        </button>
        <button type="button" onClick={() => setTurned(turned + 1)}>
          <Icon name="turn" />
          {says.turn}
        </button>
      </div>
    </div>
  );
}
