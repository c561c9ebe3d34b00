/** Who has seen or done what, newest first: a row for what one person saw of one record in a day. */

import { images, audit as says, page as texts } from 'messages';
import type { AuditEntry } from '../../../../client/src/generated/objects.d.ts';
import { toJson } from '../../../../client/src/json.ts';
import { now } from '../../clock.ts';
import { useLoad } from '../../load.ts';
import { Check } from '../../parts/choices.tsx';
import { amounts, folded, Listed, named } from '../../parts/listed.tsx';
import { Empty } from '../../parts/loading.tsx';
import { Choice } from '../../parts/select.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { usualZone } from '../../places/zones.ts';
import { resourceAt, resourceNamed, resourceOf } from '../../records/description.ts';
import { isUnnamed, nameFirst } from '../../records/key-names.ts';
import { hrefOf, query, setQuery } from '../../router.ts';
import type { ScreenProps } from '../../screen.ts';
import { api, ask } from '../../service/api.ts';
import { session } from '../../service/session.ts';
import { withOffset } from '../../values/days.ts';
import { labelled, timesText, unturned } from '../../values/format.ts';
import { Time } from '../../values/value.tsx';

const DAY_MS = 86_400_000;
/** As many as names are asked for at a time. */
const PAGE = 100;

type Titles = ReadonlyMap<string, string>;

export function AuditScreen({ path }: ScreenProps): JSX.Element {
  const is = (name: string): string | undefined => query.value.get(name) ?? undefined;
  const [record, by, action, since] = [is('record'), is('by'), is('action'), is('since')];
  const isOthers = query.value.has('others');
  const params = { record, by, action, starting_after: is('starting_after'), limit: PAGE };
  const list = useLoad(`audit ${toJson(params)} ${since}`, async (signal) => {
    const time = since === undefined ? {} : { 'time[gte]': daysAgo(Number.parseInt(since, 10)) };
    const page = await api.audit.list({ ...params, ...time } as never, { signal }).page();
    return page;
  });
  // Rows need not wait for what their records are called.
  const called = useLoad(
    list.value && `audited ${list.value.data[0]?.unique_identifier} ${toJson(params)} ${since}`,
    (signal) => titlesOf(list.value?.data ?? [], record, signal),
  );
  const titles =
    called.value ?? (called.error === undefined ? undefined : new Map<string, string>());
  const title = record && titles?.get(record);
  const resource = record === undefined ? undefined : resourceOf(record);
  const set = (name: string, chosen: string): void =>
    setQuery({ [name]: chosen || undefined, starting_after: undefined });
  const people = [...new Set([by, ...(list.value?.data ?? []).map((one) => one.by)])].filter(
    (one) => one !== undefined,
  );
  return (
    <Listed
      title={texts.nav.audit}
      about={
        record === undefined ? (
          `${says.about} ${timesText()}`
        ) : (
          <>
            <a href={hrefOf(`${resource?.path}/${record}`)}>
              {says.ofRecord(title ?? resource?.singular ?? record)}
            </a>{' '}
            · <a href={hrefOf(path)}>{says.all}</a>
          </>
        )
      }
      above={
        <form class="fields request-filters" onSubmit={(event) => event.preventDefault()}>
          <Choice
            label={says.who}
            value={by ?? ''}
            options={[
              ['', says.anybody],
              ...people.map(
                (one) =>
                  [one, isUnnamed(one) ? `${nameFirst(one)} (${one})` : nameFirst(one)] as const,
              ),
            ]}
            onChoose={(chosen) => set('by', chosen)}
          />
          <Choice
            label={texts.what}
            value={action ?? ''}
            options={[['', says.anything], ...Object.entries(says.actions)]}
            onChoose={(chosen) => set('action', chosen)}
          />
          <Choice
            label={says.since}
            value={since ?? ''}
            options={Object.entries(says.sinceWords)}
            onChoose={(chosen) => set('since', chosen)}
          />
          <Check
            label={says.others}
            isOn={isOthers}
            onSet={(isOn) => set('others', isOn ? '1' : '')}
          />
        </form>
      }
      of={list}
      none={{ title: says.none, hint: says.noneHint }}
    >
      {(all) => {
        const rows = storiesOf(isOthers ? all.filter((one) => !isOwn(one)) : all);
        return rows.length === 0 ? (
          <Empty title={says.none} />
        ) : (
          <Table
            caption={texts.nav.audit}
            columns={columns(titles)}
            rows={rows}
            keyOf={({ entry }) => entry.unique_identifier}
            busy={list.busy}
          />
        );
      }}
    </Listed>
  );
}

function isOwn({ by }: AuditEntry): boolean {
  return by === session.value?.staff.unique_identifier;
}

/** What the records of these entries are called, as far as they are still there. */
async function titlesOf(
  entries: readonly AuditEntry[],
  params: string | undefined,
  signal: AbortSignal,
): Promise<Titles> {
  const records = [params, ...entries.map(({ record }) => record)].flatMap((id) => id ?? []);
  const identifiers = [...new Set(records)].filter((id) => resourceOf(id)).slice(0, PAGE);
  if (identifiers.length === 0) return new Map();
  const { data } = await ask<{ data: readonly { unique_identifier: string; name: string }[] }>(
    'POST',
    '/names/records',
    { identifiers },
    { signal },
  );
  return new Map(data.map((one) => [one.unique_identifier, unturned(one.name)]));
}

/** What is no number of days is from the beginning. */
function daysAgo(days: number): string {
  const from = Number.isNaN(days) ? 0 : now() - days * DAY_MS;
  return `${new Date(from).toISOString().slice(0, 19)}Z`;
}

/** `titles`: not yet known. */
function columns(titles: Titles | undefined): readonly Column<Story>[] {
  return [
    { label: texts.when, class: 'time', cell: ({ entry }) => <Time at={entry.time} listed /> },
    {
      label: says.who,
      cell: ({ entry: { by } }) =>
        by === undefined ? (
          texts.unknown
        ) : (
          <>
            {nameFirst(by)}
            {isUnnamed(by) && <small class="under quiet">{by}</small>}
          </>
        ),
    },
    folded(texts.what, ({ entry, entries }) => {
      const { action, what } = entry;
      const more = isLook(entry) ? partsOf(entries) : what && wordsOf(what);
      return (
        <>
          {isLook(entry) ? says.looked : (says.actions[action] ?? action)}
          {more && <small class="under quiet">{more}</small>}
        </>
      );
    }),
    folded(texts.record.tabs.fields, ({ entry }) => (
      <Seen entry={entry} title={titles === undefined ? '…' : titles.get(entry.record ?? '')} />
    )),
    amounts(texts.count, ({ count }) => (count > 1 ? count : null)),
    named(
      says.address,
      ({ entries }) =>
        [...new Set(entries.flatMap(({ address }) => address ?? []))].join(', ') || null,
    ),
  ];
}

const PARTS: Readonly<Record<string, string>> = {
  history: texts.record.tabs.history,
  image: images.images,
};

/** What of a record was looked at, beside its fields. */
function partsOf(entries: readonly AuditEntry[]): string {
  const parts = entries.map(({ action, resource }) =>
    action === 'list' ? resourceNamed(resource ?? '')?.plural : PARTS[action],
  );
  return [...new Set(parts.filter((one) => one !== undefined))].join(', ');
}

/** More of an action: what is known by a name of its own, or the format and the lists of an export. */
function wordsOf(what: string): string {
  const known = says.kinds[what.replace(/^list_\w+_pins$/, 'list_pins')];
  if (known !== undefined) return known;
  const plural = (path: string) => resourceAt(path)?.plural;
  const [format = '', ...paths] = what.split(' ');
  const names = paths.map(plural);
  if (paths.length === 0) return plural(format) ?? what;
  return names.includes(undefined) ? what : labelled(format.toUpperCase(), names.join(', '));
}

/** What was seen, by its name as far as it is known. */
function Seen(props: {
  readonly entry: AuditEntry;
  readonly title: string | undefined;
}): JSX.Element | null {
  const { entry, title } = props;
  const { resource: name, record } = entry;
  const kind = resourceNamed(name ?? '');
  if (record === undefined) return kind === undefined ? null : <span>{kind.plural}</span>;
  const resource = resourceOf(record);
  if (resource === undefined) {
    const own = says.own[record.slice(0, 4)];
    return own === undefined ? <code>{record}</code> : <span title={record}>{own}</span>;
  }
  return (
    <>
      <a href={hrefOf(`${resource.path}/${record}`)} title={record}>
        {title ?? resource.singular}
      </a>
      {title !== undefined && <small class="under">{resource.singular}</small>}
    </>
  );
}

type Story = ReturnType<typeof storiesOf>[number];

/** What shows a record to a person. */
const LOOKS = new Set<string>(['read', 'history', 'image', 'list', 'print']);

function isLook({ action, record }: AuditEntry): boolean {
  return LOOKS.has(action) && record !== undefined && resourceOf(record) !== undefined;
}

/** In the order of their newest entries. */
function storiesOf(all: readonly AuditEntry[]) {
  const stories = Map.groupBy(all, (entry) => {
    const { by, action, resource, record, what, time } = entry;
    const day = withOffset(new Date(time), usualZone.value).slice(0, 10);
    const seen = isLook(entry) ? ['looked'] : [action, resource, what];
    return [day, by, record, ...seen].join(' ');
  });
  return [...stories.values()].map((entries) => ({
    entry: entries[0] as AuditEntry,
    entries,
    count: entries.reduce((sum, { count }) => sum + count, 0),
  }));
}
