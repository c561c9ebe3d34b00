/** The last syncs of each system: what they removed, what they left and why, and how to undo them. */

import { feeds, page as texts } from 'messages';
import { useState } from 'preact/hooks';
import type { Sync } from '../../../../client/src/generated/objects.d.ts';
import { now } from '../../clock.ts';
import { useLoad } from '../../load.ts';
import { number } from '../../messages.ts';
import { useAct } from '../../parts/act.ts';
import { Button } from '../../parts/button.tsx';
import { Cancel, Dialog } from '../../parts/dialog.tsx';
import { acts, amounts, folded, Titled } from '../../parts/listed.tsx';
import { Failure, Fault, Skeleton } from '../../parts/loading.tsx';
import { say } from '../../parts/notice.tsx';
import type { Column } from '../../parts/table.tsx';
import { isInRegion, zoneOf } from '../../places/zones.ts';
import { resourceNamed } from '../../records/description.ts';
import { hrefOf } from '../../router.ts';
import { api } from '../../service/api.ts';
import { may } from '../../service/session.ts';
import { agoText, labelled } from '../../values/format.ts';
import { Time } from '../../values/value.tsx';
import { sourceNames } from './load-feeds.ts';

const says = feeds.syncs;
const PAGE = 1000;
const UNDO_MS = 30 * 86_400_000;
/** They ended, or may end, without having removed what was not sent. */
const WARNED = ['expired', 'replaced'];

interface SyncsProps {
  /** Only locations of this one; `''`: all. */
  readonly region: string;
  readonly locationName: (id: string) => string;
}

export function Syncs({ region, locationName }: SyncsProps): JSX.Element | null {
  const { value, busy, reload } = useLoad('syncs', load);
  const [all, setAll] = useState(false);
  const [shown, setShown] = useState<Sync>();
  const found = (value?.syncs ?? []).filter(({ location }) => isInRegion(location, region));
  if (value === undefined) return null;
  const last = lastOfEach(found);
  const placeOf = ({ location }: Sync): string =>
    location === null ? texts.allLocations : locationName(location);
  const nameOf = ({ source }: Sync): string => value.sources.get(source) ?? source;
  return (
    <>
      <Titled
        caption={says.title}
        beside={
          found.length > last.length && (
            <Button
              class="plain link"
              label={all ? says.lastOnly : says.all}
              onClick={() => setAll(!all)}
            />
          )
        }
        hint={says.about}
        columns={columns(nameOf, placeOf, setShown)}
        rows={all ? found : last}
        busy={busy}
      />
      {shown !== undefined && (
        <Details
          sync={shown}
          title={labelled(nameOf(shown), `${whatOf(shown)}, ${placeOf(shown)}`)}
          onClose={(undone) => {
            setShown(undefined);
            if (undone) reload();
          }}
        />
      )}
    </>
  );
}

async function load(signal: AbortSignal) {
  const [syncs, sources] = await Promise.all([
    api.syncs.list({ limit: PAGE }, { signal }).page(),
    sourceNames(),
  ]);
  return { syncs: syncs.data, sources };
}

/** Picks the newest of each system, resource and place; they come newest first. */
function lastOfEach(syncs: readonly Sync[]): readonly Sync[] {
  const groups = Map.groupBy(syncs, ({ source, resource, location, account }) =>
    [source, resource, location ?? account].join(' '),
  );
  return [...groups.values()].flatMap(([first]) => first ?? []);
}

function whatOf({ resource }: Sync): string {
  return resourceNamed(resource)?.plural ?? resource;
}

function removedBy({ removed }: Sync): number {
  return Object.values(removed).reduce((sum, count) => sum + count, 0);
}

function columns(
  nameOf: (sync: Sync) => string,
  placeOf: (sync: Sync) => string,
  onShow: (sync: Sync) => void,
): readonly Column<Sync>[] {
  const amount = (count: number): JSX.Element | number =>
    count === 0 ? <span class="quiet">0</span> : count;
  return [
    { label: says.system, cell: nameOf },
    folded(texts.what, whatOf),
    folded(texts.location, placeOf),
    { label: texts.began, class: 'time', folds: true, cell: ({ inserted_at: at }) => agoText(at) },
    folded(says.outcome, statusOf),
    amounts(says.seen, ({ seen }) => amount(seen)),
    amounts(texts.nav.removed, (one) => amount(removedBy(one))),
    amounts(says.left, (one) => amount(one.left_count)),
    acts((one) => {
      const of = `${nameOf(one)}, ${whatOf(one)}`;
      if (removedBy(one) + one.left_count + one.doubts_count === 0) return null;
      return <Button class="plain" label={says.details} of={of} asks onClick={() => onShow(one)} />;
    }, says.details),
  ];
}

function statusOf({ status, doubts_count }: Sync): JSX.Element {
  const isWarned = WARNED.includes(status);
  return (
    <>
      <span class={isWarned ? 'tag warn' : 'tag'}>{says.statuses[status] ?? status}</span>
      {isWarned && <small> {says.nothingRemoved}</small>}
      {doubts_count > 0 && <small> {says.doubted(doubts_count)}</small>}
    </>
  );
}

/** Why a record stays removed when a sync is undone. */
const UNRESTORED: readonly string[] = [
  ...['replaced', 'parent_gone', 'erased', 'past_retention', 'not_restored'],
];

function Details(props: {
  readonly sync: Sync;
  readonly title: string;
  readonly onClose: (undone: boolean) => void;
}): JSX.Element {
  const { sync, title, onClose } = props;
  const { unique_identifier: id, status, inserted_at, left_count, location } = sync;
  const { doubts_count } = sync;
  const act = useAct();
  // Lists do not say what systems call the records.
  const loaded = useLoad(`sync ${id}`, (signal) => api.syncs.retrieve(id, { signal }));
  const { value: whole, error, reload } = loaded;
  const { records = [], doubts = [] } = whole ?? {};
  const unrestored = (whole?.left ?? []).filter(({ reason }) => UNRESTORED.includes(reason));
  const left = (whole?.left ?? []).filter(({ reason }) => !UNRESTORED.includes(reason));
  const kept = left_count - unrestored.length;
  const named = (some: typeof records | typeof left, count: number): JSX.Element | null => {
    if (whole !== undefined) return <Named records={some} more={count - some.length} />;
    return error === undefined ? <Skeleton rows={2} /> : null;
  };
  const removed = removedBy(sync);
  const isRecent = now() - Date.parse(inserted_at) < UNDO_MS;
  const undo = async (): Promise<void> => {
    const undone = await act.run(async () => {
      for (;;) {
        const one = await api.syncs.undo(id);
        // Each time it waits for some seconds.
        if (one.status !== 'undoing') return one;
      }
    });
    if (undone === undefined) return;
    const stay = undone.left.filter(({ reason }) => UNRESTORED.includes(reason)).length;
    const restored = says.undone(undone.restored ?? 0);
    say(stay === 0 ? restored : `${restored} ${says.stayRemoved(stay)}`);
    onClose(true);
  };
  return (
    <Dialog title={title} onClose={() => onClose(false)} wide closable={!act.busy}>
      <p class="hint">
        <Time at={inserted_at} zone={zoneOf(location ?? undefined)} />
      </p>
      {removed > 0 && (
        <>
          <h3>{says.removedWere(removedText(sync))}</h3>
          {named(records, sync.removed[sync.resource] ?? 0)}
        </>
      )}
      {unrestored.length > 0 && (
        <>
          <h3>{says.stayRemoved(unrestored.length)}</h3>
          {named(unrestored, unrestored.length)}
        </>
      )}
      {kept > 0 && (
        <>
          <h3>{says.leftWere(kept)}</h3>
          {named(left, kept)}
        </>
      )}
      {doubts_count > 0 && (
        <>
          <h3>{says.doubtsWere(doubts_count)}</h3>
          <Doubts doubts={doubts} more={doubts_count - doubts.length} />
        </>
      )}
      {error !== undefined && <Failure error={error} onAgain={reload} />}
      <Fault says={act.fault} />
      {status === 'undone' && <p class="hint">{says.undone(sync.restored ?? 0)}</p>}
      {(status === 'finished' || status === 'stopped') &&
        removed > 0 &&
        isRecent &&
        may('write') && (
          <footer>
            <Cancel />
            <Button
              class="main"
              label={act.busy ? says.undoing : says.undo}
              disabled={act.busy}
              onClick={undo}
            />
          </footer>
        )}
    </Dialog>
  );
}

/** `Services: 12, Visitors: 30`. */
function removedText({ removed }: Sync): string {
  return Object.entries(removed)
    .map(([name, count]) => labelled(resourceNamed(name)?.plural ?? name, number(count)))
    .join(', ');
}

function Doubts(props: { readonly doubts: Sync['doubts']; readonly more: number }): JSX.Element {
  const { doubts, more } = props;
  return (
    <ul>
      {doubts.map((one) => (
        <li key={`${one.request} ${one.reason} ${one.row}`}>
          {one.row === null ? one.request : labelled(one.request, says.doubtRow(one.row))}
          <small> {says.doubts[one.reason] ?? one.reason}</small>
        </li>
      ))}
      {more > 0 && <li class="quiet">{texts.andMore(more)}</li>}
    </ul>
  );
}

function Named(props: {
  readonly records: Sync['records'] | Sync['left'];
  readonly more: number;
}): JSX.Element {
  const { records, more } = props;
  return (
    <ul>
      {records.map((one) => (
        <li key={one.record}>
          <a href={hrefOf(`${resourceNamed(one.resource)?.path ?? one.resource}/${one.record}`)}>
            {one.external_identifier ?? one.record}
          </a>
          {'reason' in one && <small> {says.reasons[one.reason] ?? one.reason}</small>}
        </li>
      ))}
      {more > 0 && <li class="quiet">{texts.andMore(more)}</li>}
    </ul>
  );
}
