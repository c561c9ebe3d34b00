/** Who has seen or done what, newest first. It opens no record by itself: that would be one more entry. */
import type { JSX } from 'preact';
import type { AuditEntry } from '../../../../client/src/generated/objects.d.ts';
import { useLoad } from '../../load.ts';
import { Choice } from '../../parts/choice.tsx';
import { idOf, Listed, PAGE } from '../../parts/listed.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { resourceAt, resourceNamed, resourceOf } from '../../records/description.ts';
import { isUnnamed, useKeyNames } from '../../records/key-names.ts';
import { hrefOf, query, setQuery } from '../../router.ts';
import type { ScreenProps } from '../../screen.ts';
import { api } from '../../service/api.ts';
import { texts } from '../../texts.ts';
import { timesText } from '../../values/format.ts';
import { Time } from '../../values/value.tsx';
import { says } from './texts.ts';

const DAY_MS = 86_400_000;

export function AuditScreen({ path }: ScreenProps): JSX.Element {
  const is = (name: string): string | undefined => query.value.get(name) ?? undefined;
  const [record, by, action, since] = [is('record'), is('by'), is('action'), is('since')];
  const asked = { record, by, action, starting_after: is('starting_after'), limit: PAGE };
  const nameOf = useKeyNames();
  const list = useLoad(`audit ${JSON.stringify(asked)} ${since}`, (signal) => {
    const time = since === undefined ? {} : { 'time[gte]': daysAgo(Number.parseInt(since, 10)) };
    return api.audit.list({ ...asked, ...time } as never, { signal }).page();
  });
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
              {says.ofRecord(resource?.singular ?? record)}
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
            words={{
              '': says.anybody,
              ...Object.fromEntries(
                people.map((one) => [
                  one,
                  isUnnamed(one) ? `${nameOf(one)} (${one})` : nameOf(one),
                ]),
              ),
            }}
            onChoice={(chosen) => set('by', chosen)}
          />
          <Choice
            label={says.what}
            value={action ?? ''}
            words={{ '': says.anything, ...says.actions }}
            onChoice={(chosen) => set('action', chosen)}
          />
          <Choice
            label={says.since}
            value={since ?? ''}
            words={says.sinceWords}
            onChoice={(chosen) => set('since', chosen)}
          />
        </form>
      }
      of={list}
      none={{ title: says.none, hint: says.noneHint }}
      after={idOf}
    >
      {(all) => (
        <Table
          caption={texts.nav.audit}
          columns={columns(nameOf)}
          rows={all}
          keyOf={idOf}
          busy={list.busy}
        />
      )}
    </Listed>
  );
}

/** What is no number of days is from the beginning. */
function daysAgo(days: number): string {
  const from = Number.isNaN(days) ? 0 : Date.now() - days * DAY_MS;
  return `${new Date(from).toISOString().slice(0, 19)}Z`;
}

function columns(nameOf: (key: string) => string): readonly Column<AuditEntry>[] {
  return [
    { label: says.when, class: 'time', cell: ({ time }) => <Time at={time} listed /> },
    {
      label: says.who,
      cell: ({ by }) =>
        by === undefined ? (
          says.nobody
        ) : (
          <>
            {nameOf(by)}
            {isUnnamed(by) && <small class="under quiet">{by}</small>}
          </>
        ),
    },
    {
      label: says.what,
      folds: true,
      cell: ({ action, what }) => (
        <>
          {ACTIONS[action] ?? action}
          {what !== undefined && <small class="under quiet">{wordsOf(what)}</small>}
        </>
      ),
    },
    { label: says.record, folds: true, cell: (one) => <Seen entry={one} /> },
    {
      label: says.count,
      class: 'amount',
      folds: 'named',
      cell: ({ count }) => (count > 1 ? count : null),
    },
    { label: says.address, folds: 'named', cell: ({ address }) => address ?? null },
  ];
}

const ACTIONS: Readonly<Record<string, string>> = says.actions;
const KINDS: Readonly<Record<string, string>> = says.kinds;

/** More of an action: what is known by a name of its own, or the format and the lists of an export. */
function wordsOf(what: string): string {
  const known = KINDS[what.replace(/^list_\w+_pins$/, 'list_pins')];
  if (known !== undefined) return known;
  const plural = (path: string) => resourceAt(path)?.plural;
  const [format = '', ...paths] = what.split(' ');
  const names = paths.map(plural);
  if (paths.length === 0) return plural(format) ?? what;
  return names.includes(undefined) ? what : `${format.toUpperCase()}: ${names.join(', ')}`;
}

/** What was seen, by its kind: its name is on its page. */
function Seen({
  entry: { resource: name, record },
}: {
  readonly entry: AuditEntry;
}): JSX.Element | null {
  const kind = resourceNamed(name ?? '');
  if (record === undefined) return kind === undefined ? null : <span>{kind.plural}</span>;
  const resource = resourceOf(record);
  if (resource === undefined) {
    const own = says.own[record.slice(0, 4)];
    return own === undefined ? <code>{record}</code> : <span title={record}>{own}</span>;
  }
  const link = (
    <a href={hrefOf(`${resource.path}/${record}`)} title={record}>
      {resource.singular}
    </a>
  );
  // What belongs to it was listed.
  if (kind === undefined || kind === resource) return link;
  return (
    <>
      {kind.plural}
      <small class="under">{link}</small>
    </>
  );
}
