/** The list of removals that can be restored, newest first. */
import { signal } from '@preact/signals';
import { removed as says, staff, page as texts } from 'messages';
import type { Removal } from '../../../../client/src/generated/objects.d.ts';
import { useLoad } from '../../load.ts';
import { useActions } from '../../parts/actions.tsx';
import { Button } from '../../parts/button.tsx';
import { acts, folded, Listed, PAGE } from '../../parts/listed.tsx';
import { Select } from '../../parts/select.tsx';
import type { Column } from '../../parts/table.tsx';
import { chosenLocation } from '../../places/locations.ts';
import { zoneOf } from '../../places/zones.ts';
import { resourceNamed } from '../../records/description.ts';
import { nameFirst } from '../../records/key-names.ts';
import { go, query, setQuery, useSearched } from '../../router.ts';
import { api } from '../../service/api.ts';
import { may, session } from '../../service/session.ts';
import { timesText } from '../../values/format.ts';
import { Time } from '../../values/value.tsx';
import { hrefOfRecord, nameOf, restoreForm } from './restore.tsx';

/** After the last letter, before the request is sent. */
const PAUSE_MS = 200;

/** What was looked for last, for those who come back: it may be a name, and browsers store addresses. */
const searched = signal('');

export function RemovedScreen(): JSX.Element {
  const accounts = session.value?.accounts ?? [];
  const account = query.value.get('account') ?? accounts[0]?.unique_identifier;
  const q = searched.value || undefined;
  const starting_after = query.value.get('starting_after') ?? undefined;
  const params = { account, q, location: chosenLocation.value, starting_after, limit: PAGE };
  const { dialog, ask } = useActions();
  const list = useLoad(
    account === undefined ? undefined : `removed ${JSON.stringify(params)}`,
    (signal) => api.removals.list(params, { signal }).page(),
  );
  const isFiltered = q !== undefined || params.location !== undefined;
  return (
    <>
      <Listed
        title={texts.nav.removed}
        about={`${says.about} ${timesText()}`}
        acts={
          accounts.length > 1 && (
            <Select
              aria-label={staff.accounts}
              value={account}
              options={accounts.map((one) => [one.unique_identifier, one.name] as const)}
              onChoose={(chosen) => setQuery({ account: chosen, starting_after: undefined })}
            />
          )
        }
        above={<Search />}
        of={list}
        none={
          isFiltered
            ? { title: texts.list.nothingMatches }
            : { title: says.none, hint: says.noneHint }
        }
        after={() => list.value?.position ?? null}
        columns={columns((removal) =>
          ask({ ...restoreForm(removal), onDone: () => go(hrefOfRecord(removal)) }),
        )}
        hrefOf={hrefOfRecord}
      />
      {dialog}
    </>
  );
}

function Search(): JSX.Element {
  const [typed, setTyped] = useSearched(searched, PAUSE_MS, () =>
    setQuery({ starting_after: undefined }, { instead: true }),
  );
  return (
    <search class="above">
      <input
        type="search"
        aria-label={says.search}
        placeholder={says.search}
        autocomplete="off"
        spellcheck={false}
        maxLength={200}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    </search>
  );
}

/** The name of who removed something, if the viewer may know it; `''` where they have no name. */
function whoOf({ key }: Pick<Removal, 'key'>): string {
  if (key === null) return '';
  if (key === session.value?.staff.unique_identifier) return staff.you;
  const name = nameFirst(key);
  return name === key ? '' : name;
}

function columns(onRestore: (removal: Removal) => void): readonly Column<Removal>[] {
  return [
    { label: texts.record.name, class: 'name', cell: nameOf },
    folded(texts.what, ({ resource }) => resourceNamed(resource)?.singular ?? resource),
    folded(says.count, ({ count }) => (count > 1 ? says.others(count - 1) : null)),
    folded(says.by, whoOf),
    {
      label: texts.when,
      class: 'time',
      folds: true,
      cell: ({ removed_at, location }) => (
        <Time at={removed_at} listed zone={zoneOf(location ?? undefined)} />
      ),
    },
    ...(may('write')
      ? [
          acts((removal: Removal) => (
            <Button
              class="plain"
              label={says.restore}
              of={nameOf(removal)}
              onClick={() => onRestore(removal)}
            />
          )),
        ]
      : []),
  ];
}
