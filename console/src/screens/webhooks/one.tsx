/** One endpoint: its deliveries, why they failed, and actions on them. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { WebhookTest } from '../../../../client/src/generated/objects.d.ts';
import { useLoad } from '../../load.ts';
import { useAct } from '../../parts/act.ts';
import { Decide } from '../../parts/decide.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Heading } from '../../parts/heading.tsx';
import { say } from '../../parts/notice.tsx';
import { Once } from '../../parts/once.tsx';
import { Reload } from '../../parts/reload.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { go, hrefOf } from '../../router.ts';
import { ask } from '../../service/api.ts';
import { Deliveries } from './deliveries.tsx';
import { type Endpoint, PATH } from './endpoint.ts';
import { Settings } from './settings.tsx';
import { Status, toldOf } from './status.tsx';
import { says } from './texts.ts';

type Asking = 'enable' | 'rotate' | 'replay' | 'remove';

const KEY_ENDED = 'key_ended';

/** What the browser's own field of a time gives where nothing is chosen: an hour ago. */
function hourAgo(): string {
  const local = Date.now() - 3_600_000 - new Date().getTimezoneOffset() * 60_000;
  return new Date(local).toISOString().slice(0, 16);
}

export function OneEndpoint({
  path,
  id,
}: {
  readonly path: string;
  readonly id: string;
}): JSX.Element {
  const own = `${PATH}/${encodeURIComponent(id)}`;
  const { value, error, reload } = useLoad(`webhook ${id}`, (signal) =>
    ask<Endpoint>('GET', own, undefined, { signal }),
  );
  const [asking, setAsking] = useState<Asking>();
  const [since, setSince] = useState(hourAgo);
  const [changing, setChanging] = useState(false);
  const [secret, setSecret] = useState<string>();
  const [again, setAgain] = useState(0);
  const act = useAct();
  if (error !== undefined) return <Failure error={error} onAgain={reload} />;
  if (value === undefined) return <Skeleton />;
  const changed = (): void => {
    setAsking(undefined);
    setAgain(again + 1);
    reload();
  };

  const setStatus = async (status: 'enabled' | 'paused'): Promise<void> => {
    const done = await act.run(() => ask<Endpoint>('PATCH', own, { status }));
    if (done !== undefined) changed();
  };
  const test = async (): Promise<void> => {
    const done = await act.run(() => ask<WebhookTest>('POST', `${own}/test`, {}));
    if (done === undefined) return;
    const why = done.error ?? String(done.status_code);
    say(done.delivered ? says.delivered(done.duration_ms) : says.notDelivered(why));
  };
  const asked: Record<Asking, () => Promise<void>> = {
    enable: () => setStatus('enabled'),
    async rotate() {
      const done = await act.run(() => ask<Endpoint>('POST', `${own}/rotate_secret`, {}));
      setAsking(undefined);
      setSecret(done?.secret);
    },
    async replay() {
      const body = { since: new Date(since).toISOString() };
      const done = await act.run(() => ask<Endpoint>('POST', `${own}/replay`, body));
      if (done === undefined) return;
      say(says.replayed);
      changed();
    },
    async remove() {
      const done = await act.run(() => ask<object>('DELETE', own));
      if (done === undefined) return;
      say(says.removed);
      go(hrefOf(path));
    },
  };
  const isOn = value.status === 'enabled' || value.status === 'failing';
  return (
    <>
      <Heading
        title={value.description ?? new URL(value.url).host}
        way={<a href={hrefOf(path)}>{says.back}</a>}
        about={
          <>
            <code>{value.url}</code> · {toldOf(value)} · <Status endpoint={value} />
          </>
        }
      >
        <Reload onReload={changed} />
        <button
          type="button"
          disabled={act.busy}
          onClick={() =>
            value.disabled_reason === KEY_ENDED
              ? setAsking('enable')
              : void setStatus(isOn ? 'paused' : 'enabled')
          }
        >
          {isOn ? says.pause : says.enable}
        </button>
        <button type="button" disabled={act.busy} onClick={() => void test()}>
          {says.test}
        </button>
        <button type="button" onClick={() => setChanging(true)}>
          {says.change}
        </button>
        {(['replay', 'rotate', 'remove'] as const).map((one) => (
          <button key={one} type="button" class="plain" onClick={() => setAsking(one)}>
            {says[one]}
          </button>
        ))}
      </Heading>
      <Fault says={act.fault} />
      <Deliveries own={own} again={again} />
      {changing && (
        <Settings
          endpoint={value}
          onClose={() => setChanging(false)}
          onSaved={() => {
            setChanging(false);
            say(says.changed);
            changed();
          }}
        />
      )}
      {asking !== undefined && (
        <Dialog title={says[`${asking}Sure`]} onClose={() => setAsking(undefined)}>
          <p>{says[`${asking}Hint`]}</p>
          {asking === 'replay' && (
            <input
              type="datetime-local"
              aria-label={says.replaySure}
              value={since}
              onInput={({ currentTarget }) => setSince(currentTarget.value)}
            />
          )}
          <Decide
            submit={says[asking]}
            danger={asking === 'remove'}
            disabled={act.busy || (asking === 'replay' && since === '')}
            onSubmit={() => void asked[asking]()}
          />
        </Dialog>
      )}
      {secret !== undefined && (
        <Once
          title={says.secret}
          hint={says.secretHint}
          secret={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </>
  );
}
