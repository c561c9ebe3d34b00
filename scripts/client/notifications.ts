/** The types of the client that a webhook endpoint receives: one for each notification. */
import type { Resource } from '../../src/core/schema/define.ts';
import { outcomesOf } from '../../src/core/schema/outcomes.ts';
import { typeNames } from './records.ts';
import { comment, union } from './type-text.ts';

export function notificationsText(resources: readonly Resource[]): string {
  const changes = resources.map((resource) => {
    const outcomes = outcomesOf(resource).map((outcome) => `'${outcome}'`);
    return `ChangeNotification<'${resource.name}', ${union(outcomes)}, our.${typeNames(resource).record}>`;
  });
  return [
    [
      `import type { ChangeNotification, ProposalNotification, TestNotification } from '../notifications.ts';\n`,
      `import type * as our from './records.d.ts';\n`,
    ].join(''),
    `${comment('A notification that a webhook endpoint receives, of the kind in `type`. Ignore unknown kinds.')}export type WebhookNotification = ${[...changes, 'ProposalNotification', 'TestNotification'].map((one) => `\n  | ${one}`).join('')};\n`,
  ].join('\n');
}
