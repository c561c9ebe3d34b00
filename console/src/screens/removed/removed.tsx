/** Removals that can be restored: all of them, newest first, and the page of a removed record. */

import { signal } from '@preact/signals';
import { removed as says, staff, page as texts } from 'messages';
import type { Removal, RestoredRemoval } from '../../../../client/src/generated/objects.d.ts';
import { toJson } from '../../../../client/src/json.ts';
import { isGone, useLoad } from '../../load.ts';
import { useActions } from '../../parts/actions.tsx';
import { Button } from '../../parts/button.tsx';
import { question } from '../../parts/form.tsx';
import { acts, folded, Listed, PAGE } from '../../parts/listed.tsx';
import { Heading, sentenceOf } from '../../parts/loading.tsx';
import { say } from '../../parts/notice.tsx';
import { Select } from '../../parts/select.tsx';
import type { Column } from '../../parts/table.tsx';
import { chosenLocation } from '../../places/locations.ts';
import { zoneOf } from '../../places/zones.ts';
import { resourceNamed } from '../../records/description.ts';
import { nameFirst } from '../../records/key-names.ts';
import { type ById, titleOf } from '../../records/records.ts';
import { refusalText } from '../../refusals.ts';
import { go, hrefOf, query, setQuery, useSearched } from '../../router.ts';
import { api, recordsOf } from '../../service/api.ts';
import { may, session, signedInFor } from '../../service/session.ts';
import { momentText, timesText, unturned } from '../../values/format.ts';
import { Time } from '../../values/value.tsx';
import { History } from '../record/history.tsx';

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
  const list = useLoad(account === undefined ? undefined : `removed ${toJson(params)}`, (signal) =>
    api.removals.list(params, { signal }).page(),
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

/** The others are counted. */
const MAX_NAMED = 5;

function nameOf({ name, external_identifier }: Removal): string {
  return unturned(name ?? external_identifier);
}

/** Where its first record is, or was. */
function hrefOfRecord({ resource, record }: Pick<Removal, 'resource' | 'record'>): string {
  return hrefOf(`${resourceNamed(resource)?.path ?? resource}/${record}`);
}

/** What stays removed, and why, in lines. */
function linesOf({ left, left_count }: RestoredRemoval): readonly string[] {
  const named = left.slice(0, MAX_NAMED).map(({ resource, external_identifier, ...why }) => {
    const what = resourceNamed(resource)?.singular ?? resource;
    return says.leftOne({ what, name: external_identifier, why: refusalText(why) });
  });
  const others = left_count - named.length;
  if (left_count === 0) return [];
  return [says.left(left_count), ...named, ...(others > 0 ? [texts.andMore(others)] : [])];
}

function sayRestored(done: RestoredRemoval): void {
  const more = linesOf(done);
  say(says.done(done.restored), more.length > 0 ? { more } : {});
}

/** Restores all of it, says so, and goes to the record. */
export async function undoRemoval(id: string, href: string): Promise<void> {
  try {
    const done = await signedInFor(() => api.removals.restore(id));
    sayRestored(done);
    if (done.restored > 0) go(href);
  } catch (error) {
    if (!(error instanceof DOMException)) say(sentenceOf(error), { more: [] });
  }
}

function restoreForm(removal: Removal) {
  const { unique_identifier: id } = removal;
  return question({
    title: says.sure(nameOf(removal)),
    rehearsal: {
      of: `restore of ${id}`,
      load: (signal) => api.removals.restore(id, { dry_run: true }, { signal }),
      says: (found) => (
        <>
          <p>{says.would(found.restored)}</p>
          {found.left_count > 0 && (
            <ul>
              {linesOf(found).map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          )}
        </>
      ),
      isReady: ({ restored }) => restored > 0,
    },
    submit: says.restore,
    async send() {
      const done = await api.removals.restore(id);
      sayRestored(done);
      return done;
    },
  });
}

/** The page of a removed record: whom it was about, when it was removed and with what, and how to restore it. */
export function Gone(props: ById & { readonly onRestored: () => void }): JSX.Element {
  const { resource, id, onRestored } = props;
  const { dialog, ask } = useActions();
  const { value } = useLoad(`what was at ${resource.path}/${id}`, async (signal) => {
    const records = recordsOf(resource.path);
    const { data } = await records.history(id, { limit: 1 }, { signal }).page();
    const [last] = data;
    if (last?.outcome !== 'deleted') return undefined;
    const [record, removals] = await Promise.all([
      records.retrieve(id, { version: last.version - 1, signal }).catch((error) => {
        // Without its content, it has no name.
        if (!isGone(error)) throw error;
      }),
      api.removals.list({ account: last.account, record: id }, { signal }).page(),
    ]);
    const [removal] = removals.data;
    const name = record === undefined ? undefined : titleOf(resource, record);
    return { name, removal, at: last.occurred_at };
  });
  const removal = value?.removal;
  const title = value?.name ?? resource.singular;
  return (
    <>
      <Heading
        title={title}
        about={
          value === undefined
            ? texts.record.gone
            : storyText(
                title,
                momentText(value.at, zoneOf(removal?.location ?? undefined)),
                togetherWith(id, removal),
              )
        }
        way={<a href={hrefOf(resource.path)}>{resource.plural}</a>}
      >
        {removal !== undefined && may('write') && (
          <Button
            class="main"
            label={removal.count > 1 ? says.everything : says.restore}
            onClick={() => ask({ ...restoreForm(removal), onDone: onRestored })}
          />
        )}
      </Heading>
      <History resource={resource} id={id} record={undefined} onRestored={onRestored} />
      {dialog}
    </>
  );
}

function togetherWith(id: string, removal: Removal | undefined): string {
  if (removal === undefined || removal.count === 1) return '';
  return removal.record === id ? says.others(removal.count - 1) : nameOf(removal);
}

function storyText(name: string, when: string, together: string): string {
  return together === '' ? says.story({ name, when }) : says.storyWith({ name, when, together });
}
