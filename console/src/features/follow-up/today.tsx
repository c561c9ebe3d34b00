/** What is to be done today, first on the first screen: mine, and what nobody has. */
import { followups as says } from 'messages';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { FollowUp } from '../../../../client/src/generated/objects.d.ts';
import { onKeys } from '../../frame/shortcuts.ts';
import { useAgain, useLoad } from '../../load.ts';
import { Button } from '../../parts/button.tsx';
import { chosenLocation } from '../../places/locations.ts';
import type { OfRecord } from '../../records/records.ts';
import { api } from '../../service/api.ts';
import { hasRight } from '../../service/session.ts';
import { type FollowUpActs, OUTCOMES, useFollowUpActs } from './acts.tsx';
import { Board } from './board.tsx';
import { FollowUpLine } from './line.tsx';
import { RecordFollowUps } from './record.tsx';

const SHOWN = 8;

async function loadBoth(location: string | undefined, signal: AbortSignal) {
  const some = { location, limit: SHOWN };
  const [mine, free] = await Promise.all([
    api.follow_ups.list({ ...some, owner: 'me', state: 'unfinished' }, { signal }).page(),
    api.follow_ups.list({ ...some, state: 'open' }, { signal }).page(),
  ]);
  return { mine: mine.data, free: free.data };
}

/** Shows the follow-ups of a record, or those of today. */
export function FollowUps(props: OfRecord | { readonly page: object }): JSX.Element | null {
  if (!hasRight('follow_up')) return null;
  return 'page' in props ? <Today {...props} /> : <RecordFollowUps {...props} />;
}

function Today({ page }: { readonly page: object }): JSX.Element | null {
  const location = chosenLocation.value;
  const { value, reload } = useLoad(`follow-ups of today at ${location ?? 'all'}`, (signal) =>
    loadBoth(location, signal),
  );
  useAgain(page, reload);
  const { last, done } = useLastLine(value, reload);
  const { dialog, fault, acts } = useFollowUpActs(done);
  useKeys([...(value?.mine ?? []), ...(value?.free ?? [])], acts);
  const [isBoard, setBoard] = useState(false);
  if (value === undefined || value.mine.length + value.free.length === 0) return null;
  const lists = [
    [says.mine, value.mine],
    [says.anyone, value.free],
  ] as const;
  return (
    <section class="panel-of follow-ups" aria-label={says.title} onFocusIn={last}>
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
      <p class="quiet hint">
        {[says.keys, ...OUTCOMES.map((one, at) => `${at + 1} ${says.outcomes[one]}`)].join(' · ')}
      </p>
      {dialog}
    </section>
  );
}

const lines = () => [...document.querySelectorAll<HTMLElement>('[data-follow-up]')];
const lineOf = (element: Element | null) => element?.closest<HTMLElement>('[data-follow-up]');
const focusOn = (line: HTMLElement | undefined) => line?.querySelector('a')?.focus();

/** Puts the focus back where what was done took its line away: on that line, or on the one in its place. */
function useLastLine(value: object | undefined, reload: () => void) {
  const { current } = useRef({ id: '', at: 0, isDone: false });
  useEffect(() => {
    if (current.isDone && document.activeElement === document.body) {
      const all = lines();
      const same = all.find(({ dataset }) => dataset.followUp === current.id);
      focusOn(same ?? all[Math.min(current.at, all.length - 1)]);
    }
    current.isDone = false;
  }, [value]);
  return {
    last: ({ target }: FocusEvent): void => {
      const line = lineOf(target as Element);
      if (line) Object.assign(current, { id: line.dataset.followUp, at: lines().indexOf(line) });
    },
    done: (): void => {
      current.isDone = true;
      reload();
    },
  };
}

/** Keys act on the line that has the focus. Where none has it, they only go to the first. */
function useKeys(all: readonly FollowUp[], acts: FollowUpActs): void {
  useEffect(() => {
    const on = (act: (one: FollowUp) => void) => () => {
      const id = lineOf(document.activeElement)?.dataset.followUp;
      const found = all.find(({ unique_identifier }) => unique_identifier === id);
      if (found === undefined) focusOn(lines()[0]);
      else act(found);
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
