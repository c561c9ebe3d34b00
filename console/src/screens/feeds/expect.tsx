/** A dialog in which administrators say when a system is expected at a location: days, hours and closed days. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Expectation } from '../../../../client/src/generated/objects.d.ts';
import {
  type HourSpan,
  hoursText,
  readHours,
} from '../../../../src/core/schema/present/expected-hours.ts';
import { locale } from '../../locale.ts';
import { useAct } from '../../parts/act.ts';
import { Cancel, Dialog } from '../../parts/dialog.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Labelled } from '../../parts/labelled.tsx';
import { say } from '../../parts/notice.tsx';
import { refusalText } from '../../refusals.ts';
import { api } from '../../service/api.ts';
import { texts } from '../../texts.ts';
import { says as feeds } from './texts.ts';

const says = feeds.expected;
/** What a day has that is added. */
const USUAL: HourSpan = { from: 8, until: 18 };
const EVERY = ['hour', 'day'] as const;

interface ExpectProps {
  readonly one: Expectation;
  readonly title: string;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

export function Expect({ one, title, onClose, onSaved }: ExpectProps): JSX.Element {
  const [week, setWeek] = useState(() => readHours(one.hours) ?? weekdays.map(() => undefined));
  const [every, setEvery] = useState<string>(one.every);
  const [after, setAfter] = useState(String(one.silent_after));
  const [closed, setClosed] = useState(one.closed_days);
  const act = useAct();
  const hours = hoursText(week);
  const isRight = week.every((span) => span === undefined || span.from < span.until);
  const isChanged =
    hours !== one.hours ||
    every !== one.every ||
    after !== String(one.silent_after) ||
    closed !== one.closed_days;
  const setDay = (day: number, span: HourSpan | undefined): void =>
    setWeek(week.map((before, at) => (at === day ? span : before)));
  const save = async (): Promise<void> => {
    const { source, location } = one;
    const saved = await act.run(() =>
      api.expectations.create({
        ...{ source, location, hours, every: every === 'hour' ? 'hour' : 'day' },
        ...{ silent_after: Number(after), closed_days: closed, status: 'confirmed' },
      }),
    );
    if (saved === undefined) return;
    say(texts.saved);
    onSaved();
  };
  const faultOf = (name: string, label: string): string | undefined => {
    const fault = act.faults[name];
    return fault && refusalText(fault, label);
  };
  const own = faultOf('closed_days', says.closed) ?? faultOf('silent_after', says.silentAfter);
  return (
    <Dialog title={title} onClose={onClose} filled={isChanged}>
      <form
        class="fields"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Fault says={own === undefined ? act.fault : undefined} />
        <fieldset class="week">
          <legend>{says.hours}</legend>
          {weekdays.map((name, day) => (
            <Day key={name} name={name} span={week[day]} onSet={(span) => setDay(day, span)} />
          ))}
        </fieldset>
        <Labelled label={says.often} fault={undefined}>
          {(common) => (
            <select
              {...common}
              value={every}
              onChange={({ currentTarget: { value } }) => setEvery(value)}
            >
              {EVERY.map((value) => (
                <option key={value} value={value}>
                  {says.everies[value]}
                </option>
              ))}
            </select>
          )}
        </Labelled>
        <Labelled
          label={says.silentAfter}
          hint={says.silentHint}
          fault={faultOf('silent_after', says.silentAfter)}
        >
          {(common) => (
            <input
              {...common}
              type="number"
              min="1"
              value={after}
              onInput={({ currentTarget: { value } }) => setAfter(value)}
            />
          )}
        </Labelled>
        <Labelled
          label={says.closed}
          hint={says.closedHint}
          fault={faultOf('closed_days', says.closed)}
        >
          {(common) => (
            <input
              {...common}
              autocomplete="off"
              spellcheck={false}
              value={closed}
              onInput={({ currentTarget: { value } }) => setClosed(value)}
            />
          )}
        </Labelled>
        {!isRight && <p class="fault">{says.wrongHours}</p>}
        <footer>
          <Cancel />
          <button type="submit" class="main" disabled={act.busy || hours === '' || !isRight}>
            {act.busy ? texts.saving : texts.save}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

function Day({
  name,
  span,
  onSet,
}: {
  readonly name: string;
  readonly span: HourSpan | undefined;
  readonly onSet: (span: HourSpan | undefined) => void;
}): JSX.Element {
  const hour = (which: 'from' | 'until', now: HourSpan): JSX.Element => (
    <input
      type="number"
      min={which === 'from' ? 0 : 1}
      max={which === 'from' ? 23 : 24}
      aria-label={says.hourOf(name, which)}
      value={now[which]}
      onInput={({ currentTarget: { valueAsNumber: value } }) => {
        if (value >= 0 && value <= 24) onSet({ ...now, [which]: Math.floor(value) });
      }}
    />
  );
  return (
    <div>
      <label>
        <input
          type="checkbox"
          checked={span !== undefined}
          onChange={({ currentTarget: { checked } }) => onSet(checked ? USUAL : undefined)}
        />{' '}
        {name}
      </label>
      {span === undefined ? (
        <span class="quiet">{says.closedThen}</span>
      ) : (
        <span>
          {hour('from', span)} – {hour('until', span)}
        </span>
      )}
    </div>
  );
}

/** From Monday. */
const weekdays = Array.from({ length: 7 }, (_, day) =>
  new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(
    new Date(Date.UTC(2026, 5, 1 + day)),
  ),
);
