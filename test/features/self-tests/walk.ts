/** The self-test of a partner as it is seen in the console. */
import type { MakeWalks } from '../../support/console-walk.ts';

export const walks: MakeWalks = async ({ service }) => {
  const { secret: key } = await service.newKey({ name: 'Partner' });
  await service.send('POST', '/v1/self_tests', { key });
  return [{ screen: 'feeds', ready: 'selfTests.title' }];
};
