/** Takes records away: what a list shows, or everything, as files. */
import { exports as says, page as texts } from 'messages';
import { useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { Checks, Radios } from '../../parts/choices.tsx';
import { Submitted } from '../../parts/form.tsx';
import { Heading } from '../../parts/heading.tsx';
import { Failure } from '../../parts/loading.tsx';
import { Choice } from '../../parts/select.tsx';
import { chooseLocation, chosenLocation, useLocationNames } from '../../places/locations.ts';
import { anchor, belowAccounts, filterBy, resourceAt } from '../../records/description.ts';
import { go, hrefOf, query } from '../../router.ts';
import { Chips } from '../list/chips.tsx';
import { FilterForm } from '../list/filter-form.tsx';
import { isFiltered, queryOf } from '../list/query.ts';
import type { Wanted } from './running.ts';
import { beginExport, current, sizeText } from './running.ts';

const RESOURCE = 'resource';

/** As the address says; all where it says nothing. */
function chosenResources(): readonly string[] {
  const named = query.value.get(RESOURCE)?.split(',');
  return belowAccounts.map(({ path }) => path).filter((path) => named?.includes(path) ?? true);
}

export function ExportScreen(): JSX.Element {
  const [format, setFormat] = useState('xlsx');
  const chosen = chosenResources();
  const [first] = chosen;
  const only = chosen.length === 1 && first !== undefined ? resourceAt(first) : undefined;
  const choose = (next: readonly string[]): void =>
    go(
      hrefOf('export', next.length === belowAccounts.length ? {} : { [RESOURCE]: next.join(',') }),
      {
        instead: true,
      },
    );
  const isRunning = current.value?.at === 'running';
  return (
    <>
      <Heading title={texts.nav.export} about={says.about} />
      <Submitted
        class="stack export"
        busy={isRunning || first === undefined}
        onSubmit={() => void beginExport({ ...whatOf(chosen), format })}
      >
        <div class="what">
          <Checks
            legend={says.what}
            options={belowAccounts.map(({ path, plural }) => [path, plural] as const)}
            chosen={chosen}
            onChoose={choose}
          />
          <p class="hint">{first === undefined ? says.none : chosen.length > 1 && says.archive}</p>
        </div>
        {only !== undefined && (
          <fieldset class="only">
            <legend>{says.only}</legend>
            <Chips resource={only} Form={FilterForm} />
          </fieldset>
        )}
        <Where />
        <Radios
          legend={says.format}
          options={Object.entries(says.formats).map(([one, name]) => [one, name, says.hints[one]])}
          value={format}
          onChoose={setFormat}
        />
        <footer>
          <button type="submit" class="main" disabled={isRunning || first === undefined}>
            {texts.nav.export}
          </button>
          <State />
        </footer>
      </Submitted>
    </>
  );
}

/** The location that all screens look at. */
function Where(): JSX.Element | null {
  const names = useLocationNames();
  if (names.size < 2) return null;
  return (
    <div class="fields where">
      <Choice
        label={texts.location}
        value={chosenLocation.value ?? ''}
        options={[['', texts.allLocations], ...names]}
        onChoose={(id) => chooseLocation(id || undefined)}
      />
    </div>
  );
}

function State(): JSX.Element | null {
  const state = current.value;
  if (state === undefined) return null;
  if (state.at === 'failed') return <Failure error={state.error} />;
  if (state.at === 'done') return <p role="status">{state.says}</p>;
  return (
    <div class="progress">
      <progress aria-label={texts.nav.export} />
      <span role="status">
        {state.bytes === 0 ? says.starting : says.soFar(sizeText(state.bytes))}
      </span>
      <Button label={texts.cancel} onClick={state.cancel} />
      <span class="hint">{says.stays}</span>
    </div>
  );
}

/** Filtered exports come from the list; all others are a snapshot of one moment. */
function whatOf(resources: readonly string[]): Omit<Wanted, 'format'> {
  const [first = ''] = resources;
  const resource = resources.length === 1 ? resourceAt(first) : undefined;
  const location = chosenLocation.value;
  if (resource === undefined || !isFiltered(resource, query.value))
    return { resources, ...(location === undefined ? {} : { location }) };
  const filters = new URLSearchParams(queryOf(resource, query.value));
  const param = anchor && filterBy(resource, anchor.name);
  if (param !== undefined && location !== undefined) filters.set(param, location);
  return { resources, filters: filters.toString() };
}
