/** The first screen: what staff need this morning, as it becomes so. A panel is there only where there is something in it. */
import { page as texts } from 'messages';
import { dayBegan } from '../../clock.ts';
import { Features } from '../../features/later.tsx';
import { type Loaded, useLoad } from '../../load.ts';
import { IconButton } from '../../parts/button.tsx';
import { later } from '../../parts/later.tsx';
import { Failure, Heading, Loading, Reload, sentenceOf } from '../../parts/loading.tsx';
import { say } from '../../parts/notice.tsx';
import { chosenLocation } from '../../places/locations.ts';
import { areZonesKnown, zonesOfDays } from '../../places/zones.ts';
import type { Shown } from '../../records/records.ts';
import { hrefOf, useRestored } from '../../router.ts';
import { type PageOf, printed } from '../../service/api.ts';
import { useFollowed } from '../../service/live.ts';
import { may } from '../../service/session.ts';
import { longDayText, timesText } from '../../values/format.ts';
import { loadInterested, loadToday, type Today } from './load-today.ts';
import { Arrangements, Interested, Replies, Services } from './panels.tsx';

/** The shortest time between two refreshes, since guests may arrive every few seconds. */
const PAUSE_MS = 15_000;

const Nothing = later((seldom) => seldom.Nothing, null);

export function TodayScreen(): JSX.Element {
  const location = chosenLocation.value;
  const day = dayBegan.value;
  // Where no zone is known, days may begin elsewhere.
  const where = areZonesKnown.value ? `at ${location ?? 'all'} by ${zonesOfDays.value}` : undefined;
  const { value, error, busy, reload } = useLoad(where && `today, ${day}, ${where}`, (signal) =>
    loadToday(location, signal),
  );
  // Nothing waits for these: old visits that were imported may stand before them.
  const interested = useLoad(where && `interested, ${day}, ${where}`, (signal) =>
    loadInterested(location, signal),
  );
  const again = (): void => {
    reload();
    interested.reload();
  };
  useRestored(value);
  useFollowed(PAUSE_MS, again);
  return (
    <>
      <Heading title={texts.nav.today} about={`${longDayText(new Date(day))}. ${timesText()}`}>
        <IconButton
          icon="print"
          label={texts.list.print}
          onClick={() => void printed('today').then(print, (error) => say(sentenceOf(error)))}
        />
        <Reload onReload={again} />
      </Heading>
      <Loading of={{ value, error, reload }} rows={10}>
        {(today) => (
          <>
            <Features at="TodayNote" page={today} />
            {may('write') && today.proposals.count > 0 && (
              <p class="fresh">
                <a href={hrefOf('proposals')}>{texts.today.proposals(today.proposals.shown)}</a>
              </p>
            )}
          </>
        )}
      </Loading>
      <Features at="TodayPanel" page={value} />
      {value !== undefined && <Panels today={value} interested={interested} busy={busy} />}
    </>
  );
}

interface PanelsProps {
  readonly today: Today;
  readonly interested: Loaded<PageOf<Shown>>;
  readonly busy: boolean;
}

function Panels({ today, interested, busy }: PanelsProps): JSX.Element {
  const { services, replies, arrangements } = today;
  const { value: visits, error, reload } = interested;
  if ([services, replies, arrangements].every((one) => one.data.length === 0)) {
    if (visits === undefined) return <Loading of={{ value: visits, error, reload }} rows={3} />;
    if (visits.data.length === 0) return <Nothing />;
  }
  return (
    <div class="today" aria-busy={busy}>
      <div class="half">
        <Services page={services} />
      </div>
      <div class="half">
        <Replies page={replies} />
        <Arrangements page={arrangements} />
        {visits !== undefined ? (
          <Interested page={visits} />
        ) : (
          error !== undefined && <Failure error={error} onAgain={reload} />
        )}
      </div>
    </div>
  );
}
