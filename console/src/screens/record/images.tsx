/** The images of a record. They come through the service, by record and number, never by their address. */
import { images, page as texts } from 'messages';
import { useEffect, useState } from 'preact/hooks';
import { Button, Icon } from '../../parts/button.tsx';
import { type OfRecord, titleOf } from '../../records/records.ts';
import { refusalText } from '../../refusals.ts';
import { ask, isRefusal } from '../../service/api.ts';
import { session, signedInFor } from '../../service/session.ts';
import { labelled } from '../../values/format.ts';
import { API, imageCount, imageSource } from './image-source.ts';

export function Images({ resource, record }: OfRecord): JSX.Element | null {
  const count = imageCount({ resource, record });
  if (count === 0) return null;
  return (
    <ul class="images" aria-label={images.images}>
      {Array.from({ length: count }, (_, index) => (
        <li key={index}>
          <CardImage
            source={imageSource({ resource, record }, index)}
            says={labelled(
              titleOf(resource, record),
              images.image({ number: index + 1, of: count }),
            )}
          />
        </li>
      ))}
    </ul>
  );
}

export function CardImage(props: {
  readonly source: string;
  readonly says: string;
  /** By how many quarters. */
  readonly turned?: number;
}): JSX.Element {
  const { source, says, turned = 0 } = props;
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading');
  const short = says === '';
  if (state === 'failed')
    return <NoImage source={source} short={short} onAgain={() => setState('loading')} />;
  return (
    <>
      {state === 'loading' && !short && <Loading />}
      <img
        style={{ rotate: `${turned * 90}deg` }}
        src={source}
        alt={says}
        loading="lazy"
        onLoad={() => setState('shown')}
        onError={() => setState('failed')}
      />
    </>
  );
}

function Loading(): JSX.Element {
  return (
    <span class="quiet image-loading" role="status">
      {images.loadingImage}
    </span>
  );
}

/** The reason is in the service's answer, which an image element does not show; nothing is said before it is there. */
function NoImage(props: {
  readonly source: string;
  readonly short: boolean;
  readonly onAgain: () => void;
}): JSX.Element {
  const { source, short, onAgain } = props;
  const [why, setWhy] = useState<string | undefined>(short ? images.noImage : undefined);
  useEffect(() => {
    if (short) return;
    const before = session.value;
    signedInFor(() => ask('GET', source.slice(API.length)))
      .then(() => images.noImage, reasonOf)
      .then((reason) => {
        // Only the session was missing.
        if (session.value !== before) onAgain();
        else setWhy(reason);
      });
  }, [source, short]);
  if (why === undefined) return <Loading />;
  return (
    <p class="no-image">
      <Icon name="image" />
      {why}
      {!short && <Button label={texts.failure.again} onClick={onAgain} />}
    </p>
  );
}

function reasonOf(error: unknown): string {
  return isRefusal(error) && error.status !== undefined && error.status >= 400
    ? refusalText(error)
    : images.noImage;
}
