/** One retention rule: what it would remove, whether it does, and what its runs did. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { RetentionRule } from '../../../../client/src/generated/objects.d.ts';
import { useLoad } from '../../load.ts';
import { useAct } from '../../parts/act.ts';
import { Failure } from '../../parts/failure.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Heading } from '../../parts/heading.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Menu } from '../../parts/menu.tsx';
import { say } from '../../parts/notice.tsx';
import { Reload } from '../../parts/reload.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { type Question, Sure } from '../../parts/sure.tsx';
import { useLocationNames } from '../../places/locations.ts';
import { go, hrefOf } from '../../router.ts';
import { api } from '../../service/api.ts';
import { texts } from '../../texts.ts';
import { Enable } from './enable.tsx';
import { RuleForm } from './form.tsx';
import { isFresh, Preview } from './preview.tsx';
import { Runs } from './runs.tsx';
import { sentenceOf } from './sentence.ts';
import { says } from './texts.ts';

/** Between two looks at what is being counted. */
const LOOK_MS = 2_000;
/** The same while it removes, which takes longer; the audit has each look. */
const RUNNING_MS = 10_000;

export function OneRule({ path, id }: { readonly path: string; readonly id: string }): JSX.Element {
  const { value, error, reload } = useLoad(`retention rule ${id}`, (signal) =>
    api.retention_rules.retrieve(id, { signal }),
  );
  const [asking, setAsking] = useState<'enable' | 'change' | Question>();
  const act = useAct();
  const names = useLocationNames();
  const isCounting = value?.preview?.status === 'counting';
  const isRunning = isAboutToRun(value);
  useEffect(() => {
    if (!isCounting && !isRunning) return;
    const timer = setInterval(reload, isCounting ? LOOK_MS : RUNNING_MS);
    return () => clearInterval(timer);
  }, [isCounting, isRunning]);
  if (value === undefined)
    return error === undefined ? <Skeleton /> : <Failure error={error} onAgain={reload} />;
  const { status, location, preview } = value;
  const done = (text?: string): void => {
    setAsking(undefined);
    if (text !== undefined) say(text);
    reload();
  };
  const perform = async (work: () => Promise<unknown>, text?: string): Promise<void> => {
    if ((await act.run(work)) !== undefined) done(text);
  };
  const look = (): Promise<void> => perform(() => api.retention_rules.preview(id));
  const remove = async (): Promise<void> => {
    if ((await act.run(() => api.retention_rules.remove(id))) === undefined) return;
    say(says.removed);
    go(hrefOf(path));
  };
  const lift = async (): Promise<void> => {
    let lifted = 0;
    const last = await act.run(async () => {
      for (;;) {
        const some = await api.retention_rules.lift(id);
        lifted += some.lifted;
        if (!some.has_more) return some;
      }
    });
    if (last !== undefined) done(says.lifted(lifted));
  };
  const askLift = (): void =>
    setAsking({ ...sure(says.liftSure, says.liftHint, says.lift, lift), danger: false });
  const isEnabled = status === 'enabled';
  return (
    <article class="retention">
      <Heading
        title={sentenceOf(value)}
        way={<a href={hrefOf(path)}>{texts.nav.retention}</a>}
        about={
          <>
            <span class={`status ${status}`}>{says.statuses[status] ?? status}</span>
            <span>
              {location === null ? texts.allLocations : (names.get(location) ?? location)}
            </span>
          </>
        }
      >
        <Reload onReload={reload} />
        <Menu name={texts.record.more} label={<Icon name="more" />} icon={false} class="end">
          {(close) =>
            (
              [
                [says.change, () => setAsking('change'), ''],
                ...(value.since === 'event_datetime' ? [] : [[says.lift, askLift, ''] as const]),
                [
                  says.remove,
                  () => setAsking(sure(says.removeSure, says.removeHint, says.remove, remove)),
                  'danger',
                ],
              ] as const
            ).map(([label, ask, own]) => (
              <button
                key={label}
                type="button"
                class={`plain item ${own}`}
                onClick={() => {
                  close();
                  ask();
                }}
              >
                {label} …
              </button>
            ))
          }
        </Menu>
        {isEnabled ? (
          <button
            type="button"
            disabled={act.busy}
            onClick={() => void perform(() => api.retention_rules.pause(id), says.paused)}
          >
            {says.pause}
          </button>
        ) : (
          <button
            type="button"
            class="danger"
            disabled={!isFresh(preview)}
            title={isFresh(preview) ? undefined : says.enableFirst}
            onClick={() => setAsking('enable')}
          >
            {says.enable} …
          </button>
        )}
      </Heading>
      {error !== undefined && <Failure error={error} onAgain={reload} />}
      {asking === undefined && <Fault says={act.fault} />}
      {value.stopped_because !== null && (
        <p class="warned" role="status">
          {says.stopped[value.stopped_because] ?? value.stopped_because}
        </p>
      )}
      <dl class="facts">
        <div>
          <dt>{says.because}</dt>
          <dd>{value.basis}</dd>
        </div>
        {value.at_least_days !== null && (
          <div>
            <dt>{says.form.least}</dt>
            <dd>{says.least(says.days(value.at_least_days))}</dd>
          </div>
        )}
      </dl>
      <Preview of={value} busy={act.busy} onLook={() => void look()} />
      <Runs rule={value} />
      {asking === 'enable' && preview !== null && (
        <Enable
          // With what belongs to them.
          goes={Object.values(preview.below).reduce((all, one) => all + one, preview.goes)}
          act={act}
          onClose={() => setAsking(undefined)}
          onEnable={() => perform(() => api.retention_rules.enable(id), says.enabled)}
        />
      )}
      {asking === 'change' && (
        <RuleForm
          rule={value}
          onClose={() => setAsking(undefined)}
          onDone={() => done(says.changed)}
        />
      )}
      <Sure
        question={typeof asking === 'object' ? asking : undefined}
        act={act}
        onClose={() => setAsking(undefined)}
      />
    </article>
  );
}

function sure(title: string, hint: string, submit: string, run: () => Promise<void>): Question {
  return { title, hint, submit, danger: true, run };
}

/** Enabled and not run since, or running. */
function isAboutToRun(rule: RetentionRule | undefined): boolean {
  return (
    rule?.status === 'enabled' && (rule.last_run === null || rule.last_run.status === 'running')
  );
}
