/** The history of a record: each change with the values before it, and a way to restore them. */
import { record as says, page as texts } from 'messages';
import { useState } from 'preact/hooks';
import { useLoad } from '../../load.ts';
import { Empty } from '../../parts/empty.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { Failure, Loading, Skeleton } from '../../parts/loading.tsx';
import { say } from '../../parts/notice.tsx';
import { zoneOfRecord } from '../../places/homes.ts';
import type { DescribedResource } from '../../records/description.ts';
import { nameFirst } from '../../records/key-names.ts';
import type { Json, Shown } from '../../records/records.ts';
import { type Change, etagOf, isRefusal, recordsOf } from '../../service/api.ts';
import { may } from '../../service/session.ts';
import { Time } from '../../values/value.tsx';
import { BecameList, becameBy, becameOf, FromTo } from './became.tsx';
import { memberBecame } from './pins.tsx';

const PAGE = 30;

interface HistoryProps {
  readonly resource: DescribedResource;
  readonly id: string;
  /** As it is; `undefined` where it was removed. */
  readonly record: Shown | undefined;
  readonly onRestored: () => void;
}

export function History({ resource, id, record, onRestored }: HistoryProps): JSX.Element | null {
  const [pages, setPages] = useState(1);
  const [chosen, setChosen] = useState<Change>();
  const version = record === undefined ? 'removed' : (etagOf(record) ?? record.updated_at);
  const { value, error, reload } = useLoad(
    `history of ${id} at ${version}, ${pages}`,
    async (signal) => {
      const changes: Change[] = [];
      let more = true;
      for (let page = 0; page < pages && more; page += 1) {
        const after = changes.at(-1)?.unique_identifier;
        const params = { limit: PAGE, ...(after === undefined ? {} : { starting_after: after }) };
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
                  ? () => setChosen(change)
                  : undefined
              }
            />
          </li>
        ))}
      </ol>
      {more && (
        <button type="button" onClick={() => setPages(pages + 1)}>
          {says.more}
        </button>
      )}
      {chosen !== undefined && (
        <BringBack
          resource={resource}
          id={id}
          record={record}
          change={chosen}
          onClose={() => setChosen(undefined)}
          onDone={() => {
            setChosen(undefined);
            say(says.done);
            onRestored();
          }}
        />
      )}
    </>
  );
}

function Entry({
  resource,
  record,
  change,
  onBring,
}: {
  readonly resource: DescribedResource;
  readonly record: Shown | undefined;
  readonly change: Change;
  readonly onBring: (() => void) | undefined;
}): JSX.Element {
  const { key, outcome, changes, pins = [], version, occurred_at } = change;
  const all = becameBy(resource, record, changes ?? []);
  const [first] = all;
  const isUpdate = outcome === 'updated';
  const decided = pins.map(({ member, what, proposed }) => {
    const after = (proposed ?? null) as Json;
    const { label, after: words } = memberBecame(resource, record, { member, before: null, after });
    return { what, label, value: what === 'proposed' ? `: ${words || says.empty}` : '' };
  });
  // Where nothing else was changed, what became of the first correction is what was done.
  const [done] = isUpdate && all.length === 0 ? decided : [];
  const others = done === undefined ? decided : decided.slice(1);
  const isRow = isUpdate && all.length === 1;
  // Of a record that comes back, everything was empty.
  const isListed =
    outcome === 'deleted' || (outcome !== 'created' && all.some(({ before }) => before !== ''));
  return (
    <>
      <header>
        <p>
          <strong>{key === null ? texts.record.somebody : nameFirst(key)}</strong>{' '}
          {done === undefined
            ? (says.did[outcome] ?? outcome)
            : `${says.pins.did[done.what] ?? done.what} ${done.label}${done.value}`}
          {isRow && first !== undefined ? (
            <>
              {' '}
              {first.label}: <FromTo {...first} />
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
          <button type="button" class="plain link" onClick={onBring}>
            {says.bringBack}
          </button>
        )}
      </header>
      {others.map(({ what, label, value }) => (
        <p key={label} class="quiet">
          {`${label}: ${says.pins.became[what] ?? what}${value}`}
        </p>
      ))}
      {changes === null && <p class="quiet">{says.unkept}</p>}
      {isListed && !isRow && all.length > 0 && (
        <BecameList all={all} single={outcome === 'deleted'} />
      )}
    </>
  );
}

function BringBack({
  resource,
  id,
  record,
  change: { version },
  onClose,
  onDone,
}: {
  readonly resource: DescribedResource;
  readonly id: string;
  readonly record: Shown | undefined;
  readonly change: Change;
  readonly onClose: () => void;
  readonly onDone: () => void;
}): JSX.Element {
  const load = useLoad(`version ${version} of ${id}`, (signal) =>
    recordsOf(resource.path).retrieve(id, { version, signal }),
  );
  const all = load.value === undefined ? [] : becameOf(resource, record, load.value);
  const ifMatch = record === undefined ? undefined : etagOf(record);
  return (
    <FormDialog
      title={says.confirm(version)}
      wide
      hint={
        <>
          <Loading of={load}>
            {() =>
              all.length === 0 ? (
                <p>{says.same}</p>
              ) : (
                <>
                  <p>{record === undefined ? says.comesBack : says.would}</p>
                  <BecameList all={all} single={record === undefined} />
                </>
              )
            }
          </Loading>
          <p class="quiet">{says.confirmHint}</p>
        </>
      }
      submit={says.bringBack}
      isReady={record === undefined || all.length > 0}
      send={() => recordsOf(resource.path).restore(id, { version, ifMatch })}
      onDone={onDone}
      onClose={onClose}
    />
  );
}
