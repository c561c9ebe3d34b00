/** One box that finds records: by the start of names, the last digits of phone numbers, emails and identifiers. */
import { signal } from '@preact/signals';
import { page as texts } from 'messages';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useLoad } from '../../load.ts';
import { later } from '../../parts/later.tsx';
import { Heading, Loading } from '../../parts/loading.tsx';
import { moveByRow } from '../../parts/table.tsx';
import { chosenLocation } from '../../places/locations.ts';
import { described, shownWith } from '../../records/description.ts';
import { query, setQuery, useRestored, useSearched } from '../../router.ts';
import { ask } from '../../service/api.ts';
import type { SearchResult } from './found.tsx';

/** The box is there at once, and takes what is typed; what was found is drawn by a script that comes later. */
const Found = later((seldom) => seldom.Found);

const says = texts.search;
/** After the last letter, before the request is sent. */
const PAUSE_MS = 120;
/** The identity of a result. */
const SHOWN_WITH = [...new Set(described.flatMap(shownWith))];
const IN_A_GROUP = 8;
const OF_ONE_KIND = 50;

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
          {(result) => <Found result={result} searchText={searchText} busy={busy} />}
        </Loading>
      )}
    </>
  );
}
