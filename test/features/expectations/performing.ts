/** Performs the commands of expectations. */
import type { PerformingGround } from '../../support/performing.ts';

export async function performs({ id, json, source }: PerformingGround): Promise<void> {
  const expected = ['--location', 'home', '--hours', 'mon-fri 9-17'];
  const expectation = await id('expectations', 'set', source, ...expected);
  await json('expectations', 'list', '--location', 'home');
  await json('expectations', 'show', expectation);
  await json('expectations', 'delete', expectation);
}
