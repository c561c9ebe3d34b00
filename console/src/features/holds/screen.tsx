/** The holds of the accounts: what is kept, since when and until when; and those that were released. */

import { holds as says, page as texts } from 'messages';
import { useState } from 'preact/hooks';
import type { Hold } from '../../../../client/src/generated/objects.d.ts';
import { toJson } from '../../../../client/src/json.ts';
import { now } from '../../clock.ts';
import * as bounds from '../../generated/bounds.ts';
import { isGone, useLoad, useRecord } from '../../load.ts';
import { useActions } from '../../parts/actions.tsx';
import { Button } from '../../parts/button.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { acts, folded, Listed, named, PAGE, Titled, times } from '../../parts/listed.tsx';
import { say } from '../../parts/notice.tsx';
import type { Column } from '../../parts/table.tsx';
import { useLocationNames } from '../../places/locations.ts';
import { usualZone } from '../../places/zones.ts';
import { resourceNamed, resourceOf } from '../../records/description.ts';
import { nameOf } from '../../records/key-names.ts';
import { titleOf } from '../../records/records.ts';
import { hrefOf, query, setQuery } from '../../router.ts';
import type { ScreenProps } from '../../screen.ts';
import { api, recordsOf } from '../../service/api.ts';
import { session } from '../../service/session.ts';
import { midnight, momentIn, withOffset } from '../../values/days.ts';
import { dayText } from '../../values/format.ts';

export function Screen({ path, title }: ScreenProps): JSX.Element {
  /** Only what keeps this record, from which a person was led here. */
  const record = query.value.get('record') ?? undefined;
  const starting_after = query.value.get('starting_after') ?? undefined;
  const params = { limit: PAGE, record, starting_after };
  const list = useLoad(`holds ${toJson(params)}`, (signal) =>
    api.holds.list(params, { signal }).page(),
  );
  const [placing, setPlacing] = useState(query.value.has('place'));
  const { dialog, ask } = useActions();
  const name = useNameOf(record);
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
      said: says.releasedDone,
      onDone: list.reload,
    });
  return (
    <>
      <Listed
        title={title}
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
            say(says.done);
            list.reload();
          }}
        />
      )}
      {dialog}
    </>
  );
}

const WHAT: readonly Column<Hold>[] = [
  { label: says.what, class: 'name', cell: (one) => <Held of={one} /> },
  folded(says.matter, ({ matter, reason }) => (
    <>
      {matter}
      {reason !== null && <small class="under quiet">{reason}</small>}
    </>
  )),
  times(says.placed, ({ inserted_at, placed_by }) => <When at={inserted_at} by={placed_by} />),
];

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
    named(says.until, ({ until }) =>
      until === null ? says.untilReleased : dayText(new Date(until)),
    ),
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
  folded(texts.why, ({ released_because }) => released_because ?? says.lapsed),
];

interface PlaceProps {
  readonly record: string | undefined;
  readonly onClose: () => void;
  readonly onPlaced: () => void;
}

function Place({ record, onClose, onPlaced }: PlaceProps): JSX.Element {
  const accounts = session.value?.accounts ?? [];
  const locations = useLocationNames();
  const name = useNameOf(record);
  const zone = usualZone.value;
  const all = accounts.map((one) => [one.unique_identifier, says.everything(one.name)] as const);
  const of = record === undefined ? [...all, ...locations] : ([[record, name ?? '…']] as const);
  return (
    <FormDialog
      title={says.place}
      bounds={bounds.place_hold}
      hint={says.placeHint}
      submit={says.place}
      begin={{
        record: record ?? accounts[0]?.unique_identifier ?? '',
        matter: '',
        reason: '',
        until: '',
      }}
      fields={{
        record: { label: says.what, of, ...(record === undefined && { hint: says.service }) },
        matter: { label: says.matter, hint: says.matterHint, needed: true },
        reason: { label: says.reason, of: 'lines' },
        until: {
          label: says.until,
          hint: says.untilHint,
          of: 'date',
          days: { min: withOffset(midnight(zone, now(), 1), zone).slice(0, 10) },
        },
      }}
      send={async ({ record: held, matter, reason, until }) => {
        const account = await accountOf(held);
        return api.holds.create({
          account,
          matter,
          ...(held === account ? {} : { record: held }),
          ...(reason === '' ? {} : { reason }),
          ...(until === '' ? {} : { until: withOffset(momentIn(zone, until), zone) }),
        });
      }}
      onDone={onPlaced}
      onClose={onClose}
    />
  );
}

/** Its history tells the account of a record, where there is more than one. */
async function accountOf(held: string): Promise<string> {
  const accounts = (session.value?.accounts ?? []).map((one) => one.unique_identifier);
  if (accounts.includes(held)) return held;
  if (accounts.length < 2) return accounts[0] ?? '';
  const history = recordsOf(resourceOf(held)?.path ?? '').history(held, { limit: 1 });
  return (await history.page()).data[0]?.account ?? '';
}

/** `undefined` until it is known; its kind where it is no longer there. */
function useNameOf(record: string | undefined): string | undefined {
  const group = session.value?.accounts.find((one) => one.unique_identifier === record);
  const resource = record === undefined ? undefined : resourceOf(record);
  const isAlone = group !== undefined || resource === undefined;
  const { value, error } = useRecord(resource, isAlone ? undefined : record);
  if (group !== undefined) return says.everything(group.name);
  if (value === undefined || resource === undefined)
    return isAlone || isGone(error) ? (resource?.singular ?? record) : undefined;
  return titleOf(resource, value);
}

function Held({ of: { record, resource: name } }: { readonly of: Hold }): JSX.Element {
  const resource = resourceNamed(name);
  const called = useNameOf(record) ?? resource?.singular ?? name;
  if (resource?.parent === undefined) return <>{called}</>;
  return (
    <>
      <a href={hrefOf(`${resource.path}/${record}`)}>{called}</a>
      <small class="under quiet">{resource.singular}</small>
    </>
  );
}
