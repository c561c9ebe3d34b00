/** The list of webhook endpoints, and the deliveries of each. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLoad } from '../../load.ts';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Heading } from '../../parts/heading.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Once } from '../../parts/once.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Table } from '../../parts/table.tsx';
import { go, hrefOf } from '../../router.ts';
import type { ScreenProps } from '../../screen.ts';
import { ask, type PageOf } from '../../service/api.ts';
import { texts } from '../../texts.ts';
import { type Endpoint, PATH } from './endpoint.ts';
import { OneEndpoint } from './one.tsx';
import { Settings } from './settings.tsx';
import { Status, toldOf } from './status.tsx';
import { says } from './texts.ts';

export function WebhooksScreen({ path, rest }: ScreenProps): JSX.Element {
  const [id] = rest;
  return id === undefined ? <Endpoints path={path} /> : <OneEndpoint path={path} id={id} />;
}

function Endpoints({ path }: { readonly path: string }): JSX.Element {
  const { value, error, busy, reload } = useLoad('webhooks', (signal) =>
    ask<PageOf<Endpoint>>('GET', PATH, undefined, { signal }),
  );
  const [adding, setAdding] = useState(false);
  const [made, setMade] = useState<Endpoint>();
  return (
    <>
      <Heading title={says.title} about={says.about}>
        <button type="button" class="plain square" aria-label={texts.list.refresh} onClick={reload}>
          <Icon name="again" />
        </button>
        <button type="button" class="main" onClick={() => setAdding(true)}>
          {says.add}
        </button>
      </Heading>
      {error !== undefined && <Failure error={error} onAgain={reload} />}
      {value === undefined && error === undefined && <Skeleton />}
      {value?.data.length === 0 && <Empty title={says.none} hint={says.noneHint} />}
      {value !== undefined && value.data.length > 0 && (
        <Table
          caption={says.title}
          columns={[
            { label: says.url, cell: ({ url, description }) => description ?? url },
            { label: says.what, cell: toldOf },
            { label: says.status, cell: (endpoint) => <Status endpoint={endpoint} /> },
          ]}
          rows={value.data}
          keyOf={({ unique_identifier }) => unique_identifier}
          hrefOf={({ unique_identifier }) => hrefOf(`${path}/${unique_identifier}`)}
          busy={busy}
        />
      )}
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
