/** Performs the commands of self-tests. */
import type { PerformingGround } from '../../support/performing.ts';

export async function performs({ json, newSecret, send }: PerformingGround): Promise<void> {
  const test = await send('/self_tests', {}, await newSecret());
  await json('self-tests', 'list');
  await json('self-tests', 'show', test.unique_identifier);
}
