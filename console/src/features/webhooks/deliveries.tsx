/** The deliveries to an endpoint, with their outcomes. */
import { webhooks as says, page as texts } from 'messages';
import type { WebhookDelivery } from '../../../../client/src/generated/objects.d.ts';
import { useLoad } from '../../load.ts';
import { useActions } from '../../parts/actions.tsx';
import { Button } from '../../parts/button.tsx';
import { Status } from '../../parts/fact.tsx';
import { acts } from '../../parts/listed.tsx';
import { Empty, Loading } from '../../parts/loading.tsx';
import { say } from '../../parts/notice.tsx';
import { Select } from '../../parts/select.tsx';
import { Table } from '../../parts/table.tsx';
import { resourceOf } from '../../records/description.ts';
import { hrefOf, query, setQuery } from '../../router.ts';
import { api } from '../../service/api.ts';
import { Time } from '../../values/value.tsx';

const SHOWN = 100;

/** `id` is that of the endpoint; `again` changes when something was done. */
export function Deliveries(props: { readonly id: string; readonly again: number }): JSX.Element {
  const { id, again } = props;
  const status = query.value.get('status') ?? '';
  const { value, error, busy, reload } = useLoad(
    `deliveries of ${id} ${status} ${again}`,
    (signal) => {
      const params = { limit: SHOWN, ...(status === '' ? {} : { status: status as 'failed' }) };
      return api.webhook_endpoints.deliveries(id, params, { signal }).page();
    },
  );
  const actions = useActions();
  const resend = (changes: readonly string[], said: string): void =>
    void actions
      .perform(async () => {
        for (const change of changes) await api.webhook_endpoints.resend(id, change);
        return said;
      }, say)
      .then(reload);
  const failed = (value?.data ?? []).flatMap(
    (one) => (one.status === 'failed' ? one.change : null) ?? [],
  );
  return (
    <section class="deliveries">
      <h2>{says.deliveries}</h2>
      <p class="choose">
        <Select
          aria-label={says.filter}
          value={status}
          options={[['', says.all], ...Object.entries(says.outcomes)]}
          onChoose={(chosen) => setQuery({ status: chosen || undefined }, { instead: true })}
        />
        {status === 'failed' && (value?.data.length ?? 0) > 0 && (
          <Button
            label={says.resendFailed}
            disabled={actions.busy}
            onClick={() => resend(failed, says.resentSome(failed.length))}
          />
        )}
      </p>
      {actions.fault}
      <Loading of={{ value, error, reload }} rows={8}>
        {({ data }) => data.length === 0 && <Empty title={says.noDeliveries} />}
      </Loading>
      {value !== undefined && value.data.length > 0 && (
        <Table
          caption={says.deliveries}
          columns={[
            { label: says.type, cell: ({ type }) => type },
            { label: texts.record.tabs.fields, cell: ({ record }) => <Record id={record} /> },
            {
              label: texts.when,
              class: 'time',
              cell: ({ updated_at }) => <Time at={updated_at} />,
            },
            {
              label: texts.status,
              cell: (one) => <Status of={one.status} words={says.outcomes} />,
            },
            {
              label: says.why,
              class: 'answer',
              cell: (delivery) => <Answer delivery={delivery} />,
            },
            acts(
              ({ change, status: is, type }: WebhookDelivery) =>
                change !== null &&
                is !== 'pending' && (
                  <Button
                    class="plain"
                    label={says.resend}
                    of={type}
                    disabled={actions.busy}
                    onClick={() => resend([change], says.resent)}
                  />
                ),
              says.resend,
            ),
          ]}
          rows={value.data}
          busy={busy}
        />
      )}
      {value?.has_more === true && <p class="hint">{says.more}</p>}
    </section>
  );
}

function Record({ id }: { readonly id: string | null }): JSX.Element | null {
  if (id === null) return null;
  const resource = resourceOf(id);
  if (resource === undefined) return <code>{id}</code>;
  return <a href={hrefOf(`${resource.path}/${id}`)}>{resource.singular}</a>;
}

function Answer({ delivery }: { readonly delivery: WebhookDelivery }): JSX.Element {
  const { status_code, error, attempts, duration_ms, next_attempt_at } = delivery;
  const parts = [
    error ?? (status_code === null ? undefined : String(status_code)),
    duration_ms === null ? undefined : `${duration_ms} ms`,
    attempts > 1 ? says.tries(attempts) : undefined,
  ];
  return (
    <>
      {parts.filter((part) => part !== undefined).join(' · ')}
      {next_attempt_at !== null && (
        <span class="under next">
          {says.next} <Time at={next_attempt_at} />
        </span>
      )}
    </>
  );
}
