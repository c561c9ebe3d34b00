/** The ticks on cards whose words do not tell what they mean: somebody says it once. */
import { followUp as says } from 'messages';
import type { Tick } from '../../../../client/src/generated/objects.d.ts';
import { useAgain, useLoad } from '../../load.ts';
import { useActions } from '../../parts/actions.tsx';
import { Button } from '../../parts/button.tsx';
import { Radios } from '../../parts/choices.tsx';
import type { OwnField } from '../../parts/form.tsx';
import { resourceNamed } from '../../records/description.ts';
import { hrefOf } from '../../router.ts';
import { api } from '../../service/api.ts';
import { hasRight, session } from '../../service/session.ts';

/** How many are asked about at a time. */
const SHOWN = 5;
const MAX_SAID = 500;
const CARDS = 'direct_mail_reply';

type Meaning = Parameters<typeof api.ticks.patch>[1];
const MEANINGS: readonly Meaning[] = ['call', 'no_call', 'no_contact', 'nothing'];

/** Whether the person sees all cards, and so may say what ticks on them mean. */
export const maySay = (): boolean => hasRight('follow_up') && session.value?.locations === null;

/** Asks about ticks of which nobody has said what they mean. */
export function UnsaidTicks({ page }: { readonly page: unknown }): JSX.Element | null {
  const { value, reload } = useLoad(maySay() ? 'unsaid ticks' : undefined, (signal) =>
    api.ticks.list({ meaning: 'unsaid', limit: SHOWN }, { signal }).page(),
  );
  useAgain(page, reload);
  return <Ticks all={value?.data} title={says.ticks} hint={says.ticksHint} onSaid={reload} />;
}

/** Lists ticks of which somebody has, to say it anew. */
export function SaidTicks(): JSX.Element | null {
  const { value, reload } = useLoad(maySay() ? 'said ticks' : undefined, (signal) =>
    api.ticks.list({ limit: MAX_SAID }, { signal }).page(),
  );
  const said = value?.data.filter(({ meaning }) => meaning !== null);
  return <Ticks all={said} title={says.ticksSaid} onSaid={reload} />;
}

function Ticks(props: {
  readonly all: readonly Tick[] | undefined;
  readonly title: string;
  readonly hint?: string;
  readonly onSaid: () => void;
}): JSX.Element | null {
  const { all = [], title, hint, onSaid } = props;
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
  return (
    <section class="panel-of ticks" aria-label={title}>
      <header>
        <h2>{title}</h2>
      </header>
      {hint !== undefined && <p class="quiet">{hint}</p>}
      {fault}
      <ul class="lines">
        {all.map((one) => (
          <li key={one.unique_identifier}>
            <span>
              <strong>{one.name}</strong>{' '}
              <span class="quiet">
                {one.meaning === null ? says.tickCards(one.cards) : says.meanings[one.meaning]}
              </span>
            </span>
            {one.record !== null && (
              <a href={hrefOf(`${resourceNamed(CARDS)?.path}/${one.record}`)}>{says.tickLast}</a>
            )}
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
      {dialog}
    </section>
  );
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
