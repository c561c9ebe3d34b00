/** The backup that administrators see: the last one that was checked. */
import { boolean } from '../../schema/fields/index.ts';
import { time } from '../kinds.ts';
import { field, nullable, ownObject } from '../own-object.ts';

export const backup = ownObject({
  name: 'backup',
  typeName: 'Backup',
  says: 'The last backup that was checked.',
  to: ['console'],
  fields: {
    taken_at: nullable(time(), 'The moment it was taken; null: none was checked'),
    checked_at: nullable(time(), 'When it was checked'),
    overdue: field(boolean(), 'Whether a newer one should have been checked by now'),
  },
});
