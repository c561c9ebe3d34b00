/** What was found, by resource. */

import { found as says, page as texts } from 'messages';
import { Fragment } from 'preact';
import type { SearchGroup, SearchIndex } from '../../../../client/src/generated/search.d.ts';
import { Empty } from '../../parts/loading.tsx';
import { zoneOfRecord } from '../../places/homes.ts';
import { type DescribedResource, fieldOf, resourceNamed } from '../../records/description.ts';
import { detailsOf, valuesOf } from '../../records/details.ts';
import { type OfRecord, type Shown, subtitleOf, titleOf, valueIn } from '../../records/records.ts';
import { said } from '../../records/said.tsx';
import { handOver, hrefOf } from '../../router.ts';
import { textOfValue } from '../../values/value.tsx';
import { Marked } from './marked.tsx';

type Group = SearchGroup<string, Shown>;
type Match = Group['data'][number];

export interface SearchResult {
  readonly index: SearchIndex;
  readonly data: readonly Group[];
}

export function Found(props: {
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
      {groups.map(({ resource: name, data: all, has_more }) => {
        const resource = resourceNamed(name);
        if (resource === undefined) return null;
        const data = byDate(resource, all);
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
      {searchText !== '' && !busy && (
        <p class="hint">
          {groups.length > 0 && `${says.unsearched} `}
          <a href={hrefOf('removed')} onClick={() => handOver(searchText)}>
            {says.removed}
          </a>
        </p>
      )}
    </div>
  );
}

/** Puts those of one name in order of their date, the latest first; what is only nearly so stays last. */
function byDate(resource: DescribedResource, all: Group['data']): Group['data'] {
  const field = resource.fields.find(({ kind }) => kind === 'date and time');
  if (field === undefined) return all;
  const dateOf = ({ record }: Match): number =>
    Date.parse(String(valueIn(resource, record, field) ?? '')) || 0;
  const titled = ({ record }: Match): string => titleOf(resource, record).toLowerCase();
  const groups = Map.groupBy(all, (one) => `${one.near === true} ${titled(one)}`);
  return [...groups.values()].flatMap((some) =>
    some.toSorted((one, other) => dateOf(other) - dateOf(one)),
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
                {field?.label ?? resource.identifier ?? texts.record.identifier}{' '}
                <Marked text={textOfValue(value, field, zoneOfRecord(record))} by={searchText} />
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
