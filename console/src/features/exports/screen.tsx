/** Takes records away: what a list shows, or everything, as files. An export continues while its person looks at other screens. */

import { signal } from '@preact/signals';
import { exports as says, page as texts } from 'messages';
import { useState } from 'preact/hooks';
import { type ErrorDetails, LedgerstoneError } from '../../../../client/src/error.ts';
import { toJson } from '../../../../client/src/json.ts';
import { unitText } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Checks, Radios } from '../../parts/choices.tsx';
import { download } from '../../parts/download.ts';
import { Submitted } from '../../parts/form.tsx';
import { Failure, Heading } from '../../parts/loading.tsx';
import { say } from '../../parts/notice.tsx';
import { Choice } from '../../parts/select.tsx';
import { chooseLocation, chosenLocation, useLocationNames } from '../../places/locations.ts';
import { anchor, belowAccounts, filterBy, resourceAt } from '../../records/description.ts';
import { go, hrefOf, query } from '../../router.ts';
import { Chips } from '../../screens/list/chips.tsx';
import { FilterForm } from '../../screens/list/filter-form.tsx';
import { isFiltered, queryOf } from '../../screens/list/query.ts';
import { ask, post } from '../../service/api.ts';
import { signedInFor } from '../../service/session.ts';
import { fileNameOf } from './file-name.ts';

const RESOURCE = 'resource';

/** As the address says; all where it says nothing. */
function chosenResources(): readonly string[] {
  const named = query.value.get(RESOURCE)?.split(',');
  return belowAccounts.map(({ path }) => path).filter((path) => named?.includes(path) ?? true);
}

export function Screen(): JSX.Element {
  const [format, setFormat] = useState('xlsx');
  const chosen = chosenResources();
  const [first] = chosen;
  const only = chosen.length === 1 && first !== undefined ? resourceAt(first) : undefined;
  const choose = (next: readonly string[]): void => {
    const isAll = next.length === belowAccounts.length;
    go(hrefOf('export', isAll ? {} : { [RESOURCE]: next.join(',') }), { instead: true });
  };
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

type ExportState =
  | { readonly at: 'running'; readonly bytes: number; readonly cancel: () => void }
  | { readonly at: 'done'; readonly says: string }
  | { readonly at: 'failed'; readonly error: unknown };

/** `undefined`: none yet. */
const current = signal<ExportState | undefined>(undefined);

async function beginExport(wanted: Wanted): Promise<void> {
  const cancelled = new AbortController();
  const cancel = (): void => cancelled.abort();
  const show = (bytes: number): void => {
    current.value = { at: 'running', bytes, cancel };
  };
  show(0);
  try {
    const { file, rows } = await signedInFor(() => fetchExport(wanted, show, cancelled.signal));
    const name = nameOf(wanted);
    download(file, name);
    const size = sizeText(file.size);
    const text =
      rows === undefined ? `${name} (${size}).` : says.doneRecords({ count: rows, name, size });
    current.value = { at: 'done', says: text };
    say(text);
  } catch (error) {
    current.value = error instanceof DOMException ? undefined : { at: 'failed', error };
  }
}

function sizeText(bytes: number): string {
  return bytes < 1_000_000
    ? unitText(Math.ceil(bytes / 1000), 'kilobyte', 'short')
    : unitText(Math.round(bytes / 100_000) / 10, 'megabyte', 'short');
}

/** `events-2026-11-21.csv`; the ending is the last word of the format. */
function nameOf({ resources, format }: Wanted): string {
  const [first, ...others] = resources;
  const one = others.length === 0 ? resourceAt(first ?? '') : undefined;
  const ending = format.split('_').at(-1) ?? '';
  return one === undefined ? fileNameOf('Ledgerstone', 'zip') : fileNameOf(one.plural, ending);
}

interface Wanted {
  /** Path names. */
  readonly resources: readonly string[];
  readonly format: string;
  /** The filters of the one resource, as its list takes them. */
  readonly filters?: string;
  readonly location?: string;
}

/** How the last export of a person ended. */
interface Export {
  readonly rows: number;
  readonly error?: ErrorDetails;
}

/** The whole file. `arrived` gets the bytes so far. Throws `LedgerstoneError`, and what `signal` is aborted with. */
async function fetchExport(
  wanted: Wanted,
  arrived: (bytes: number) => void,
  signal: AbortSignal,
): Promise<{ readonly file: Blob; readonly rows: number | undefined }> {
  const { body } = await post('/exports', toJson(wanted), 'application/json', { signal });
  let bytes = 0;
  const counting = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(piece, on) {
      bytes += piece.length;
      arrived(bytes);
      on.enqueue(piece);
    },
  });
  const last = async (): Promise<Export | undefined> =>
    (await ask<{ readonly data: readonly Export[] }>('GET', '/exports')).data[0];
  try {
    const file = await new Response(body?.pipeThrough(counting)).blob();
    return { file, rows: (await last().catch(() => undefined))?.rows };
  } catch (cause) {
    signal.throwIfAborted();
    const { error } = (await last()) ?? {};
    const { ended: message } = says;
    const broken = { type: 'api_error', code: 'connection_failed', message, cause } as const;
    throw new LedgerstoneError(error ?? broken);
  }
}
