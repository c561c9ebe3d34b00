/** The list of webhook endpoints, and the deliveries of each. */

import { edit as form, webhooks as says, page as texts } from 'messages';
import { useState } from 'preact/hooks';
import { now } from '../../clock.ts';
import { useLoad } from '../../load.ts';
import { useActions } from '../../parts/actions.tsx';
import { Button } from '../../parts/button.tsx';
import { Listed } from '../../parts/listed.tsx';
import { Heading, Loading, Reload } from '../../parts/loading.tsx';
import { say } from '../../parts/notice.tsx';
import { idOf } from '../../parts/table.tsx';
import { usualZone } from '../../places/zones.ts';
import { go, hrefOf } from '../../router.ts';
import type { OneProps, ScreenProps } from '../../screen.ts';
import { api } from '../../service/api.ts';
import { momentIn, withOffset } from '../../values/days.ts';
import { clockName } from '../../values/format.ts';
import { Deliveries } from './deliveries.tsx';
import { endpointForm, notificationsText, Status } from './settings.tsx';

export function Screen({ path, title, rest: [id] }: ScreenProps): JSX.Element {
  const of = { path, title };
  return id === undefined ? <Endpoints {...of} /> : <OneEndpoint {...of} id={id} />;
}

type Of = Pick<ScreenProps, 'path' | 'title'>;

function Endpoints({ path, title }: Of): JSX.Element {
  const list = useLoad('webhooks', async (signal) => ({
    data: await api.webhook_endpoints.list({ signal }),
    has_more: false,
  }));
  const { dialog, ask, once } = useActions();
  const add = (): void =>
    ask({
      ...endpointForm(),
      onDone: ({ unique_identifier: id, secret = '' }) =>
        // There a test can be sent.
        once({ title: says.secret, hint: says.secretHint, secret }, () =>
          go(hrefOf(`${path}/${id}`)),
        ),
    });
  return (
    <>
      <Listed
        title={title}
        about={says.about}
        of={list}
        none={{ title: says.none, hint: says.noneHint }}
        add={[says.add, add]}
        columns={[
          { label: says.url, cell: ({ url, description }) => description ?? url },
          { label: says.what, cell: notificationsText },
          { label: texts.status, cell: (endpoint) => <Status endpoint={endpoint} /> },
        ]}
        hrefOf={(endpoint) => hrefOf(`${path}/${idOf(endpoint)}`)}
      />
      {dialog}
    </>
  );
}

const KEY_ENDED = 'key_ended';

/** As a field of a time has it, by the clock by which deliveries are shown. */
function hourAgo(): string {
  return withOffset(now() - 3_600_000, usualZone.value).slice(0, 16);
}

function OneEndpoint({ path, title, id }: Of & OneProps): JSX.Element {
  const { value, error, reload } = useLoad(`webhook ${id}`, (signal) =>
    api.webhook_endpoints.retrieve(id, { signal }),
  );
  const [again, setAgain] = useState(0);
  const { busy, fault, dialog, perform, ask, once } = useActions();
  if (value === undefined) return <Loading of={{ value, error, reload }} rows={8} />;
  const changed = (): void => {
    setAgain(again + 1);
    reload();
  };

  const setStatus = (status: 'enabled' | 'paused') => () =>
    api.webhook_endpoints.patch(id, { status });
  const test = (): Promise<boolean> =>
    perform(
      () => api.webhook_endpoints.test(id),
      ({ delivered, duration_ms, error: why, status_code }) =>
        say(
          delivered ? says.delivered(duration_ms) : says.notDelivered(why ?? String(status_code)),
        ),
    );
  const questionOf = (one: 'enable' | 'rotate' | 'replay' | 'remove') => ({
    title: says[`${one}Sure`],
    hint: says[`${one}Hint`],
    submit: says[one],
  });
  const askFirst = {
    replay: () =>
      ask({
        ...questionOf('replay'),
        begin: { since: hourAgo() },
        fields: {
          since: {
            label: says.replaySure,
            hint: form.zone(clockName(usualZone.value)),
            of: 'datetime-local',
            needed: true,
          },
        },
        send: ({ since }) =>
          api.webhook_endpoints.replay(id, {
            since: momentIn(usualZone.value, since).toISOString(),
          }),
        said: says.resent,
        onDone: changed,
      }),
    rotate: () =>
      ask({
        ...questionOf('rotate'),
        send: () => api.webhook_endpoints.rotateSecret(id),
        onDone: ({ secret }) => once({ title: says.secret, hint: says.secretHint, secret }),
      }),
    remove: () =>
      ask({
        ...questionOf('remove'),
        danger: true,
        send: () => api.webhook_endpoints.remove(id),
        said: says.removed,
        onDone: () => go(hrefOf(path)),
      }),
  };
  const change = (): void => ask({ ...endpointForm(value), said: texts.saved, onDone: changed });
  const isOn = value.status === 'enabled' || value.status === 'failing';
  return (
    <>
      <Heading
        title={value.description ?? new URL(value.url).host}
        way={<a href={hrefOf(path)}>{title}</a>}
        about={
          <>
            <code>{value.url}</code> · {notificationsText(value)} · <Status endpoint={value} />
          </>
        }
      >
        <Reload onReload={changed} />
        <Button
          label={isOn ? texts.pause : says.enable}
          disabled={busy}
          onClick={() =>
            value.disabled_reason === KEY_ENDED
              ? ask({ ...questionOf('enable'), send: setStatus('enabled'), onDone: changed })
              : void perform(setStatus(isOn ? 'paused' : 'enabled'), changed)
          }
        />
        <Button label={says.test} disabled={busy} onClick={test} />
        <Button label={says.change} onClick={change} />
        {(['replay', 'rotate', 'remove'] as const).map((one) => (
          <Button key={one} class="plain" label={says[one]} onClick={askFirst[one]} />
        ))}
      </Heading>
      {fault}
      {dialog}
      <Deliveries id={id} again={again} />
    </>
  );
}
