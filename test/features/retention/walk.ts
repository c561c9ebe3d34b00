/** A retention rule as it is seen in the console. */
import type { MakeWalks } from '../../support/console-walk.ts';

export const walks: MakeWalks = async ({ service, officer }) => {
  const { body } = await officer.post('/v1/retention_rules', {
    account: service.account.unique_identifier,
    resource: 'event_check_in_record',
    after_days: 1095,
    since: 'event_datetime',
    basis: 'Policy 4',
  });
  return [
    { screen: 'retention', ready: 'retention.lastRun' },
    { screen: 'retention', at: `/${body.unique_identifier}`, ready: 'Policy 4' },
  ];
};
