/** The board of follow-ups: what is open and overdue, by location and reason, and how soon somebody tries. */
import { followUp as says } from 'messages';
import type { FollowUp, FollowUpCounts } from '../../../../client/src/generated/objects.d.ts';
import { now } from '../../clock.ts';
import { useLoad } from '../../load.ts';
import { named } from '../../parts/listed.tsx';
import { Loading } from '../../parts/loading.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { chosenLocation, useLocationNames } from '../../places/locations.ts';
import { api } from '../../service/api.ts';

/** Follow-ups that one page has: as many as are looked at for how soon somebody tries. */
const PAGE = 1_000;
const MONTH_MS = 30 * 86_400_000;
const HOUR_MS = 3_600_000;
const REASONS = new Map(Object.entries(says.reasons));

export function Board(): JSX.Element {
  const location = chosenLocation.value;
  const names = useLocationNames();
  const { value, error, busy, reload } = useLoad(
    `board at ${location ?? 'all'}`,
    async (signal) => ({
      ...(await api.follow_ups.counts({ location }, { signal })),
      recent: await page(
        { location, opened_since: new Date(now() - MONTH_MS).toISOString() },
        signal,
      ),
    }),
  );
  return (
    <Loading of={{ value, error, reload }} rows={4}>
      {({ counts, recent }) => (
        <>
          <p class="quiet">{soonOf(recent)}</p>
          <Counts of={counts} by="location" label={says.byLocation} busy={busy} names={names} />
          <Counts of={counts} by="reason" label={says.byReason} busy={busy} names={REASONS} />
        </>
      )}
    </Loading>
  );
}

function Counts(props: {
  readonly of: FollowUpCounts['counts'];
  readonly by: 'location' | 'reason';
  readonly label: string;
  readonly busy: boolean;
  readonly names: ReadonlyMap<string, string>;
}): JSX.Element {
  const { of, by, label, busy, names } = props;
  const groups = Map.groupBy(of, (one) => one[by]);
  const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
  const rows = [...groups].map(([unique_identifier, some]) => ({
    ...{ unique_identifier, open: sum(some.map((one) => one.open)) },
    overdue: sum(some.map((one) => one.overdue)),
  }));
  const most = Math.max(1, ...rows.map((one) => one.open));
  /** It is read aloud as its number. */
  const bar = (of: number) => (
    <>
      <svg class="share" viewBox={`0 0 ${most} 1`} preserveAspectRatio="none" aria-hidden="true">
        <rect width={of} height="1" />
      </svg>{' '}
      {of}
    </>
  );
  const columns: readonly Column<(typeof rows)[number]>[] = [
    { label, class: 'name', cell: ({ unique_identifier: id }) => names.get(id) ?? id },
    named(says.open, ({ open }) => bar(open)),
    named(says.overdue, ({ overdue }) => bar(overdue)),
  ];
  return <Table caption={label} columns={columns} rows={rows} busy={busy} />;
}

async function page(query: Parameters<typeof api.follow_ups.list>[0], signal: AbortSignal) {
  const found: FollowUp[] = [];
  for await (const one of api.follow_ups.list({ ...query, limit: PAGE }, { signal }))
    if (found.push(one) === PAGE) break;
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
