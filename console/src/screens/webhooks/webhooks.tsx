/** The list of webhook endpoints, and the deliveries of each. */
import { webhooks as says, page as texts } from 'messages';
import { useLoad } from '../../load.ts';
import { useActions } from '../../parts/actions.tsx';
import { Once } from '../../parts/copy.tsx';
import { Listed } from '../../parts/listed.tsx';
import { idOf } from '../../parts/table.tsx';
import { go, hrefOf } from '../../router.ts';
import type { ScreenProps } from '../../screen.ts';
import { api } from '../../service/api.ts';
import { OneEndpoint } from './one.tsx';
import { endpointForm, notificationsText, Status } from './settings.tsx';

export function WebhooksScreen({ path, rest }: ScreenProps): JSX.Element {
  const [id] = rest;
  return id === undefined ? <Endpoints path={path} /> : <OneEndpoint path={path} id={id} />;
}

function Endpoints({ path }: { readonly path: string }): JSX.Element {
  const list = useLoad('webhooks', async (signal) => ({
    data: await api.webhook_endpoints.list({ signal }),
    has_more: false,
  }));
  const { dialog, ask, open } = useActions();
  const add = (): void =>
    ask({
      ...endpointForm(),
      onDone: ({ unique_identifier: id, secret = '' }) =>
        // There a test can be sent.
        open(() => (
          <Once
            title={says.secret}
            hint={says.secretHint}
            secret={secret}
            onClose={() => go(hrefOf(`${path}/${id}`))}
          />
        )),
    });
  return (
    <>
      <Listed
        title={texts.nav.webhooks}
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
