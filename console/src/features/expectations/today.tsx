/** How many systems are silent, above what staff need today. */
import { expectations as says } from 'messages';
import { useAgain, useLoad } from '../../load.ts';
import { chosenLocation } from '../../places/locations.ts';
import { hrefOf } from '../../router.ts';
import { api, counted } from '../../service/api.ts';
import { hasRight } from '../../service/session.ts';
import type { Spots } from '../spots.ts';

/** More are not distinguished. */
const MAX_COUNTED = 50;

export function TodayNote({ page }: Spots['TodayNote']): JSX.Element | null {
  const location = chosenLocation.value;
  const may = hasRight('requests');
  const { value, reload } = useLoad(may ? `silent at ${location ?? 'all'}` : undefined, (signal) =>
    api.expectations.list({ location, limit: MAX_COUNTED, state: 'silent' }, { signal }).page(),
  );
  useAgain(page, reload);
  const silent = counted(value);
  if (silent.count === 0) return null;
  return (
    <p class="fresh">
      <a href={hrefOf('feeds')}>{says.silent(silent)}</a>
    </p>
  );
}
