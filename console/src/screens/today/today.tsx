/** The first screen: what staff need this morning, as it becomes so. A panel is there only where there is something in it. */
import { page as texts } from 'messages';
import { dayBegan } from '../../clock.ts';
import { Features } from '../../features/later.tsx';
import { useLoad } from '../../load.ts';
import { IconButton } from '../../parts/button.tsx';
import { Empty, Heading, Loading, Reload, sentenceOf } from '../../parts/loading.tsx';
import { say } from '../../parts/notice.tsx';
import { chosenLocation } from '../../places/locations.ts';
import { hrefOf, useRestored } from '../../router.ts';
import { printed } from '../../service/api.ts';
import { useFollowed } from '../../service/live.ts';
import { longDayText, timesText } from '../../values/format.ts';
import { loadToday, type Today } from './load-today.ts';
import { Arrangements, Interested, Replies, Services } from './panels.tsx';

/** The shortest time between two refreshes, since guests may arrive every few seconds. */
const PAUSE_MS = 15_000;

export function TodayScreen(): JSX.Element {
  const location = chosenLocation.value;
  const day = dayBegan.value;
  const { value, error, busy, reload } = useLoad(
    `today, ${day}, at ${location ?? 'all'}`,
    (signal) => loadToday(location, signal),
  );
  useRestored(value);
  useFollowed(PAUSE_MS, reload);
  return (
    <>
      <Heading title={texts.nav.today} about={`${longDayText(new Date(day))}. ${timesText()}`}>
        <IconButton
          icon="print"
          label={texts.list.print}
          onClick={() => void printed('today').then(print, (error) => say(sentenceOf(error)))}
        />
        <Reload onReload={reload} />
      </Heading>
      <Loading of={{ value, error, reload }} rows={10}>
        {(today) => (
          <>
            {today.silent.count > 0 && (
              <p class="fresh">
                <a href={hrefOf('feeds')}>{texts.today.silent(today.silent)}</a>
              </p>
            )}
            {today.proposals.count > 0 && (
              <p class="fresh">
                <a href={hrefOf('proposals')}>{texts.today.proposals(today.proposals.shown)}</a>
              </p>
            )}
            <Features page={today} />
            <Panels today={today} busy={busy} />
          </>
        )}
      </Loading>
    </>
  );
}

function Panels({ today, busy }: { readonly today: Today; readonly busy: boolean }): JSX.Element {
  const { services, replies, arrangements, interested } = today;
  if ([services, replies, arrangements, interested].every((one) => one.data.length === 0))
    return <Empty title={texts.today.nothing} hint={texts.today.nothingHint} />;
  return (
    <div class="today" aria-busy={busy}>
      <div class="half">
        <Services page={services} />
      </div>
      <div class="half">
        <Replies page={replies} />
        <Arrangements page={arrangements} />
        <Interested page={interested} />
      </div>
    </div>
  );
}
