/** Which systems were told that records were erased, and which of them still send them. */
import { privacy as says } from 'messages';
import type { Erasure } from '../../../../client/src/generated/objects.d.ts';
import { Status } from '../../parts/fact.tsx';
import { nameFirst } from '../../records/key-names.ts';
import { agoText } from '../../values/format.ts';

const told = says.told;

export function Notified({
  of: { consumers, consumers_count, sent_again },
}: {
  readonly of: Erasure;
}): JSX.Element | null {
  /** Webhook endpoints have no name here. */
  const called = (id: string): string => (id.startsWith('whk_') ? told.endpoint : nameFirst(id));
  if (consumers.length === 0 && sent_again.length === 0) return null;
  return (
    <section class="told">
      {consumers.length > 0 && (
        <>
          <h2>{told.title}</h2>
          <ul>
            {consumers.map(({ consumer, status, told_at, acknowledged_at, seen_at }) => (
              <li key={consumer}>
                <span title={consumer}>{called(consumer)}</span>
                <span>
                  <Status of={status} words={told.statuses} />{' '}
                  <small class="quiet">{ago(acknowledged_at ?? told_at ?? seen_at)}</small>
                </span>
              </li>
            ))}
          </ul>
          {consumers_count > consumers.length && (
            <p class="hint">{says.more(consumers_count - consumers.length)}</p>
          )}
        </>
      )}
      {sent_again.length > 0 && (
        <>
          <h2>{told.again}</h2>
          <p class="hint">{told.againHint}</p>
          <ul>
            {sent_again.map(({ by, count, last_at }) => (
              <li key={by}>
                <span title={by}>{by === 'import' ? told.import : called(by)}</span>
                <span>
                  {told.times(count)} <small class="quiet">{agoText(last_at)}</small>
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function ago(time: string | null): string {
  return time === null ? '' : agoText(time);
}
