/** Who has seen or done what, newest first. It opens no record by itself: that would be one more entry. */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { AuditEntry } from '../../../../client/src/generated/operations.ts';
import { useLoad } from '../../load.ts';
import { Choice } from '../../parts/choice.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Heading } from '../../parts/heading.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { resourceAt, resourceNamed, resourceOf } from '../../records/description.ts';
import { useKeyNames } from '../../records/key-names.ts';
import { changed, hrefOf, query, restore, setQuery } from '../../router.ts';
import type { ScreenProps } from '../../screen.ts';
import { api } from '../../service/api.ts';
import { texts } from '../../texts.ts';
import { timesText } from '../../values/format.ts';
import { Time } from '../../values/value.tsx';
import { says } from './texts.ts';

const PAGE = 50;
const DAY_MS = 86_400_000;

export function AuditScreen({ path }: ScreenProps): JSX.Element {
  const is = (name: string): string | undefined => query.value.get(name) ?? undefined;
  const [record, by, action, since] = [is('record'), is('by'), is('action'), is('since')];
  const asked = { record, by, action, starting_after: is('starting_after'), limit: PAGE };
  const nameOf = useKeyNames();
  const { value, error, busy, reload } = useLoad(
    `audit ${JSON.stringify(asked)} ${since}`,
    (signal) => {
      const time = since === undefined ? {} : { 'time[gte]': daysAgo(Number.parseInt(since, 10)) };
      return api.audit.list({ ...asked, ...time } as never, { signal }).page();
    },
  );
  useEffect(() => {
    if (value !== undefined) restore();
  }, [value]);
  const all = value?.data ?? [];
  const resource = record === undefined ? undefined : resourceOf(record);
  const set = (name: string, chosen: string): void =>
    setQuery({ [name]: chosen || undefined, starting_after: undefined });
  const people = [...new Set([by, ...all.map((one) => one.by)])].filter((one) => one !== undefined);
  return (
    <>
      <Heading
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
      >
        <button type="button" class="plain square" aria-label={texts.list.refresh} onClick={reload}>
          <Icon name="again" />
        </button>
      </Heading>
      <form class="fields request-filters" onSubmit={(event) => event.preventDefault()}>
        <Choice
          label={says.who}
          value={by ?? ''}
          words={{
            '': says.anybody,
            ...Object.fromEntries(people.map((one) => [one, nameOf(one)])),
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
      {error !== undefined && <Failure error={error} onAgain={reload} />}
      {value === undefined && error === undefined && <Skeleton />}
      {value !== undefined && all.length === 0 && <Empty title={says.none} hint={says.noneHint} />}
      {all.length > 0 && (
        <Table
          caption={texts.nav.audit}
          columns={columns(nameOf)}
          rows={all}
          keyOf={({ unique_identifier }) => unique_identifier}
          busy={busy}
        />
      )}
      {value?.has_more === true && (
        <nav class="pages" aria-label={texts.nav.audit}>
          <a
            class="button"
            rel="next"
            href={hrefOf(path, changed({ starting_after: all.at(-1)?.unique_identifier ?? '' }))}
          >
            {says.older}
            <Icon name="right" />
          </a>
        </nav>
      )}
    </>
  );
}

/** What is no number of days is from the beginning. */
function daysAgo(days: number): string {
  const from = Number.isNaN(days) ? 0 : Date.now() - days * DAY_MS;
  return `${new Date(from).toISOString().slice(0, 19)}Z`;
}

function columns(nameOf: (key: string) => string): readonly Column<AuditEntry>[] {
  return [
    { label: says.when, class: 'time', cell: ({ time }) => <Time at={time} /> },
    { label: says.who, cell: ({ by }) => (by === undefined ? says.nobody : nameOf(by)) },
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
    { label: says.count, class: 'amount', folds: 'named', cell: ({ count }) => count },
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
  const resource = (record && resourceOf(record)) || resourceNamed(name ?? '');
  if (record === undefined) return resource === undefined ? null : <span>{resource.plural}</span>;
  if (resource === undefined) {
    const own = says.own[record.slice(0, 4)];
    return own === undefined ? <code>{record}</code> : <span title={record}>{own}</span>;
  }
  return (
    <a href={hrefOf(`${resource.path}/${record}`)} title={record}>
      {resource.singular}
    </a>
  );
}
