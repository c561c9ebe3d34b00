/** Performs the commands of the register of whom nobody is to contact. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PerformingGround } from '../../support/performing.ts';

export async function performs({ account, cwd, id, json }: PerformingGround): Promise<void> {
  const called = ['--account', account, '--phone-number', '4155550188'];
  const entry = await id('do-not-contact', 'create', ...called);
  await json('do-not-contact', 'list', '--phone-number', '4155550188');
  await json('do-not-contact', 'show', entry);
  await json('do-not-contact', 'lift', entry, '--reason', 'they called');
  const numbers = join(cwd, 'refusing.csv');
  writeFileSync(numbers, '4155550189\n');
  await json('do-not-contact', 'import', '--account', account, '--file', numbers);
}
