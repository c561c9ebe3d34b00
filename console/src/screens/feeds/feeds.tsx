/** Whether partners' records arrive, and what was refused: the home of people who run the feeds. */
import { requests, feeds as says, page as texts } from 'messages';
import { useLoad } from '../../load.ts';
import { amounts, times } from '../../parts/columns.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Heading, Reload } from '../../parts/heading.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Select } from '../../parts/select.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { useLocationNames } from '../../places/locations.ts';
import { regions, settingsOf } from '../../places/zones.ts';
import { nameFirst } from '../../records/key-names.ts';
import { hrefOf, query, setQuery, useRestored } from '../../router.ts';
import { session } from '../../service/session.ts';
import { agoText } from '../../values/format.ts';
import { Backup } from './backup.tsx';
import { Bars } from './bars.tsx';
import { Expected } from './expected.tsx';
import { type Feed, loadFeeds, type RefusalGroup } from './load-feeds.ts';
import { SelfTests } from './self-tests.tsx';
import { Syncs } from './syncs.tsx';

export function FeedsScreen(): JSX.Element {
  const { value, error, busy, reload } = useLoad('feeds', loadFeeds);
  const names = useLocationNames();
  const region = query.value.get('region') ?? '';
  useRestored(value);
  const locationName = (id: string): string => names.get(id) ?? id;
  return (
    <>
      <Heading title={texts.nav.feeds} about={says.about}>
        <Reload onReload={reload} />
      </Heading>
      {session.value?.may_administer === true && session.value.locations === null && <Backup />}
      <Loading of={{ value, error, reload }} rows={8} />
      {regions.value.length > 0 && (
        <Select
          class="by-region"
          aria-label={texts.region}
          value={region}
          options={[['', says.allRegions], ...regions.value.map((one) => [one, one] as const)]}
          onChoose={(chosen) => setQuery({ region: chosen || undefined })}
        />
      )}
      {value?.feeds.length === 0 && <Empty title={says.none} hint={says.noneHint} />}
      {value !== undefined && value.feeds.length > 0 && (
        <Table
          caption={texts.nav.feeds}
          columns={columns(locationName)}
          rows={value.feeds.filter(
            ({ location }) =>
              region === '' || (location !== undefined && settingsOf(location)?.region === region),
          )}
          keyOf={({ key, location }) => `${key} ${location}`}
          hrefOf={({ key }) => hrefOf('requests', { key })}
          busy={busy}
        />
      )}
      <Expected region={region} locationName={locationName} />
      <Syncs region={region} locationName={locationName} />
      {value !== undefined && value.refusals.length > 0 && (
        <div class="children refusals">
          <header>
            <h2>{says.refusals}</h2>
            <a href={hrefOf('requests')}>{texts.record.seeAll}</a>
          </header>
          {value.more && <p class="hint">{says.more}</p>}
          <Table
            caption={says.refusals}
            columns={REFUSALS}
            rows={value.refusals}
            keyOf={({ code, param }) => `${code} ${param}`}
            hrefOf={({ code }) => hrefOf('requests', { code })}
          />
        </div>
      )}
      <SelfTests />
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
    { label: says.key, cell: ({ key }) => nameFirst(key) },
    {
      label: texts.location,
      cell: place,
      folds: place,
    },
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
  { label: says.code, cell: ({ code }) => code },
  {
    label: says.field,
    folds: true,
    cell: ({ param }) => (param === '*' ? requests.anyName : (param ?? null)),
  },
  { label: says.count, class: 'amount', cell: ({ count }) => count },
  times(says.first, ({ first }) => agoText(first)),
  times(says.lastly, ({ last }) => agoText(last)),
];
