/** A hold as it is seen in the console. */
import type { MakeWalks } from '../../support/console-walk.ts';

export const walks: MakeWalks = async ({ service, made, officer }) => {
  const account = service.account.unique_identifier;
  await officer.post('/v1/holds', { account, record: made.visitor, matter: 'Case 7' });
  return [
    { screen: 'holds', ready: 'Case 7' },
    { screen: 'holds', at: `?record=${made.event}&place=`, ready: 'holds.placeHint' },
  ];
};
