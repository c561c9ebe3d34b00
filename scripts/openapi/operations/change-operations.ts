/** Words of the operations on the history of a record. */

import type { Resource } from '../../../src/core/schema/define.ts';
import { kept, outcome, rehearsed, replayed, tagged, timed } from '../headers.ts';
import { exampleHistory } from '../schemas/change-schemas.ts';
import { exampleAnswer } from '../schemas/examples.ts';
import { articled, refTo } from '../schemas/names.ts';
import { jsonOf } from '../schemas/parts.ts';
import { readSchema } from '../schemas/schemas.ts';
import { limitErrors, type Words, WRITE_ERRORS } from './operation.ts';

export const changeWords = { history: historyWords, restore: restoreWords };

function historyWords(resource: Resource): Words {
  return {
    summary: `Read the history of ${articled(resource)}`,
    description:
      'Returns the changes of the record, newest first, with the members that each one changed, before and after. It also works for a removed record, as far as the log of changes goes back.',
    answer: {
      description: 'The changes of the record.',
      headers: timed,
      content: jsonOf(refTo('schemas', 'HistoryList'), exampleHistory(resource)),
    },
    errors: ['resource_missing', 'record_erased', 'position_unknown', 'change_damaged'],
  };
}

function restoreWords(resource: Resource): Words {
  const schema = refTo('schemas', 'RestoreRequest');
  return {
    summary: `Restore an earlier version of ${articled(resource)}`,
    description:
      'Writes the content of that version as a new version. A removed record returns with its `unique_identifier`, if its parent exists and no other record there has its `external_identifier` by now. The key needs the permissions `read` and `write`.',
    headers: ['Idempotency-Key', 'If-Match'],
    requestBody: {
      required: true,
      description: 'The same as JSON or as a form.',
      content: {
        'application/json': { schema, example: { version: 1 } },
        'application/x-www-form-urlencoded': { schema, example: { version: 1 } },
      },
    },
    answer: {
      description: 'The current record.',
      headers: { ...timed, ...outcome, ...kept, ...tagged, ...rehearsed, ...replayed },
      content: jsonOf(readSchema(resource), exampleAnswer(resource)),
    },
    errors: [
      ...WRITE_ERRORS,
      ...(['version_missing', 'change_damaged', 'record_exists', 'pins_too_many'] as const),
      ...limitErrors(resource),
    ],
  };
}
