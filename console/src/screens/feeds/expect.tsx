/** A dialog in which administrators say when a system is expected at a location: days, hours and closed days. */
import { feeds, page as texts } from 'messages';
import type { Expectation } from '../../../../client/src/generated/objects.d.ts';
import {
  type HourSpan,
  hoursText,
  readHours,
} from '../../../../src/core/schema/present/expected-hours.ts';
import * as bounds from '../../generated/bounds.ts';
import { locale } from '../../locale.ts';
import { Check } from '../../parts/choices.tsx';
import { question } from '../../parts/form.tsx';
import { Fault } from '../../parts/loading.tsx';
import { api } from '../../service/api.ts';

const says = feeds.expected;
/** What a day has that is added. */
const USUAL: HourSpan = { from: 8, until: 18 };

/** What administrators say of it. */
export function expectationForm(one: Expectation, title: string) {
  return question({
    title,
    submit: texts.save,
    bounds: bounds.set_expectation,
    begin: {
      hours: readHours(one.hours) ?? weekdays.map(() => undefined),
      every: one.every as string,
      silent_after: String(one.silent_after),
      closed_days: one.closed_days,
    },
    fields: {
      hours: {
        label: says.hours,
        isReady: (week) => hoursText(week) !== '' && week.every(isRight),
        own: ({ value: week, onChange }) => (
          <fieldset class="week">
            <legend>{says.hours}</legend>
            {weekdays.map((name, day) => (
              <Day
                key={name}
                name={name}
                span={week[day]}
                onSet={(span) => onChange(week.with(day, span))}
              />
            ))}
            <Fault says={week.every(isRight) ? undefined : says.wrongHours} />
          </fieldset>
        ),
      },
      every: { label: says.often, of: Object.entries(says.everies) },
      silent_after: { label: says.silentAfter, hint: says.silentHint, of: 'number' },
      closed_days: { label: says.closed, hint: says.closedHint },
    },
    send: ({ hours, every, silent_after, closed_days }) =>
      api.expectations.create({
        source: one.source,
        location: one.location,
        hours: hoursText(hours),
        every: every === 'hour' ? 'hour' : 'day',
        silent_after: Number(silent_after),
        closed_days,
        status: 'confirmed',
      }),
  });
}

function isRight(span: HourSpan | undefined): boolean {
  return span === undefined || span.from < span.until;
}

function Day(props: {
  readonly name: string;
  readonly span: HourSpan | undefined;
  readonly onSet: (span: HourSpan | undefined) => void;
}): JSX.Element {
  const { name, span, onSet } = props;
  const hour = (which: 'from' | 'until', now: HourSpan): JSX.Element => (
    <input
      type="number"
      min={which === 'from' ? 0 : 1}
      max={which === 'from' ? 23 : 24}
      aria-label={says.hourOf({ day: name, which })}
      value={now[which]}
      onInput={({ currentTarget: { valueAsNumber: value } }) => {
        if (value >= 0 && value <= 24) onSet({ ...now, [which]: Math.floor(value) });
      }}
    />
  );
  return (
    <div>
      <Check
        label={name}
        isOn={span !== undefined}
        onSet={(isOn) => onSet(isOn ? USUAL : undefined)}
      />
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
