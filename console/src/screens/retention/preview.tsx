/** What a rule would remove: the numbers, and the bars. */

import { retention as says } from 'messages';
import type { RetentionRule } from '../../../../client/src/generated/objects.d.ts';
import { now } from '../../clock.ts';
import { locale } from '../../locale.ts';
import { number } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { resourceNamed } from '../../records/description.ts';
import { Time } from '../../values/value.tsx';
import { Bars, KINDS } from './bars.tsx';

const shown = says.preview;
const DAY_MS = 86_400_000;
const list = new Intl.ListFormat(locale, { type: 'conjunction' });

/** Whether the rule may be enabled by it. */
export function isFresh(preview: RetentionRule['preview']): boolean {
  return preview?.status === 'ready' && now() - Date.parse(preview.at) < DAY_MS;
}

interface PreviewProps {
  readonly of: RetentionRule;
  readonly busy: boolean;
  readonly onLook: () => void;
}

export function Preview({ of, busy, onLook }: PreviewProps): JSX.Element {
  const { preview, status, last_run, enabled_at } = of;
  const isReady = preview?.status === 'ready';
  const isBefore = isReady && last_run !== null && preview.at < (enabled_at ?? '');
  return (
    <section class="preview">
      <header>
        <h2>{shown.title}</h2>
        {isReady && (
          <small class="quiet">
            <Time at={preview.at} />
          </small>
        )}
        {isReady && (
          <Button class="link plain" label={shown.again} disabled={busy} onClick={onLook} />
        )}
      </header>
      {preview === null && (
        <>
          <p class="hint">{shown.none}</p>
          <Button class="main" label={shown.look} disabled={busy} onClick={onLook} />
        </>
      )}
      {preview !== null && !isReady && (
        <p class="looking" role="status">
          {shown.counting}
        </p>
      )}
      {isReady && status !== 'enabled' && !isFresh(preview) && <p class="warned">{shown.old}</p>}
      {isBefore && <p class="hint">{shown.before}</p>}
      {isReady && <Numbers of={preview} />}
      {isReady && preview.counts.length > 0 && <Bars of={preview} />}
    </section>
  );
}

function Numbers({ of }: { readonly of: NonNullable<RetentionRule['preview']> }): JSX.Element {
  const { below, soon } = of;
  const with_ = Object.entries(below).map(([name, count]) => {
    const resource = resourceNamed(name);
    const called = (count === 1 ? resource?.singular : resource?.plural) ?? name;
    return `${number(count)} ${called}`;
  });
  const isNothing = KINDS.every((kind) => of[kind] === 0);
  return (
    <>
      {isNothing && <p>{shown.nothing}</p>}
      {!isNothing && (
        <ul class="counted">
          {KINDS.map((kind) => (
            <li key={kind} class={kind}>
              <strong>{number(of[kind])}</strong> {shown[kind]}
              <small class="quiet">{shown.hints[kind]}</small>
            </li>
          ))}
        </ul>
      )}
      {with_.length > 0 && <p>{shown.below(list.format(with_))}</p>}
      {soon > 0 && <p class="hint">{shown.soon(number(soon))}</p>}
    </>
  );
}
