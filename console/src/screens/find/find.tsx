/** One box that finds records: by the start of names, the last digits of phone numbers, emails and identifiers. */
import { signal } from '@preact/signals';
import { page as texts } from 'messages';
import { Fragment } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { SearchGroup, SearchIndex } from '../../../../client/src/generated/search.d.ts';
import { useLoad } from '../../load.ts';
import { Empty, Heading, Loading } from '../../parts/loading.tsx';
import { moveByRow } from '../../parts/table.tsx';
import { chosenLocation } from '../../places/locations.ts';
import { described, fieldOf, resourceNamed, shownWith } from '../../records/description.ts';
import { detailsOf, valuesOf } from '../../records/details.ts';
import { type OfRecord, type Shown, subtitleOf, titleOf } from '../../records/records.ts';
import { said } from '../../records/said.tsx';
import { hrefOf, query, setQuery, useRestored, useSearched } from '../../router.ts';
import { ask } from '../../service/api.ts';
import { textOfValue } from '../../values/value.tsx';
import { Marked } from './marked.tsx';

const says = texts.search;
/** After the last letter, before the request is sent. */
const PAUSE_MS = 120;
/** The identity of a result. */
const SHOWN_WITH = [...new Set(described.flatMap(shownWith))];
const IN_A_GROUP = 8;
const OF_ONE_KIND = 50;

type Group = SearchGroup<string, Shown>;
type Match = Group['data'][number];

interface SearchResult {
  readonly index: SearchIndex;
  readonly data: readonly Group[];
}

/** What was looked for last, for those who come back from a record. Browsers store addresses, and it may be a name. */
const searched = signal('');

export function FindScreen(): JSX.Element {
  const [typed, setTyped] = useSearched(searched, PAUSE_MS, () =>
    setQuery({ in: undefined }, { instead: true }),
  );
  const searchText = searched.value;
  const box = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => box.current?.focus(), []);

  const location = chosenLocation.value;
  const only = query.value.get('in') ?? undefined;
  const { value, error, busy, reload } = useLoad(
    searchText === '' ? undefined : `find ${searchText} in ${only} at ${location ?? 'all'}`,
    (signal) =>
      ask<SearchResult>(
        'POST',
        '/v1/search',
        {
          q: searchText,
          location,
          expand: SHOWN_WITH,
          ...(only === undefined
            ? { limit: IN_A_GROUP }
            : { limit: OF_ONE_KIND, resource: [only] }),
        },
        { signal },
      ),
  );
  useRestored(value);
  return (
    <>
      <Heading title={texts.nav.find} />
      <search>
        <input
          ref={box}
          data-find
          type="search"
          class="find"
          aria-label={says.placeholder}
          aria-describedby="find-hint"
          placeholder={says.placeholder}
          autocomplete="off"
          spellcheck={false}
          maxLength={200}
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown' && event.key !== 'Enter') return;
            if (moveByRow(1)) event.preventDefault();
          }}
        />
      </search>
      <p class="hint" id="find-hint">
        {says.hint}
      </p>
      {searchText !== '' && (
        <Loading of={{ value, error, reload }} rows={8}>
          {(result) => <Groups result={result} searchText={searchText} busy={busy} />}
        </Loading>
      )}
    </>
  );
}

function Groups(props: {
  readonly result: SearchResult;
  readonly searchText: string;
  readonly busy: boolean;
}): JSX.Element {
  const { result, searchText, busy } = props;
  const groups = result.data.filter(({ data }) => data.length > 0);
  return (
    <div class="stack found" aria-busy={busy}>
      {result.index.status === 'building' && <p class="hint">{says.building}</p>}
      {groups.length === 0 && !busy && (
        <Empty
          title={says.nothing(searchText)}
          hint={result.data.length > 0 ? says.tooMany : says.nothingHint}
        />
      )}
      {groups.map(({ resource: name, data, has_more }) => {
        const resource = resourceNamed(name);
        if (resource === undefined) return null;
        return (
          <section key={name} aria-label={resource.plural}>
            <h2>{resource.plural}</h2>
            <ul>
              {data.map(({ record, matches, near }, index) => (
                <Fragment key={record.unique_identifier}>
                  {near && data[index - 1]?.near !== true && (
                    <li class="hint nearly">{says.nearly}</li>
                  )}
                  <Hit
                    resource={resource}
                    record={record}
                    matches={matches.filter(({ param }) => !resource.title.includes(param))}
                    searchText={searchText}
                  />
                </Fragment>
              ))}
            </ul>
            {has_more && (
              <p class="more">
                <a href={hrefOf('find', { in: name })}>
                  {says.more(resource.plural.toLowerCase())}
                </a>
              </p>
            )}
          </section>
        );
      })}
    </div>
  );
}

function Hit(
  props: Omit<Match, 'near'> & Pick<OfRecord, 'resource'> & { readonly searchText: string },
): JSX.Element {
  const { resource, record, matches, searchText } = props;
  const values = valuesOf(resource, record).filter(
    ({ param }) => !matches.some((one) => one.param === param),
  );
  return (
    <li data-row>
      <a class="line" href={hrefOf(`${resource.path}/${record.unique_identifier}`)}>
        <strong>
          <Marked text={titleOf(resource, record)} by={searchText} /> {said({ resource, record })}
        </strong>
        <span class="line hint reason">
          {matches.map(({ param, value }) => {
            const field = fieldOf(resource, param);
            return (
              <span key={param}>
                {field?.label ?? texts.record.identifier}{' '}
                <Marked text={textOfValue(value, field)} by={searchText} />
              </span>
            );
          })}
        </span>
        <span class="hint details">
          <Marked
            text={[...values.map(({ text }) => text), ...detailsOf(resource, record)].join(' · ')}
            by={subtitleOf(resource, record) === undefined ? '' : searchText}
          />
        </span>
      </a>
    </li>
  );
}
