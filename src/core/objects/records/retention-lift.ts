/** The result of letting records be sent again that a retention rule had removed. */
import { boolean } from '../../schema/fields/index.ts';
import { count, identifier } from '../kinds.ts';
import { field, ownObject } from '../own-object.ts';

export const retentionLift = ownObject({
  name: 'retention_lift',
  typeName: 'RetentionLift',
  says: 'That records which a retention rule removed may be sent again.',
  fields: {
    retention_rule: field(identifier('ret_'), 'The rule, also one that was deleted'),
    lifted: field(count(), 'How many records may be sent again now', { example: 1000 }),
    has_more: field(
      boolean(),
      'Whether there may be more: repeat the request until there are none',
      { example: false },
    ),
  },
});
