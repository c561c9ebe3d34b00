/** Refused requests with their reasons: for people who build or run a feed. */

import { feeds, requests as says, page as texts } from 'messages';
import { useEffect, useState } from 'preact/hooks';
import type { RefusedRequest } from '../../../../client/src/generated/objects.d.ts';
import { toJson } from '../../../../client/src/json.ts';
import { now } from '../../clock.ts';
import { useLoad } from '../../load.ts';
import { Copy, IconButton } from '../../parts/button.tsx';
import { Listed, PAGE } from '../../parts/listed.tsx';
import { Choice } from '../../parts/select.tsx';
import { nameFirst } from '../../records/key-names.ts';
import { hrefOf, query, setQuery } from '../../router.ts';
import { api } from '../../service/api.ts';
import { labelled, momentText, timesText } from '../../values/format.ts';
import { Time } from '../../values/value.tsx';

/** What is typed, each with an example: it is applied when the field is left, or Enter is pressed. */
const TYPED = [
  ['identifier', 'V4994'],
  ['status', '400'],
  ['code', 'phone_number_invalid'],
  ['path', '/v1/events'],
] as const;
const HOUR_MS = 3_600_000;
/** How far back, in hours: it stays relative in the address. */
const SINCE: Readonly<Record<string, number>> = { '1h': 1, '24h': 24, '7d': 168 };

const FILTERS = ['by', 'key', 'since', ...TYPED.map(([name]) => name), 'request_id'] as const;

export function RequestsScreen(): JSX.Element {
  const params = Object.fromEntries(
    [...FILTERS, 'starting_after'].flatMap((name) => {
      const value = query.value.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  const list = useLoad(`requests ${toJson(params)}`, (signal) =>
    api.requests.list({ ...paramsOf(params), limit: PAGE }, { signal }).page(),
  );
  const set = FILTERS.filter((name) => params[name] !== undefined);
  return (
    <Listed
      title={texts.nav.requests}
      about={`${says.about} ${timesText()}`}
      above={
        <>
          <Filters keys={(list.value?.data ?? []).flatMap(({ key }) => key ?? [])} />
          <div class="chips">
            {set.map((name) => (
              <span key={name} class="chip on">
                <span class="said" lang="en">
                  {labelled(
                    says.filters[name],
                    name === 'key'
                      ? nameFirst(params[name] ?? '')
                      : wordOf(name, params[name] ?? ''),
                  )}
                </span>
                <IconButton
                  class="plain"
                  icon="close"
                  label={texts.list.without(says.filters[name])}
                  onClick={() => setQuery({ [name]: undefined, starting_after: undefined })}
                />
              </span>
            ))}
          </div>
          {list.value?.complete === false && list.value.complete_since !== undefined && (
            <p class="note">{says.incomplete(momentText(list.value.complete_since))}</p>
          )}
        </>
      }
      of={list}
      none={
        set.length > 0
          ? { title: texts.list.nothingMatches, hint: texts.list.nothingMatchesHint }
          : { title: says.none, hint: says.noneHint }
      }
      after={({ request_id }) => request_id}
    >
      {(all) => (
        <ul class="refused" aria-busy={list.busy}>
          {all.map((request) => (
            <li key={request.request_id} class="stack">
              <Entry request={request} />
            </li>
          ))}
        </ul>
      )}
    </Listed>
  );
}

const { created, updated, unchanged, refused } = feeds;
const outcomes: Readonly<Record<string, string>> = { created, updated, unchanged, refused };

function wordOf(name: string, value: string): string {
  const words: Readonly<Record<string, string>> =
    name === 'by' ? says.byWords : name === 'since' ? says.sinceWords : {};
  return words[value] ?? value;
}

function Entry({ request }: { readonly request: RefusedRequest }): JSX.Element {
  const { request_id, time, key, authentication, address, method, path, status, code } = request;
  return (
    <>
      <header>
        <Time at={time} listed />
        <code class="what">
          {method} {path}
        </code>
        <a class="tag warn" href={hrefOf('requests', { code })}>
          {status} {code}
        </a>
        {key !== undefined && <a href={hrefOf('requests', { key })}>{nameFirst(key) || key}</a>}
      </header>
      {authentication !== undefined && <p>{says.authentication(authentication)}</p>}
      {request.errors.length === 0 && <p lang="en">{request.message}</p>}
      <ul class="faults">
        {request.errors.map((fault) => {
          const rows = fault.lines ?? fault.elements;
          return (
            <li key={`${fault.code} ${fault.param} ${fault.nearest}`}>
              {fault.param !== undefined && (
                <code>
                  {fault.nearest !== undefined
                    ? says.like(fault.nearest)
                    : fault.param === '*'
                      ? says.anyName
                      : fault.param}
                </code>
              )}{' '}
              <a href={`/docs/errors#${fault.code}`} target="_blank" rel="noopener">
                {fault.code}
              </a>{' '}
              <span class="said" lang="en">
                {fault.message}
              </span>
              {fault.count > 1 && ` × ${fault.count}`}
              {rows !== undefined &&
                ` ${says.rows({ rows: rows.join(', '), lines: fault.lines !== undefined })}`}
            </li>
          );
        })}
      </ul>
      {request.rows !== undefined && (
        <p class="quiet">
          {Object.entries(request.rows)
            .map(([outcome, count]) => `${(outcomes[outcome] ?? outcome).toLowerCase()} ${count}`)
            .join(' · ')}
        </p>
      )}
      <p class="quiet">
        {texts.failure.request} <code>{request_id}</code>
        <Copy text={request_id} label={texts.failure.copyRequest} />
        {address !== undefined && ` ${says.from(address)}`}
      </p>
    </>
  );
}

/** The query in the address, as the service takes it. By default without the console's own requests. */
function paramsOf(filters: Readonly<Record<string, string>>): object {
  const { since = '', by = 'keys', ...others } = filters;
  const hours = SINCE[since];
  const from = hours && new Date(now() - hours * HOUR_MS).toISOString().slice(0, 19);
  const one = others.request_id !== undefined || others.key !== undefined;
  return {
    ...others,
    ...(one || by === 'all' ? {} : { by }),
    ...(from && { 'time[gte]': `${from}Z` }),
  };
}

function Filters({ keys }: { readonly keys: readonly string[] }): JSX.Element {
  const is = (name: string): string => query.value.get(name) ?? '';
  const set = (name: string, value: string): void =>
    setQuery({ [name]: value.trim() || undefined, starting_after: undefined });
  const key = is('key');
  return (
    <form class="fields request-filters" onSubmit={(event) => event.preventDefault()}>
      <Choice
        label={says.filters.by}
        value={is('by')}
        options={Object.entries(says.byWords)}
        onChoose={(value) => set('by', value)}
      />
      <Choice
        label={says.filters.key}
        value={key}
        options={[
          ['', says.anyKey],
          ...[...new Set([key, ...keys])]
            .filter(Boolean)
            .map((one) => [one, nameFirst(one)] as const),
        ]}
        onChoose={(value) => set('key', value)}
      />
      <Choice
        label={says.filters.since}
        value={is('since')}
        options={Object.entries(says.sinceWords)}
        onChoose={(value) => set('since', value)}
      />
      {TYPED.map(([name, example]) => (
        <TypedFilter
          key={name}
          label={says.filters[name]}
          inputMode={name === 'status' ? 'numeric' : 'text'}
          placeholder={example}
          value={is(name)}
          onSet={(value) => set(name, value)}
        />
      ))}
    </form>
  );
}

/** Rows that arrive while somebody types leave it alone: only another value of the filter replaces it. */
function TypedFilter(props: {
  readonly label: string;
  readonly inputMode: 'numeric' | 'text';
  readonly placeholder: string;
  readonly value: string;
  readonly onSet: (value: string) => void;
}): JSX.Element {
  const { label, value, onSet, ...others } = props;
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  return (
    <label>
      {label}
      <input
        {...others}
        type="text"
        autocomplete="off"
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        onChange={({ currentTarget }) => onSet(currentTarget.value)}
      />
    </label>
  );
}
