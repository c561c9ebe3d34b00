/** The records of a resource, or one of them. */
import { signal } from '@preact/signals';
import { later } from '../parts/later.tsx';
import { resourceAt } from '../records/description.ts';
import type { ScreenProps } from '../screen.ts';
import { ListScreen } from './list/list.tsx';
import { walkedWith } from './list/walk.ts';
import { Missing } from './missing.tsx';

const Beside = later((seldom) => seldom.Beside, null);
const RecordScreen = later((seldom) => seldom.RecordScreen);

export function RecordsScreen({ path, rest }: ScreenProps): JSX.Element {
  const resource = resourceAt(path);
  const [id, ...beyond] = rest;
  if (resource === undefined || beyond.length > 0) return <Missing />;
  if (id === undefined || id === '') return <ListScreen key={path} resource={resource} />;
  const record = <RecordScreen key={id} resource={resource} id={id} />;
  const records = isWide.value ? walkedWith(path, id) : undefined;
  if (records === undefined) return record;
  return (
    <div class="beside">
      <div class="list">
        <Beside resource={resource} records={records} id={id} />
      </div>
      {record}
    </div>
  );
}

const room = matchMedia('(width >= 100rem)');

const isWide = signal(room.matches);

room.addEventListener('change', ({ matches }) => {
  isWide.value = matches;
});
