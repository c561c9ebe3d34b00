/** Records that came after an erasure with a phone number or an email address of the person: nothing was refused, and an officer decides. */
import type { JSX } from 'preact';
import type { Erasure } from '../../../../client/src/generated/objects.d.ts';
import type { Act } from '../../parts/act.ts';
import { hrefOf } from '../../router.ts';
import { OneMatch } from './matches.tsx';
import { says } from './texts.ts';

const { seen } = says;

interface SeenProps {
  readonly of: Erasure;
  readonly path: string;
  readonly act: Act;
  readonly onDismiss: (record: string) => void;
}

export function SeenAgain({ of, path, act, onDismiss }: SeenProps): JSX.Element | null {
  const { seen_again: all, seen_again_count: count } = of;
  if (count === 0) return null;
  return (
    <section class="matches seen">
      <header>
        <h2>{seen.title}</h2>
        <p class="hint">{seen.hint}</p>
      </header>
      <ul>
        {all.map((match) => (
          <OneMatch
            key={match.record}
            match={match}
            acts={
              <>
                <button
                  type="button"
                  class="plain"
                  disabled={act.busy}
                  onClick={() => onDismiss(match.record)}
                >
                  {seen.dismiss}
                </button>
                <a href={hrefOf(path, { record: match.record })}>{says.begin}</a>
              </>
            }
          />
        ))}
      </ul>
      {count > all.length && <p class="hint">{seen.more(count - all.length)}</p>}
    </section>
  );
}
