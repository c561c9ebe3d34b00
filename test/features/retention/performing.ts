/** Performs the commands of retention. */
import type { PerformingGround } from '../../support/performing.ts';

export async function performs({ account, id, json }: PerformingGround): Promise<void> {
  const rule = '--resource event --counted-from event_datetime --after 3y --basis policy';
  const retention = await id('retention', 'create', '--account', account, ...rule.split(' '));
  await json('retention', 'list');
  await json('retention', 'change', retention, '--after', '4y');
  await json('retention', 'preview', retention);
  await json('retention', 'show', retention);
  await json('retention', 'runs', retention);
  await json('retention', 'enable', retention);
  await json('retention', 'pause', retention);
  await json('retention', 'lift', retention);
  await json('retention', 'delete', retention);
}
