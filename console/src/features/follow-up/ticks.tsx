/** The ticks on cards whose words do not tell what they mean: somebody says it once. */
import { followUp as says } from 'messages';
import type { Tick } from '../../../../client/src/generated/objects.d.ts';
import { useAgain, useLoad } from '../../load.ts';
import { useActions } from '../../parts/actions.tsx';
import { Button } from '../../parts/button.tsx';
import { Radios } from '../../parts/choices.tsx';
import type { OwnField } from '../../parts/form.tsx';
import { resourceOf } from '../../records/description.ts';
import { hrefOf } from '../../router.ts';
import { api } from '../../service/api.ts';
import { hasRight, session } from '../../service/session.ts';

/** How many are asked about at a time. */
const SHOWN = 5;
/** How many an account has at most. */
const MOST = 500;

type Meaning = Parameters<typeof api.ticks.patch>[1];
const MEANINGS: readonly Meaning[] = ['call', 'no_call', 'no_contact', 'nothing'];

/** Whether the person sees all cards, and so may say what ticks on them mean. */
const maySay = (): boolean => hasRight('follow_up') && session.value?.locations === null;

/** Asks what unexplained ticks mean, above the work; lists the explained ones below it, so that they can be changed. */
export function AroundTicks(props: {
  readonly page: unknown;
  readonly children: JSX.Element;
}): JSX.Element {
  const { value, reload } = useLoad(maySay() ? 'ticks' : undefined, (signal) =>
    api.ticks.list({ limit: MOST }, { signal }).page(),
  );
  useAgain(props.page, reload);
  const { unsaid = [], said = [] } = Object.groupBy(value?.data ?? [], ({ meaning }) =>
    meaning === null ? 'unsaid' : 'said',
  );
  return (
    <>
      <Ticks
        all={unsaid.slice(0, SHOWN)}
        title={says.ticks}
        hint={says.ticksHint}
        onSaid={reload}
      />
      {props.children}
      <Ticks all={said} title={says.ticksSaid} isQuiet onSaid={reload} />
    </>
  );
}

function Ticks(props: {
  readonly all: readonly Tick[];
  readonly title: string;
  readonly hint?: string;
  /** Closed at first. */
  readonly isQuiet?: boolean;
  readonly onSaid: () => void;
}): JSX.Element | null {
  const { all, title, hint, isQuiet, onSaid } = props;
  const { dialog, fault, ask } = useActions();
  if (all.length === 0 && dialog === undefined) return null;
  const say = ({ unique_identifier: id, name, meaning }: Tick): void =>
    ask({
      title: says.tickOf(name ?? ''),
      submit: says.tickSay,
      begin: { meaning: MEANINGS.find((one) => one === meaning) },
      fields: { meaning: meaningField },
      send: ({ meaning }) => api.ticks.patch(id, meaning as Meaning),
      said: says.tickSaid,
      onDone: onSaid,
    });
  const lines = (
    <ul class="lines">
      {all.map((one) => (
        <li key={one.unique_identifier}>
          <TickOf one={one} />
          <Button
            class={one.meaning === null ? undefined : 'plain'}
            label={one.meaning === null ? says.tickSay : says.tickChange}
            of={one.name ?? ''}
            asks
            onClick={() => say(one)}
          />
        </li>
      ))}
    </ul>
  );
  return (
    <section class="panel-of ticks" aria-label={title}>
      {isQuiet ? (
        <details>
          <summary>{title}</summary>
          {lines}
        </details>
      ) : (
        <>
          <header>
            <h2>{title}</h2>
          </header>
          <p class="quiet">{hint}</p>
          {lines}
        </>
      )}
      {fault}
      {dialog}
    </section>
  );
}

/** What it says, which leads to the last card that has it. */
function TickOf({ one }: { readonly one: Tick }): JSX.Element {
  const { name, meaning, cards, record } = one;
  const words = (
    <>
      <strong>{name}</strong>{' '}
      <span class="quiet">{meaning === null ? says.tickCards(cards) : says.meanings[meaning]}</span>
    </>
  );
  if (record === null) return <span>{words}</span>;
  return <a href={hrefOf(`${resourceOf(record)?.path}/${record}`)}>{words}</a>;
}

const options: readonly (readonly [Meaning | undefined, string, string?])[] = MEANINGS.map(
  (one) => [one, says.meanings[one] ?? one, says.meaningHints[one]] as const,
);

const meaningField: OwnField<Meaning | undefined> = {
  label: says.tickMeaning,
  isReady: (value) => value !== undefined,
  own: ({ value, onChange }) => (
    <Radios legend={says.tickMeaning} options={options} value={value} onChoose={onChange} />
  ),
};
