/** Whether partners' records arrive, and what was refused: the home of people who run the feeds. */
import { requests, feeds as says, page as texts } from 'messages';
import { Features } from '../../features/features.tsx';
import type { Backup as LastBackup } from '../../generated/objects.ts';
import { useLoad } from '../../load.ts';
import { amounts, folded, Titled, times } from '../../parts/listed.tsx';
import { Empty, Failure, Heading, Loading, Reload } from '../../parts/loading.tsx';
import { useGet } from '../../parts/polled.ts';
import { Select } from '../../parts/select.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { useLocationNames } from '../../places/locations.ts';
import { isInRegion, regions } from '../../places/zones.ts';
import { nameFirst } from '../../records/key-names.ts';
import { hrefOf, query, setQuery, useRestored } from '../../router.ts';
import { session } from '../../service/session.ts';
import { agoText, fullTimeText } from '../../values/format.ts';
import { type Feed, isImport, loadFeeds, loadRefusals, type RefusalGroup } from './load-feeds.ts';
import { Syncs } from './syncs.tsx';

export function FeedsScreen(): JSX.Element {
  const { value, error, busy, reload } = useLoad('feeds', loadFeeds);
  const refused = useLoad('refusals', loadRefusals);
  const names = useLocationNames();
  const region = query.value.get('region') ?? '';
  useRestored(value);
  const locationName = (id: string): string => names.get(id) ?? id;
  const shown = { region, locationName };
  return (
    <>
      <Heading title={texts.nav.feeds} about={says.about}>
        <Reload
          onReload={() => {
            reload();
            refused.reload();
          }}
        />
      </Heading>
      {session.value?.may_administer === true && session.value.locations === null && <Backup />}
      <Loading of={{ value, error, reload }} rows={8} />
      {refused.error !== undefined && error === undefined && (
        <Failure error={refused.error} onAgain={refused.reload} />
      )}
      {regions.value.length > 0 && (
        <Select
          class="choose"
          aria-label={texts.region}
          value={region}
          options={[['', says.allRegions], ...regions.value.map((one) => [one, one] as const)]}
          onChoose={(chosen) => setQuery({ region: chosen || undefined })}
        />
      )}
      {value?.length === 0 && <Empty title={says.none} hint={says.noneHint} />}
      {value !== undefined && value.length > 0 && (
        <Table
          caption={texts.nav.feeds}
          columns={columns(locationName)}
          rows={value.filter(({ location }) => isInRegion(location, region))}
          keyOf={({ key, location }) => `${key} ${location}`}
          hrefOf={({ key }) => (isImport(key) ? undefined : hrefOf('requests', { key }))}
          busy={busy}
        />
      )}
      <Features at="FeedsPanel" {...shown} />
      <Syncs {...shown} />
      <Titled
        caption={says.refusals}
        beside={<a href={hrefOf('requests')}>{texts.record.seeAll}</a>}
        hint={refused.value?.more && says.more}
        columns={REFUSALS}
        rows={refused.value?.groups ?? []}
        keyOf={({ code, param }) => `${code} ${param}`}
        hrefOf={({ code }) => hrefOf('requests', { code })}
      />
      <Features at="FeedsFoot" {...shown} />
    </>
  );
}

function columns(locationName: (id: string) => string): readonly Column<Feed>[] {
  const count = (outcome: string, label: string): Column<Feed> =>
    amounts(label, ({ counts }) => counts[outcome] || <span class="quiet">0</span>);
  const place = ({ location, last }: Feed): string => {
    if (location !== undefined) return locationName(location);
    return last === undefined ? says.unplaced : says.noLocation;
  };
  return [
    { label: says.key, cell: ({ key }) => nameFirst(key) || key },
    { label: texts.location, cell: place, folds: place },
    times(says.last, ({ last }) => (last === undefined ? null : agoText(last))),
    {
      label: says.hours,
      cell: ({ last, hours }) =>
        last === undefined ? null : (
          <Bars values={hours} says={says.records(hours.reduce((sum, one) => sum + one, 0))} />
        ),
    },
    count('created', says.created),
    count('updated', says.updated),
    count('unchanged', says.unchanged),
    count('refused', says.refused),
  ];
}

const REFUSALS: readonly Column<RefusalGroup>[] = [
  { label: requests.filters.code, cell: ({ code }) => code },
  folded(says.field, ({ param }) => (param === '*' ? requests.anyName : (param ?? null))),
  { label: texts.count, class: 'amount', cell: ({ count }) => count },
  times(says.first, ({ first }) => agoText(first)),
  times(says.lastly, ({ last }) => agoText(last)),
];

function Backup(): JSX.Element | null {
  const { value } = useGet<LastBackup>('/backup');
  if (value === undefined) return null;
  const { taken_at, overdue } = value;
  return (
    <p class={overdue ? 'backup warned' : 'backup hint'}>
      {taken_at === null ? (
        says.noBackup
      ) : (
        <span title={fullTimeText(taken_at)}>{says.backup(agoText(taken_at))}</span>
      )}{' '}
      {taken_at !== null && overdue && `${says.backupOld} `}
      <a href="/docs/backup" target="_blank" rel="noopener">
        {says.aboutBackups}
      </a>
    </p>
  );
}

const HEIGHT = 24;
const STEP = 5;

function Bars(props: { readonly values: readonly number[]; readonly says: string }): JSX.Element {
  const { values, says } = props;
  const most = Math.max(...values, 1);
  return (
    <svg
      class="bars"
      viewBox={`0 0 ${values.length * STEP} ${HEIGHT}`}
      role="img"
      aria-label={says}
    >
      {values.map((value, index) => {
        const height = value === 0 ? 1 : Math.max((value / most) * HEIGHT, 2);
        return (
          <rect
            key={index}
            class={value === 0 ? 'none' : undefined}
            x={index * STEP}
            y={HEIGHT - height}
            width={STEP - 1}
            height={height}
          />
        );
      })}
    </svg>
  );
}
