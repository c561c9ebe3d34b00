/** The holds of the accounts: what is kept, since when and until when; and those that were released. */

import { holds as says, page as texts } from 'messages';
import { useState } from 'preact/hooks';
import type { Hold } from '../../../../client/src/generated/objects.d.ts';
import * as bounds from '../../generated/bounds.ts';
import { useLoad } from '../../load.ts';
import { useActions } from '../../parts/actions.tsx';
import { Button } from '../../parts/button.tsx';
import { acts, times } from '../../parts/columns.tsx';
import { Listed, PAGE, Titled } from '../../parts/listed.tsx';
import { say } from '../../parts/notice.tsx';
import type { Column } from '../../parts/table.tsx';
import { nameOf } from '../../records/key-names.ts';
import { hrefOf, query, setQuery } from '../../router.ts';
import type { ScreenProps } from '../../screen.ts';
import { api } from '../../service/api.ts';
import { dayText } from '../../values/format.ts';
import { Held, Place, useNameOf } from './place.tsx';

export function HoldsScreen({ path }: ScreenProps): JSX.Element {
  /** Only what keeps this record, from which a person was led here. */
  const record = query.value.get('record') ?? undefined;
  const starting_after = query.value.get('starting_after') ?? undefined;
  const params = { limit: PAGE, record, starting_after };
  const list = useLoad(`holds ${JSON.stringify(params)}`, (signal) =>
    api.holds.list(params, { signal }).page(),
  );
  const [placing, setPlacing] = useState(query.value.has('place'));
  const { dialog, ask } = useActions();
  const name = useNameOf(record);
  const done = (text: string): void => {
    say(text);
    list.reload();
  };
  const leave = (): void => {
    setPlacing(false);
    setQuery({ place: undefined }, { instead: true });
  };
  const release = ({ unique_identifier: id, matter }: Hold): void =>
    ask({
      title: says.releaseSure,
      hint: (
        <p>
          <strong>{matter}</strong>
          <br />
          {says.releaseHint}
        </p>
      ),
      submit: says.release,
      danger: true,
      bounds: bounds.release_hold,
      begin: { reason: '' },
      fields: {
        reason: {
          label: says.releaseReason,
          placeholder: says.releasePlaceholder,
          of: 'lines',
          needed: true,
        },
      },
      send: ({ reason }) => api.holds.release(id, reason),
      onDone: () => done(says.releasedDone),
    });
  return (
    <>
      <Listed
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
        of={list}
        none={{ title: says.none, hint: says.noneHint }}
        add={[says.place, () => setPlacing(true)]}
      >
        {(all) => (
          <>
            <Titled
              caption={says.active}
              columns={activeColumns(release)}
              rows={all.filter(({ released_at }) => released_at === null)}
              busy={list.busy}
            />
            <Titled
              caption={says.released}
              columns={RELEASED}
              rows={all.filter(({ released_at }) => released_at !== null)}
              busy={list.busy}
            />
          </>
        )}
      </Listed>
      {placing && (
        <Place
          record={record}
          onClose={leave}
          onPlaced={() => {
            leave();
            done(says.done);
          }}
        />
      )}
      {dialog}
    </>
  );
}

const WHAT: readonly Column<Hold>[] = [
  { label: says.what, class: 'name', cell: (one) => <Held of={one} /> },
  {
    label: says.matter,
    folds: true,
    cell: ({ matter, reason }) => (
      <>
        {matter}
        {reason !== null && <small class="under quiet">{reason}</small>}
      </>
    ),
  },
  times(says.placed, ({ inserted_at, placed_by }) => <When at={inserted_at} by={placed_by} />),
];

/** On which day, and by whom. */
function When({ at, by }: { readonly at: string; readonly by: string | null }): JSX.Element {
  return (
    <>
      {dayText(new Date(at))}
      {by !== null && <small class="under quiet">{texts.record.by(nameOf(by))}</small>}
    </>
  );
}

function activeColumns(onRelease: (hold: Hold) => void): readonly Column<Hold>[] {
  return [
    ...WHAT,
    {
      label: says.until,
      folds: 'named',
      cell: ({ until }) => (until === null ? says.untilReleased : dayText(new Date(until))),
    },
    acts((one) => (
      <Button
        class="plain"
        label={says.release}
        of={one.matter}
        asks
        onClick={() => onRelease(one)}
      />
    )),
  ];
}

const RELEASED: readonly Column<Hold>[] = [
  ...WHAT,
  times(says.released, ({ released_at, released_by }) =>
    released_at === null ? null : <When at={released_at} by={released_by} />,
  ),
  {
    label: texts.why,
    folds: true,
    cell: ({ released_because }) => released_because ?? says.lapsed,
  },
];
