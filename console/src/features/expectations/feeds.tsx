/** What is expected of each system, and whether it comes: administrators confirm what was learned, or turn it off. */

import { feeds, expectations as says, page as texts } from 'messages';
import type { Expectation } from '../../../../client/src/generated/objects.d.ts';
import {
  type HourSpan,
  hoursText,
  readHours,
} from '../../../../src/core/schema/present/expected-hours.ts';
import * as bounds from '../../generated/bounds.ts';
import { useLoad } from '../../load.ts';
import { locale } from '../../messages.ts';
import { useActions } from '../../parts/actions.tsx';
import { Button } from '../../parts/button.tsx';
import { Check } from '../../parts/choices.tsx';
import { question } from '../../parts/form.tsx';
import { folded, named, Titled, times } from '../../parts/listed.tsx';
import { Fault } from '../../parts/loading.tsx';
import type { Column } from '../../parts/table.tsx';
import { isInRegion } from '../../places/zones.ts';
import { sourceNames } from '../../screens/feeds/load-feeds.ts';
import { api } from '../../service/api.ts';
import { session } from '../../service/session.ts';
import { agoText } from '../../values/format.ts';
import type { Spots } from '../spots.ts';

const PAGE = 1000;
/** In this order, those to look after first. */
const STATES = ['silent', 'failing', 'late', 'back', 'new', 'on_time'];
const WARNED = STATES.slice(0, 3);

export function FeedsPanel({ region, locationName }: Spots['FeedsPanel']): JSX.Element | null {
  const { value, busy, reload } = useLoad('expectations', load);
  const { busy: isSetting, fault, dialog, perform, ask } = useActions();
  const rows = (value?.expected ?? []).filter(({ location }) => isInRegion(location, region));
  if (value === undefined) return null;
  const set = ({ source, location }: Expectation, status: 'confirmed' | 'off'): void =>
    void perform(() => api.expectations.create({ source, location, status }), reload);
  const change = (one: Expectation): void =>
    ask({
      ...expectationForm(
        one,
        `${value.sources.get(one.source) ?? one.source}, ${locationName(one.location)}`,
      ),
      said: texts.saved,
      onDone: reload,
    });
  const maySet = session.value?.allow.includes('sources') === true;
  return (
    <>
      {fault}
      <Titled
        caption={says.title}
        hint={says.about}
        columns={[
          ...columns(value.sources, locationName),
          ...(maySet ? [decisions(isSetting, set, change)] : []),
        ]}
        rows={rows.toSorted((one, other) => rank(one) - rank(other))}
        busy={busy}
      />
      {dialog}
    </>
  );
}

async function load(signal: AbortSignal) {
  const [expected, sources] = await Promise.all([
    api.expectations.list({ limit: PAGE }, { signal }).page(),
    sourceNames(),
  ]);
  return { expected: expected.data, sources };
}

function rank({ state, status }: Expectation): number {
  return status === 'off' ? STATES.length : STATES.indexOf(state);
}

function columns(
  sources: ReadonlyMap<string, string>,
  locationName: (id: string) => string,
): readonly Column<Expectation>[] {
  return [
    { label: feeds.syncs.system, cell: ({ source }) => sources.get(source) ?? source },
    folded(texts.location, ({ location }) => locationName(location)),
    { label: texts.status, cell: stateOf },
    {
      label: says.hours,
      cell: ({ hours, every, status }) =>
        status === 'off' ? null : says.every({ hours: inWords(hours), every }),
    },
    named(texts.why, ({ status, learned_days: days, kept_days: kept }) =>
      status === 'learned' && days !== null && kept !== null
        ? says.learned({ kept, days })
        : (says.statuses[status] ?? status),
    ),
    times(feeds.last, ({ last_at }) => (last_at === null ? null : agoText(last_at))),
  ];
}

function stateOf({ state, since, status, refusal }: Expectation): JSX.Element | null {
  if (status === 'off') return null;
  const name = says.states[state] ?? state;
  const isWarned = WARNED.includes(state);
  return (
    <>
      <span class={isWarned ? 'tag warn' : 'tag'}>{name}</span>
      {isWarned && <small> {agoText(since)}</small>}
      {refusal !== null && <small> {refusal}</small>}
    </>
  );
}

/** The days of the week as the reader writes them. */
function inWords(hours: string): string {
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  return hours
    .replaceAll('-', '–')
    .replace(/[a-z]{3}/g, (day) => weekdayText(days.indexOf(day), 'short'));
}

/** `day`: from 0, which is Monday. */
function weekdayText(day: number, weekday: 'short' | 'long'): string {
  const format = new Intl.DateTimeFormat(locale, { weekday, timeZone: 'UTC' });
  return format.format(Date.UTC(2026, 5, 1 + day));
}

function decisions(
  busy: boolean,
  decide: (one: Expectation, status: 'confirmed' | 'off') => void,
  change: (one: Expectation) => void,
): Column<Expectation> {
  const button = (label: string, run: () => void): JSX.Element => (
    <Button class="plain" label={label} disabled={busy} onClick={run} />
  );
  return folded(says.decide, (one) => (
    <>
      {one.status !== 'confirmed' &&
        one.hours !== '' &&
        button(says.confirm, () => decide(one, 'confirmed'))}
      {button(`${texts.change} …`, () => change(one))}
      {one.status !== 'off' && button(says.off, () => decide(one, 'off'))}
    </>
  ));
}

/** What a day has that is added. */
const USUAL: HourSpan = { from: 8, until: 18 };

function expectationForm(one: Expectation, title: string) {
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
      silent_after: {
        label: says.silentAfter,
        hint: says.silentHint,
        of: 'number',
      },
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

const weekdays = Array.from({ length: 7 }, (_, day) => weekdayText(day, 'long'));
