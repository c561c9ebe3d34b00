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

const MOST = 1_000;
const MONTH_MS = 30 * 86_400_000;
const HOUR_MS = 3_600_000;

interface Row {
  readonly unique_identifier: string;
  readonly name: string;
  readonly open: number;
  readonly overdue: number;
}

export function Board(): JSX.Element {
  const location = chosenLocation.value;
  const names = useLocationNames();
  const { value, error, busy, reload } = useLoad(`board at ${location ?? 'all'}`, (signal) =>
    api.follow_ups.list({ location, limit: MOST }, { signal }).page(),
  );
  return (
    <Loading of={{ value, error, reload }} rows={4}>
      {({ data }) => (
        <>
          <p class="quiet">{soonOf(data)}</p>
          <Counts
            of={data}
            by={({ location }) => location}
            called={(id) => names.get(id) ?? id}
            busy={busy}
            label={says.byLocation}
          />
          <Counts
            of={data}
            by={({ reason }) => reason}
            called={(one) => says.reasons[one] ?? one}
            busy={busy}
            label={says.byReason}
          />
        </>
      )}
    </Loading>
  );
}

function Counts(props: {
  readonly of: readonly FollowUp[];
  readonly by: (one: FollowUp) => string;
  readonly called: (name: string) => string;
  readonly busy: boolean;
  readonly label: string;
}): JSX.Element {
  const { of, by, called, busy, label } = props;
  const open = of.filter(({ state }) => state !== 'closed');
  const rows = [...Map.groupBy(open, by)].map(([unique_identifier, some]): Row => {
    const overdue = some.filter((one) => Date.parse(one.due_at) < now()).length;
    return { unique_identifier, name: called(unique_identifier), open: some.length, overdue };
  });
  const most = Math.max(1, ...rows.map((one) => one.open));
  const columns: readonly Column<Row>[] = [
    { label, class: 'name', cell: ({ name }) => name },
    named(says.open, ({ open }) => <Bar of={open} most={most} />),
    named(says.overdue, ({ overdue }) => <Bar of={overdue} most={most} />),
  ];
  return <Table caption={label} columns={columns} rows={rows} busy={busy} />;
}

/** A bar that is read aloud as its number. */
function Bar({ of, most }: { readonly of: number; readonly most: number }): JSX.Element {
  return (
    <>
      {of} <meter value={of} max={most} aria-hidden="true" />
    </>
  );
}

/** The median time to the first attempt, of those that were opened in the last 30 days. */
function soonOf(all: readonly FollowUp[]): string | undefined {
  const times = all.flatMap(({ inserted_at, attempts: [first] }) => {
    const began = Date.parse(inserted_at);
    return first && began > now() - MONTH_MS ? Date.parse(first.at) - began : [];
  });
  const median = times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)];
  return median === undefined ? undefined : says.soon(Math.max(1, Math.round(median / HOUR_MS)));
}
