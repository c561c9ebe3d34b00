/** A system that is to send something, as it is seen in the console. */
import type { MakeWalks } from '../../support/console-walk.ts';

export const walks: MakeWalks = async ({ service, made, officer }) => {
  const { sources } = service.app.store;
  const account = service.account.unique_identifier;
  const { key } = await service.newKey({ name: 'Tablet' });
  await sources.assign(account, key.unique_identifier, 'Tablets');
  const source = (await sources.list([account])).find(({ name }) => name === 'Tablets');
  await officer.post('/v1/expectations', {
    ...{ source: source?.unique_identifier, location: made.locations[0], status: 'confirmed' },
    ...{ hours: 'mon-sun 0-24', every: 'hour', silent_after: 3 },
  });
  return [{ screen: 'feeds', ready: 'expectations.title' }];
};
