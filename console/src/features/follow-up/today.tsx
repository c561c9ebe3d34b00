/** What is to be done today, first on the first screen: mine, and what nobody has. */
import { followups as says } from 'messages';
import { useEffect, useState } from 'preact/hooks';
import type { FollowUp } from '../../../../client/src/generated/objects.d.ts';
import { onKeys } from '../../frame/shortcuts.ts';
import { useAgain, useLoad } from '../../load.ts';
import { Button } from '../../parts/button.tsx';
import { chosenLocation } from '../../places/locations.ts';
import { api } from '../../service/api.ts';
import { type FollowUpActs, OUTCOMES, useFollowUpActs } from './acts.tsx';
import { Board } from './board.tsx';
import { FollowUpLine } from './line.tsx';

const SHOWN = 8;

async function loadBoth(location: string | undefined, signal: AbortSignal) {
  const some = { location, limit: SHOWN };
  const [mine, free] = await Promise.all([
    api.follow_ups.list({ ...some, owner: 'me', state: 'unfinished' }, { signal }).page(),
    api.follow_ups.list({ ...some, state: 'open' }, { signal }).page(),
  ]);
  return { mine: mine.data, free: free.data };
}

export function TodayFollowUps({ page }: { readonly page: object }): JSX.Element | null {
  const location = chosenLocation.value;
  const { value, reload } = useLoad(`follow-ups of today at ${location ?? 'all'}`, (signal) =>
    loadBoth(location, signal),
  );
  useAgain(page, reload);
  const { dialog, fault, acts } = useFollowUpActs(reload);
  useKeys([...(value?.mine ?? []), ...(value?.free ?? [])], acts);
  const [isBoard, setBoard] = useState(false);
  if (value === undefined || value.mine.length + value.free.length === 0) return null;
  const lists = [
    [says.mine, value.mine],
    [says.anyone, value.free],
  ] as const;
  return (
    <section class="panel-of follow-ups" aria-label={says.title}>
      <header>
        <h2>{says.title}</h2>
        <Button
          class="plain link"
          label={says.board}
          aria-pressed={isBoard}
          onClick={() => setBoard(!isBoard)}
        />
      </header>
      {fault}
      {lists.map(
        ([title, some]) =>
          some.length > 0 && (
            <>
              <h3>{title}</h3>
              <ul class="lines" aria-label={title}>
                {some.map((one) => (
                  <FollowUpLine key={one.unique_identifier} one={one} acts={acts} />
                ))}
              </ul>
            </>
          ),
      )}
      {isBoard && <Board />}
      <p class="quiet hint">{says.keys}</p>
      {dialog}
    </section>
  );
}

/** Keys act on the line that has the focus, or else on the first. */
function useKeys(all: readonly FollowUp[], acts: FollowUpActs): void {
  useEffect(() => {
    const one = (): FollowUp | undefined => {
      const row = document.activeElement?.closest<HTMLElement>('[data-follow-up]');
      return all.find((it) => it.unique_identifier === row?.dataset.followUp) ?? all[0];
    };
    const on = (act: (one: FollowUp) => void) => () => {
      const found = one();
      if (found !== undefined) act(found);
    };
    return onKeys({
      c: on(acts.claim),
      n: on(acts.attempt),
      ...Object.fromEntries(
        OUTCOMES.map((outcome, at) => [String(at + 1), on((it) => acts.close(it, outcome))]),
      ),
    });
  });
}
