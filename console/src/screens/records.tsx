/** The records of a resource, or one of them. */
import type { JSX } from 'preact';
import { resourceAt } from '../description.ts';
import type { ScreenProps } from '../screen.ts';
import { ListScreen } from './list/list.tsx';
import { Missing } from './missing.tsx';
import { RecordScreen } from './record/record.tsx';

export function RecordsScreen({ path, rest }: ScreenProps): JSX.Element {
  const resource = resourceAt(path);
  const [id, ...beyond] = rest;
  if (resource === undefined || beyond.length > 0) return <Missing />;
  if (id === undefined || id === '') return <ListScreen key={path} resource={resource} />;
  return <RecordScreen key={id} resource={resource} id={id} />;
}
