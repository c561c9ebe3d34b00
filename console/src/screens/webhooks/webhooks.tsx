/** The list of webhook endpoints, and the deliveries of each. */

import says from 'messages:webhooks';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLoad } from '../../load.ts';
import { idOf, Listed } from '../../parts/listed.tsx';
import { Once } from '../../parts/once.tsx';
import { Table } from '../../parts/table.tsx';
import { go, hrefOf } from '../../router.ts';
import type { ScreenProps } from '../../screen.ts';
import { ask, type PageOf } from '../../service/api.ts';
import { type Endpoint, PATH } from './endpoint.ts';
import { OneEndpoint } from './one.tsx';
import { Settings } from './settings.tsx';
import { Status, toldOf } from './status.tsx';

export function WebhooksScreen({ path, rest }: ScreenProps): JSX.Element {
  const [id] = rest;
  return id === undefined ? <Endpoints path={path} /> : <OneEndpoint path={path} id={id} />;
}

function Endpoints({ path }: { readonly path: string }): JSX.Element {
  const list = useLoad('webhooks', (signal) =>
    ask<PageOf<Endpoint>>('GET', PATH, undefined, { signal }),
  );
  const [adding, setAdding] = useState(false);
  const [made, setMade] = useState<Endpoint>();
  return (
    <>
      <Listed
        title={says.title}
        about={says.about}
        of={list}
        none={{ title: says.none, hint: says.noneHint }}
        add={[says.add, () => setAdding(true)]}
        after={idOf}
      >
        {(all) => (
          <Table
            caption={says.title}
            columns={[
              { label: says.url, cell: ({ url, description }) => description ?? url },
              { label: says.what, cell: toldOf },
              { label: says.status, cell: (endpoint) => <Status endpoint={endpoint} /> },
            ]}
            rows={all}
            keyOf={idOf}
            hrefOf={(endpoint) => hrefOf(`${path}/${idOf(endpoint)}`)}
            busy={list.busy}
          />
        )}
      </Listed>
      {adding && (
        <Settings
          onClose={() => setAdding(false)}
          onSaved={(endpoint) => {
            setAdding(false);
            setMade(endpoint);
          }}
        />
      )}
      {made?.secret !== undefined && (
        <Once
          title={says.secret}
          hint={says.secretHint}
          secret={made.secret}
          // There a test can be sent.
          onClose={() => go(hrefOf(`${path}/${made.unique_identifier}`))}
        />
      )}
    </>
  );
}
