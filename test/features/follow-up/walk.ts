/** A follow-up as it is seen in the console: on *Today*, and on its record. */
import type { MakeWalks } from '../../support/console-walk.ts';

export const walks: MakeWalks = async ({ made, officer }) => {
  await officer.post('/v1/follow_ups', { record: made.visitor });
  return [
    { screen: '', ready: 'followUp.title' },
    { screen: 'event_check_in_records', at: `/${made.visitor}`, ready: 'followUp.title' },
  ];
};
