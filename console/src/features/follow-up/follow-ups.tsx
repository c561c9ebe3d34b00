/** Follow-ups where other screens show them: of a record, or those of today. */
import type { OfRecord } from '../../records/records.ts';
import { hasRight } from '../../service/session.ts';
import { RecordFollowUps } from './record.tsx';
import { TodayFollowUps } from './today.tsx';

export function FollowUps(props: OfRecord | { readonly page: object }): JSX.Element | null {
  if (!hasRight('follow_up')) return null;
  return 'page' in props ? <TodayFollowUps {...props} /> : <RecordFollowUps {...props} />;
}
