/** The history of a record: each change with the values before it, and a way to restore them; and who changes it while it is open. */
import { record as says, page as texts } from 'messages';
import { useEffect, useState } from 'preact/hooks';
import { useLoad } from '../../load.ts';
import { useActions } from '../../parts/actions.tsx';
import { Button } from '../../parts/button.tsx';
import { question } from '../../parts/form.tsx';
import { Empty, Failure, Skeleton } from '../../parts/loading.tsx';
import { zoneOfRecord } from '../../places/homes.ts';
import { nameFirst, nameOf } from '../../records/key-names.ts';
import type { ById, Json, OfRecord, Shown } from '../../records/records.ts';
import { HISTORY_PAGE } from '../../service/ahead.ts';
import { type Change, etagOf, isRefusal, recordsOf } from '../../service/api.ts';
import { follow } from '../../service/live.ts';
import { may } from '../../service/session.ts';
import { labelled } from '../../values/format.ts';
import { Time } from '../../values/value.tsx';
import { BecameList, becameBy, becameOf, FromTo } from './became.tsx';
import { memberBecame } from './pins.tsx';

interface HistoryProps extends ById {
  /** As it is; `undefined` where it was removed. */
  readonly record: Shown | undefined;
  readonly onRestored: () => void;
}

export function History({ onRestored, ...of }: HistoryProps): JSX.Element | null {
  const { resource, id, record } = of;
  const [pages, setPages] = useState(1);
  const { dialog, ask } = useActions();
  const version = record === undefined ? 'removed' : (etagOf(record) ?? record.updated_at);
  const { value, error, reload } = useLoad(
    `history of ${id} at ${version}, ${pages}`,
    async (signal) => {
      const changes: Change[] = [];
      let more = true;
      for (let page = 0; page < pages && more; page += 1) {
        const after = changes.at(-1)?.unique_identifier;
        const params = {
          limit: HISTORY_PAGE,
          ...(after === undefined ? {} : { starting_after: after }),
        };
        const next = await recordsOf(resource.path).history(id, params, { signal }).page();
        changes.push(...next.data);
        more = next.has_more;
      }
      return { changes, more };
    },
  );
  // Of what was never there, or is another's, there is no more to say than that.
  if (record === undefined && isRefusal(error) && error.status === 404) return null;
  if (error !== undefined) return <Failure error={error} onAgain={reload} />;
  if (value === undefined) return <Skeleton />;
  const { changes, more } = value;
  const restore = (change: Change): void =>
    ask({ ...restoreForm(of, change), said: says.done, onDone: onRestored });
  if (changes.length === 0) return <Empty title={says.none} />;
  return (
    <>
      <ol class="history">
        {changes.map((change, index) => (
          <li key={change.unique_identifier}>
            <Entry
              resource={resource}
              record={record}
              change={change}
              onBring={
                may('write') && change.outcome !== 'deleted' && (index > 0 || record === undefined)
                  ? () => restore(change)
                  : undefined
              }
            />
          </li>
        ))}
      </ol>
      {more && <Button label={says.more} onClick={() => setPages(pages + 1)} />}
      {dialog}
    </>
  );
}

interface EntryProps extends Pick<HistoryProps, 'resource' | 'record'> {
  readonly change: Change;
  readonly onBring: (() => void) | undefined;
}

function Entry({ resource, record, change, onBring }: EntryProps): JSX.Element {
  const { key, outcome, changes, pins = [], version, occurred_at } = change;
  const all = becameBy(resource, record, changes ?? []);
  const [first] = all;
  const isUpdate = outcome === 'updated';
  const decided = pins.map(({ member, what, proposed }) => {
    const after = (proposed ?? null) as Json;
    const { label, after: words } = memberBecame(resource, record, { member, before: null, after });
    const withValue = (said: string): string =>
      what === 'proposed' ? labelled(said, words || says.empty) : said;
    return [
      withValue(`${says.pins.did[what] ?? what} ${label}`),
      withValue(labelled(label, says.pins.became[what] ?? what)),
    ] as const;
  });
  // Where nothing else was changed, what became of the first correction is what was done.
  const [[done] = []] = isUpdate && all.length === 0 ? decided : [];
  const others = done === undefined ? decided : decided.slice(1);
  const isRow = isUpdate && all.length === 1;
  // Of a record that comes back, everything was empty.
  const isListed =
    outcome === 'deleted' || (outcome !== 'created' && all.some(({ before }) => before !== ''));
  return (
    <>
      <header>
        <p>
          <strong>{key === null ? says.somebody : nameFirst(key)}</strong>{' '}
          {done === undefined ? (says.did[outcome] ?? outcome) : done}
          {isRow && first !== undefined ? (
            <>
              {' '}
              {labelled(first.label)} <FromTo {...first} />
            </>
          ) : (
            isUpdate &&
            done === undefined &&
            changes !== null &&
            ` ${all.length === 0 ? says.nothing : says.fields(all.length)}`
          )}
          , <Time at={occurred_at} within {...(record && { zone: zoneOfRecord(record) })} />
        </p>
        <small>{says.version(version)}</small>
        {onBring !== undefined && (
          <Button class="plain link" label={says.bringBack} onClick={onBring} />
        )}
      </header>
      {others.map(([, became]) => (
        <p key={became} class="quiet">
          {became}
        </p>
      ))}
      {changes === null && <p class="quiet">{says.unkept}</p>}
      {isListed && !isRow && all.length > 0 && (
        <BecameList all={all} single={outcome === 'deleted'} />
      )}
    </>
  );
}

function restoreForm(
  { resource, id, record }: Omit<HistoryProps, 'onRestored'>,
  { version }: Change,
) {
  const ifMatch = record === undefined ? undefined : etagOf(record);
  return question({
    title: says.confirm(version),
    wide: true,
    rehearsal: {
      of: `version ${version} of ${id}`,
      load: (signal) => recordsOf(resource.path).retrieve(id, { version, signal }),
      says(then) {
        const all = becameOf(resource, record, then);
        if (all.length === 0) return <p>{says.same}</p>;
        return (
          <>
            <p>{record === undefined ? says.comesBack : says.would}</p>
            <BecameList all={all} single={record === undefined} />
          </>
        );
      },
      isReady: (then) => record === undefined || becameOf(resource, record, then).length > 0,
    },
    hint: <p class="quiet">{says.confirmHint}</p>,
    submit: says.bringBack,
    send: () => recordsOf(resource.path).restore(id, { version, ifMatch }),
  });
}

/** Any record of its kind may have changed: this one is looked at no more often. */
const PAUSE_MS = 10_000;

interface ChangedProps extends OfRecord {
  readonly onShow: () => void;
}

/** "Edith Editor changed this: show". The record stays as it is until the person asks for it. */
export function Changed({ resource, record, onShow }: ChangedProps): JSX.Element | null {
  const [change, setChange] = useState<Change>();
  const { unique_identifier: id } = record;
  const version = Number(/\d+/.exec(etagOf(record) ?? ''));
  useEffect(() => {
    setChange(undefined);
    return follow({ resources: [resource.name], pauseMs: PAUSE_MS }, async (signal) => {
      const { data } = await recordsOf(resource.path).history(id, { limit: 1 }, { signal }).page();
      const [last] = data;
      if (!signal.aborted && last !== undefined && last.version > version) setChange(last);
    });
  }, [resource, id, version]);
  if (change === undefined) return null;
  const who = (change.key === null ? '' : nameFirst(change.key)) || says.somebody;
  return (
    <p class="fresh" role="status">
      <Button
        label={change.outcome === 'deleted' ? says.removedBy(who) : says.changedBy(who)}
        onClick={onShow}
      />
    </p>
  );
}

export function Lastly({ resource, record }: OfRecord): JSX.Element | null {
  const { unique_identifier: id, inserted_at, updated_at } = record;
  const { value } = useLoad(`who changed ${id} at ${etagOf(record)}`, (signal) =>
    recordsOf(resource.path).history(id, { limit: 1 }, { signal }).page(),
  );
  const [last] = value?.data ?? [];
  const at = last?.occurred_at ?? updated_at;
  if (at === undefined) return null;
  const isNew = last === undefined ? at === inserted_at : last.outcome === 'created';
  const { created, changed, by } = texts.record;
  const who = last?.key == null ? '' : nameOf(last.key);
  return (
    <span class="lastly">
      {isNew ? created : changed} <Time at={at} within zone={zoneOfRecord(record)} />
      {who !== '' && ` ${by(who)}`}
    </span>
  );
}
