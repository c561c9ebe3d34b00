/** What is to be done today, first on the first screen: mine, and what nobody has. */
import { followUp as says } from 'messages';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { FollowUp } from '../../../../client/src/generated/objects.d.ts';
import { onKeys } from '../../frame/shortcuts.ts';
import { useAgain, useLoad } from '../../load.ts';
import { Button } from '../../parts/button.tsx';
import { chosenLocation } from '../../places/locations.ts';
import { api } from '../../service/api.ts';
import { hasRight } from '../../service/session.ts';
import type { Spots } from '../spots.ts';
import { type FollowUpActs, OUTCOMES, useFollowUpActs } from './acts.tsx';
import { Board } from './board.tsx';
import { FollowUpLine } from './line.tsx';
import { AroundTicks } from './ticks.tsx';

const SHOWN = 8;

async function loadBoth(location: string | undefined, signal: AbortSignal) {
  const some = { location, limit: SHOWN };
  const [mine, free] = await Promise.all([
    api.follow_ups.list({ ...some, owner: 'me', state: 'unfinished' }, { signal }).page(),
    api.follow_ups.list({ ...some, state: 'open' }, { signal }).page(),
  ]);
  return { mine: mine.data, free: free.data };
}

export function TodayPanel(props: Spots['TodayPanel']): JSX.Element | null {
  if (!hasRight('follow_up')) return null;
  return (
    <AroundTicks page={props.page}>
      <Today {...props} />
    </AroundTicks>
  );
}

function Today({ page }: Spots['TodayPanel']): JSX.Element | null {
  const location = chosenLocation.value;
  const { value, reload } = useLoad(`follow-ups of today at ${location ?? 'all'}`, (signal) =>
    loadBoth(location, signal),
  );
  useAgain(page, reload);
  const { left, leaves, stays } = useLeaving(value);
  const stillThere = (all: readonly FollowUp[] = []) =>
    all.filter((one) => !left.has(one.unique_identifier));
  const [mine, free] = [stillThere(value?.mine), stillThere(value?.free)];
  const { last, after } = useLastLine([value, left]);
  const { dialog, fault, acts } = useFollowUpActs(after(reload), {
    leaves: after(leaves),
    stays: after(stays),
  });
  useKeys([...mine, ...free], acts);
  const [isBoard, setBoard] = useState(false);
  if (page === undefined || mine.length + free.length === 0) return null;
  const lists = [
    [says.mine, mine],
    [says.anyone, free],
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
      {isBoard && <Board />}
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
      {dialog}
    </section>
  );
}

const lines = () => [...document.querySelectorAll<HTMLElement>('[data-follow-up]')];
const lineOf = (element: Element | null) => element?.closest<HTMLElement>('[data-follow-up]');
const focusOn = (line: HTMLElement | undefined) => line?.querySelector('a')?.focus();

/** Lines that are gone before the service has answered, so that the next key is for the next line. */
function useLeaving(
  value: { readonly mine: readonly FollowUp[]; readonly free: readonly FollowUp[] } | undefined,
) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const keep = (isKept: (id: string) => boolean) =>
    setLeft((before) => ([...before].every(isKept) ? before : new Set([...before].filter(isKept))));
  // One that is reopened later is shown again.
  useEffect(() => {
    const all = [...(value?.mine ?? []), ...(value?.free ?? [])];
    const listed = new Set(all.map((one) => one.unique_identifier));
    keep((id) => listed.has(id));
  }, [value]);
  return {
    left,
    leaves: (id: string) => setLeft((before) => new Set(before).add(id)),
    stays: (id: string) => keep((one) => one !== id),
  };
}

/** Puts the focus back where what was done took its line away: on that line, or on the one in its place. */
function useLastLine(shown: readonly unknown[]) {
  const { current } = useRef({ id: '', at: 0, isDone: false });
  // Before the next key.
  useLayoutEffect(() => {
    if (current.isDone && document.activeElement === document.body) {
      const all = lines();
      const same = all.find(({ dataset }) => dataset.followUp === current.id);
      focusOn(same ?? all[Math.min(current.at, all.length - 1)]);
    }
    current.isDone = false;
  }, shown);
  return {
    last: ({ target }: FocusEvent): void => {
      const line = lineOf(target as Element);
      if (line) Object.assign(current, { id: line.dataset.followUp, at: lines().indexOf(line) });
    },
    /** What changes the lines because something was done. */
    after:
      <Args extends unknown[]>(change: (...args: Args) => void) =>
      (...args: Args): void => {
        current.isDone = true;
        change(...args);
      },
  };
}

/** Keys act on the line that has the focus. Where none has it, they only go to the first. */
function useKeys(all: readonly FollowUp[], acts: FollowUpActs): void {
  useLayoutEffect(() => {
    const on = (act: (one: FollowUp, name: string) => void) => () => {
      const line = lineOf(document.activeElement);
      const id = line?.dataset.followUp;
      const found = all.find(({ unique_identifier }) => unique_identifier === id);
      if (found === undefined) focusOn(lines()[0]);
      else act(found, line?.querySelector('strong')?.textContent ?? '');
    };
    const numbered = OUTCOMES.map((outcome, at) => [String(at + 1), outcome] as const);
    return onKeys(
      {
        c: on(acts.claim),
        a: on(acts.attempt),
        h: on(acts.handOver),
        s: on(acts.schedule),
        ...Object.fromEntries(
          numbered.map(([key, outcome]) => [key, on((it, name) => acts.close(it, outcome, name))]),
        ),
      },
      {
        ...{ c: says.keyed(says.claim), a: says.keyed(says.attempt), s: says.keyed(says.schedule) },
        h: says.keyed(says.handOver),
        ...Object.fromEntries(
          numbered.map(([key, outcome]) => [key, says.keyed(says.outcomes[outcome])]),
        ),
      },
    );
  });
}
