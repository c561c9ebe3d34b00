/** What follows an erasure: the places that are read again, and the systems that are notified. */
import { privacy as says } from 'messages';
import type { ComponentChildren } from 'preact';
import type { Erasure } from '../../../../client/src/generated/objects.d.ts';
import { Status } from '../../parts/fact.tsx';
import { nameFirst } from '../../records/key-names.ts';
import { agoText } from '../../values/format.ts';

const { proof } = says;

const BEYOND = '/docs/personal-data#what-an-erasure-does-not-reach';

/** On the request, where something may be to do about it. */
export function Proof({ of }: { readonly of: Erasure }): JSX.Element | null {
  if (!wasRead(of)) return null;
  return (
    <section class="notified">
      <Pairs
        title={proof.title}
        hint={
          <a href={BEYOND} target="_blank" rel="noopener">
            {proof.beyond}
          </a>
        }
        all={placesOf(of)}
      />
    </section>
  );
}

/** What waits for a hold alone was not erased anywhere. */
export function wasRead({ places }: Pick<Erasure, 'places'>): boolean {
  return places.some(({ checked }) => checked > 0);
}

export function placesOf({ places }: Pick<Erasure, 'places'>): readonly Pair[] {
  const foundIn = (checked: number): string => (checked === 0 ? proof.none : proof.clean(checked));
  return places.map(({ place, checked, found }) => [
    proof.places[place] ?? place,
    found > 0 ? <span class="why">{proof.found(found)}</span> : foundIn(checked),
  ]);
}

const notified = says.notified;

/** Which systems were told that records were erased, and which of them still send them. */
export function Notified(props: { readonly of: Erasure }): JSX.Element | null {
  const { of } = props;
  const { consumers, consumers_count, sent_again } = of;
  /** Webhook endpoints have no name here. */
  const called = (id: string): JSX.Element => (
    <span title={id}>{id.startsWith('whk_') ? notified.endpoint : nameFirst(id)}</span>
  );
  if (consumers.length === 0 && sent_again.length === 0) return null;
  return (
    <section class="notified">
      <Pairs
        title={notified.title}
        all={consumers.map(({ consumer, status, told_at, acknowledged_at, seen_at }) => [
          called(consumer),
          [
            <Status key="status" of={status} words={notified.statuses} />,
            ago(acknowledged_at ?? told_at ?? seen_at),
          ],
        ])}
        beyond={consumers_count - consumers.length}
      />
      <Pairs
        title={notified.again}
        hint={notified.againHint}
        all={sent_again.map(({ by, count, last_at }) => [
          by === 'import' ? notified.import : called(by),
          [notified.times(count), ago(last_at)],
        ])}
      />
    </section>
  );
}

function ago(time: string | null): JSX.Element | null {
  return time === null ? null : <small class="quiet"> {agoText(time)}</small>;
}

type Pair = readonly ComponentChildren[];

interface PairsProps {
  readonly title: string;
  readonly hint?: ComponentChildren;
  readonly all: readonly Pair[];
  readonly beyond?: number;
}

/** Nothing where there are none. */
export function Pairs({ title, hint, all, beyond = 0 }: PairsProps): JSX.Element | null {
  if (all.length === 0) return null;
  return (
    <>
      <h2>{title}</h2>
      {hint !== undefined && <p class="hint">{hint}</p>}
      <ul>
        {all.map((parts, at) => (
          <li key={at}>
            {parts.map((part, place) => (
              <span key={place}>{part}</span>
            ))}
          </li>
        ))}
      </ul>
      {beyond > 0 && <p class="hint">{says.more(beyond)}</p>}
    </>
  );
}
