/** The board of follow-ups: what is open and overdue, by location and reason, and how soon somebody tries. */
import { followups as says } from 'messages';
import type { FollowUp } from '../../../../client/src/generated/objects.d.ts';
import { now } from '../../clock.ts';
import { useLoad } from '../../load.ts';
import { named } from '../../parts/listed.tsx';
import { Loading } from '../../parts/loading.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { chosenLocation, useLocationNames } from '../../places/locations.ts';
import { api } from '../../service/api.ts';

const PAGE = 1_000;
const MOST = 20_000;
const MONTH_MS = 30 * 86_400_000;
const HOUR_MS = 3_600_000;
const REASONS = new Map(Object.entries(says.reasons));

export function Board(): JSX.Element {
  const location = chosenLocation.value;
  const names = useLocationNames();
  const { value, error, busy, reload } = useLoad(
    `board at ${location ?? 'all'}`,
    async (signal) => ({
      open: await all({ location, state: 'unfinished' }, signal),
      recent: await all(
        { location, opened_since: new Date(now() - MONTH_MS).toISOString() },
        signal,
      ),
    }),
  );
  return (
    <Loading of={{ value, error, reload }} rows={4}>
      {({ open, recent }) => (
        <>
          <p class="quiet">{soonOf(recent)}</p>
          <Counts of={open} by="location" label={says.byLocation} busy={busy} names={names} />
          <Counts of={open} by="reason" label={says.byReason} busy={busy} names={REASONS} />
        </>
      )}
    </Loading>
  );
}

function Counts(props: {
  readonly of: readonly FollowUp[];
  readonly by: 'location' | 'reason';
  readonly label: string;
  readonly busy: boolean;
  readonly names: ReadonlyMap<string, string>;
}): JSX.Element {
  const { of, by, label, busy, names } = props;
  const groups = Map.groupBy(of, (one) => one[by]);
  const rows = [...groups].map(([unique_identifier, some]) => {
    const overdue = some.filter((one) => Date.parse(one.due_at) < now()).length;
    return { unique_identifier, open: some.length, overdue };
  });
  const most = Math.max(1, ...rows.map((one) => one.open));
  /** It is read aloud as its number. */
  const bar = (of: number) => (
    <>
      {of} <meter value={of} max={most} aria-hidden="true" />
    </>
  );
  const columns: readonly Column<(typeof rows)[number]>[] = [
    { label, class: 'name', cell: ({ unique_identifier: id }) => names.get(id) ?? id },
    named(says.open, ({ open }) => bar(open)),
    named(says.overdue, ({ overdue }) => bar(overdue)),
  ];
  return <Table caption={label} columns={columns} rows={rows} busy={busy} />;
}

async function all(query: Parameters<typeof api.follow_ups.list>[0], signal: AbortSignal) {
  const found: FollowUp[] = [];
  for await (const one of api.follow_ups.list({ ...query, limit: PAGE }, { signal }))
    if (found.push(one) === MOST) break;
  return found;
}

/** The median time to the first attempt. */
function soonOf(recent: readonly FollowUp[]): string | undefined {
  const times = recent.flatMap(({ inserted_at, attempts: [first] }) =>
    first ? Date.parse(first.at) - Date.parse(inserted_at) : [],
  );
  const median = times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)];
  return median === undefined ? undefined : says.soon(Math.max(1, Math.round(median / HOUR_MS)));
}
