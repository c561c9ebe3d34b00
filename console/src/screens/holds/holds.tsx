/** The holds of the accounts: what is kept, since when and until when; and those that were released. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Hold } from '../../../../client/src/generated/operations.ts';
import { useLoad } from '../../load.ts';
import { useAct } from '../../parts/act.ts';
import { Decide } from '../../parts/decide.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Heading } from '../../parts/heading.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Labelled } from '../../parts/labelled.tsx';
import { say } from '../../parts/notice.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { hrefOf, query, restore, setQuery } from '../../router.ts';
import type { ScreenProps } from '../../screen.ts';
import { api } from '../../service/api.ts';
import { texts } from '../../texts.ts';
import { dayText } from '../../values/format.ts';
import { Held, useNameOf } from './held.tsx';
import { Place } from './place.tsx';
import { says } from './texts.ts';

const PAGE = 50;

export function HoldsScreen({ path }: ScreenProps): JSX.Element {
  /** Only what keeps this record, from which a person was led here. */
  const record = query.value.get('record') ?? undefined;
  const starting_after = query.value.get('starting_after') ?? undefined;
  const asked = { limit: PAGE, record, starting_after };
  const { value, error, busy, reload } = useLoad(`holds ${JSON.stringify(asked)}`, (signal) =>
    api.holds.list(asked, { signal }).page(),
  );
  const [placing, setPlacing] = useState(query.value.has('place'));
  const [releasing, setReleasing] = useState<Hold>();
  const name = useNameOf(record);
  useEffect(() => {
    if (value !== undefined) restore();
  }, [value]);
  const all = value?.data ?? [];
  const active = all.filter(({ released_at }) => released_at === null);
  const released = all.filter(({ released_at }) => released_at !== null);
  const place = (
    <button type="button" class="main" onClick={() => setPlacing(true)}>
      {says.place}
    </button>
  );
  const done = (text: string): void => {
    setPlacing(false);
    setReleasing(undefined);
    say(text);
    setQuery({ place: undefined }, { instead: true });
    reload();
  };
  return (
    <>
      <Heading
        title={texts.nav.holds}
        about={
          record === undefined ? (
            says.about
          ) : (
            <>
              {says.keeping(name ?? '…')} · <a href={hrefOf(path)}>{says.all}</a>
            </>
          )
        }
      >
        <button type="button" class="plain square" aria-label={texts.list.refresh} onClick={reload}>
          <Icon name="again" />
        </button>
        {all.length > 0 && place}
      </Heading>
      {error !== undefined && <Failure error={error} onAgain={reload} />}
      {value === undefined && error === undefined && <Skeleton />}
      {value !== undefined && all.length === 0 && (
        <Empty title={says.none} hint={says.noneHint}>
          {place}
        </Empty>
      )}
      {active.length > 0 && (
        <section class="asked">
          <h2>{says.active}</h2>
          <Table
            caption={says.active}
            columns={activeColumns(setReleasing)}
            rows={active}
            keyOf={({ unique_identifier }) => unique_identifier}
            busy={busy}
          />
        </section>
      )}
      {released.length > 0 && (
        <section class="asked">
          <h2>{says.released}</h2>
          <Table
            caption={says.released}
            columns={RELEASED}
            rows={released}
            keyOf={({ unique_identifier }) => unique_identifier}
            busy={busy}
          />
        </section>
      )}
      {value?.has_more === true && (
        <nav class="pages" aria-label={texts.nav.holds}>
          <a
            class="button"
            rel="next"
            href={hrefOf(path, { starting_after: all.at(-1)?.unique_identifier ?? '' })}
          >
            {says.more}
            <Icon name="right" />
          </a>
        </nav>
      )}
      {placing && (
        <Place
          record={record}
          onClose={() => {
            setPlacing(false);
            setQuery({ place: undefined }, { instead: true });
          }}
          onPlaced={() => done(says.done)}
        />
      )}
      {releasing !== undefined && (
        <Release
          hold={releasing}
          onClose={() => setReleasing(undefined)}
          onReleased={() => done(says.releasedDone)}
        />
      )}
    </>
  );
}

const WHAT: readonly Column<Hold>[] = [
  { label: says.what, class: 'name', cell: (one) => <Held of={one} /> },
  { label: says.matter, folds: true, cell: ({ matter }) => matter },
];

function activeColumns(onRelease: (hold: Hold) => void): readonly Column<Hold>[] {
  return [
    ...WHAT,
    {
      label: says.until,
      folds: 'named',
      cell: ({ until }) => (until === null ? says.untilReleased : dayText(new Date(until))),
    },
    {
      label: says.placed,
      class: 'time',
      folds: 'named',
      cell: ({ inserted_at }) => dayText(new Date(inserted_at)),
    },
    {
      label: texts.record.more,
      class: 'acts',
      cell: (one) => (
        <button
          type="button"
          class="plain"
          aria-label={`${says.release}: ${one.matter}`}
          onClick={() => onRelease(one)}
        >
          {says.release} …
        </button>
      ),
    },
  ];
}

const RELEASED: readonly Column<Hold>[] = [
  ...WHAT,
  {
    label: says.released,
    class: 'time',
    folds: 'named',
    cell: ({ released_at }) => (released_at === null ? null : dayText(new Date(released_at))),
  },
  {
    label: says.why,
    folds: true,
    cell: ({ released_because }) => released_because ?? says.lapsed,
  },
];

function Release({
  hold,
  onClose,
  onReleased,
}: {
  readonly hold: Hold;
  readonly onClose: () => void;
  readonly onReleased: () => void;
}): JSX.Element {
  const [reason, setReason] = useState('');
  const act = useAct();
  const release = async (): Promise<void> => {
    const id = hold.unique_identifier;
    if ((await act.run(() => api.holds.release(id, reason.trim()))) !== undefined) onReleased();
  };
  return (
    <Dialog title={says.releaseSure} onClose={onClose} filled={reason !== ''}>
      <div class="fields">
        <p>
          <strong>{hold.matter}</strong>
          <br />
          {says.releaseHint}
        </p>
        <Labelled label={says.releaseReason} fault={act.fault}>
          {(common) => (
            <textarea
              {...common}
              rows={2}
              maxLength={1000}
              placeholder={says.releasePlaceholder}
              value={reason}
              onInput={({ currentTarget }) => setReason(currentTarget.value)}
            />
          )}
        </Labelled>
        <Decide
          submit={says.release}
          danger
          disabled={act.busy || reason.trim() === ''}
          onSubmit={() => void release()}
        />
      </div>
    </Dialog>
  );
}
