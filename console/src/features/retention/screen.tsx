/** Retention rules: those that there are, and one of them. */
import { retention as says, page as texts } from 'messages';
import { useState } from 'preact/hooks';
import type { RetentionRule, RetentionRun } from '../../../../client/src/generated/objects.d.ts';
import { useLoad } from '../../load.ts';
import { number, unitText } from '../../messages.ts';
import { useActions } from '../../parts/actions.tsx';
import { Button } from '../../parts/button.tsx';
import { Fact, Status } from '../../parts/fact.tsx';
import { amounts, folded, Listed, named, PAGE, statuses, times } from '../../parts/listed.tsx';
import { Failure, Heading, Loading, Reload } from '../../parts/loading.tsx';
import { ActMenu } from '../../parts/menu.tsx';
import { say } from '../../parts/notice.tsx';
import { usePolled } from '../../parts/polled.ts';
import { type Column, idOf, Table } from '../../parts/table.tsx';
import { useLocationNames } from '../../places/locations.ts';
import { go, hrefOf, query } from '../../router.ts';
import type { OneProps, ScreenProps } from '../../screen.ts';
import { api } from '../../service/api.ts';
import { dayText } from '../../values/format.ts';
import { Time } from '../../values/value.tsx';
import { ruleForm, sentenceOf } from './form.tsx';
import { isFresh, Preview } from './preview.tsx';

export function Screen({ path, title, rest: [id = ''] }: ScreenProps): JSX.Element {
  const of = { path, title };
  return id === '' ? <Rules {...of} /> : <OneRule {...of} id={id} />;
}

type Of = Pick<ScreenProps, 'path' | 'title'>;

function Rules({ path, title }: Of): JSX.Element {
  const starting_after = query.value.get('starting_after') ?? undefined;
  const list = useLoad(`retention rules ${starting_after}`, (signal) =>
    api.retention_rules.list({ limit: PAGE, starting_after }, { signal }).page(),
  );
  const { dialog, ask } = useActions();
  const names = useLocationNames();
  return (
    <>
      <Listed
        title={title}
        about={says.about}
        of={list}
        none={{ title: says.none, hint: says.noneHint }}
        add={[
          says.form.title,
          () =>
            ask({
              ...ruleForm(names),
              onDone: (rule) => go(hrefOf(`${path}/${idOf(rule)}`)),
            }),
        ]}
        columns={columns(names)}
        hrefOf={(rule) => hrefOf(`${path}/${idOf(rule)}`)}
      />
      {dialog}
    </>
  );
}

function columns(names: ReadonlyMap<string, string>): readonly Column<RetentionRule>[] {
  return [
    { label: says.rule, class: 'whole', cell: (rule) => sentenceOf(rule) },
    folded(texts.location, ({ location }) =>
      location === null ? texts.allLocations : (names.get(location) ?? location),
    ),
    statuses(says.statuses),
    named(
      says.lastRun,
      ({ last_run }) =>
        last_run && (
          <>
            {number(last_run.removed)} {says.runs.removedThen}
          </>
        ),
    ),
    times(texts.record.changed, ({ updated_at }) => dayText(new Date(updated_at))),
  ];
}

/** Between two looks at what is being counted. */
const LOOK_MS = 2_000;
/** How often the rule is read while it removes, which takes longer; the audit has each look. */
const RUNNING_MS = 10_000;

function OneRule({ path, title, id }: Of & OneProps): JSX.Element {
  const { value, error, reload } = useLoad(`retention rule ${id}`, (signal) =>
    api.retention_rules.retrieve(id, { signal }),
  );
  const { busy, fault, dialog, perform, ask } = useActions();
  const names = useLocationNames();
  const isCounting = value?.preview?.status === 'counting';
  usePolled(isCounting ? LOOK_MS : isAboutToRun(value) ? RUNNING_MS : undefined, reload);
  if (value === undefined) return <Loading of={{ value, error, reload }} rows={8} />;
  const { status, location, preview } = value;
  const change = (): void => ask({ ...ruleForm(names, value), said: says.changed, onDone: reload });
  const remove = (): void =>
    ask({
      title: says.removeSure,
      hint: says.removeHint,
      submit: says.remove,
      danger: true,
      send: () => api.retention_rules.remove(id),
      said: says.removed,
      onDone: () => go(hrefOf(path)),
    });
  const lift = (): void =>
    ask({
      title: says.liftSure,
      hint: says.liftHint,
      submit: says.lift,
      async send() {
        for (let lifted = 0; ; ) {
          const some = await api.retention_rules.lift(id);
          lifted += some.lifted;
          if (!some.has_more) return lifted;
        }
      },
      onDone: (lifted) => {
        say(says.lifted(lifted));
        reload();
      },
    });
  const enable = (goes: number): void =>
    ask({
      title: says.enableSure,
      hint: says.enableHint(number(goes)),
      submit: says.enable,
      danger: true,
      begin: { word: '' },
      fields: { word: { label: texts.typeWord(says.word), word: says.word } },
      send: () => api.retention_rules.enable(id),
      said: says.enabled,
      onDone: reload,
    });
  const isEnabled = status === 'enabled';
  return (
    <article class="retention">
      <Heading
        title={sentenceOf(value)}
        way={<a href={hrefOf(path)}>{title}</a>}
        about={
          <>
            <Status of={status} words={says.statuses} />
            <span>
              {location === null ? texts.allLocations : (names.get(location) ?? location)}
            </span>
          </>
        }
      >
        <Reload onReload={reload} />
        <ActMenu
          acts={[
            { label: texts.change, asks: true, run: change },
            { label: says.lift, asks: true, run: lift, may: value.since !== 'event_datetime' },
            { label: says.remove, asks: true, danger: true, run: remove },
          ]}
        />
        {isEnabled ? (
          <Button
            label={texts.pause}
            disabled={busy}
            onClick={() =>
              void perform(
                () => api.retention_rules.pause(id),
                () => {
                  say(says.paused);
                  reload();
                },
              )
            }
          />
        ) : (
          <Button
            class="danger"
            label={says.enable}
            asks
            disabled={!isFresh(preview)}
            title={isFresh(preview) ? undefined : says.enableFirst}
            // With what belongs to them.
            onClick={() =>
              enable(
                Object.values(preview?.below ?? {}).reduce(
                  (all, one) => all + one,
                  preview?.goes ?? 0,
                ),
              )
            }
          />
        )}
      </Heading>
      {error !== undefined && <Failure error={error} onAgain={reload} />}
      {fault}
      {dialog}
      {value.stopped_because !== null && (
        <p class="warned" role="status">
          {says.stopped[value.stopped_because] ?? value.stopped_because}
        </p>
      )}
      <dl class="facts">
        <Fact label={texts.why}>{value.basis}</Fact>
        {value.at_least_days !== null && (
          <Fact label={says.form.least}>{says.least(unitText(value.at_least_days, 'day'))}</Fact>
        )}
      </dl>
      <Preview
        of={value}
        busy={busy}
        onLook={() => void perform(() => api.retention_rules.preview(id), reload)}
      />
      <Runs rule={value} />
    </article>
  );
}

/** Enabled and not run since, or running. */
function isAboutToRun(rule: RetentionRule | undefined): boolean {
  return (
    rule?.status === 'enabled' && (rule.last_run === null || rule.last_run.status === 'running')
  );
}

const shown = says.runs;
const FIRST_RUNS = 20;
const MAX_RUNS = 50;

function Runs(props: { readonly rule: RetentionRule }): JSX.Element {
  const { rule } = props;
  const { unique_identifier: id, last_run, updated_at } = rule;
  const [limit, setLimit] = useState(FIRST_RUNS);
  const round = `${last_run?.unique_identifier} ${last_run?.status}`;
  const runs = useLoad(`runs of ${id} ${limit} ${round} ${updated_at}`, (signal) =>
    api.retention_rules.runs(id, { limit }, { signal }).page(),
  );
  const { value, busy } = runs;
  // The rule is read again while it runs, and its runs are not.
  const all = (value?.data ?? []).map((run) =>
    run.unique_identifier === last_run?.unique_identifier ? { ...run, ...last_run } : run,
  );
  return (
    <section class="children">
      <h2>{shown.title}</h2>
      <Loading of={runs}>{() => all.length === 0 && <p class="hint">{shown.none}</p>}</Loading>
      {all.length > 0 && <Table caption={shown.title} columns={COLUMNS} rows={all} busy={busy} />}
      {value?.has_more === true && limit < MAX_RUNS && (
        <Button class="plain" label={shown.more} onClick={() => setLimit(MAX_RUNS)} />
      )}
    </section>
  );
}

const COLUMNS: readonly Column<RetentionRun>[] = [
  { label: texts.began, class: 'time', cell: ({ began_at }) => <Time at={began_at} /> },
  folded(shown.status, ({ status, stopped_because: why }) => (
    <>
      <Status of={status} words={says.statuses} />
      {why !== null && <small class="under quiet">{shown.stopped[why] ?? why}</small>}
    </>
  )),
  amounts(texts.nav.removed, ({ removed }) => number(removed)),
  amounts(shown.held, ({ held }) => number(held)),
  amounts(shown.spared, ({ spared }) => number(spared)),
  amounts(shown.took, ({ seconds }) => shown.seconds(seconds)),
];
