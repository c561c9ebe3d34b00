/** The operation that gives the log of changes; `routes/feed.ts` answers it, in pages and in streams. */
import { OUTCOMES, type Resource } from '../../core/schema/define.ts';
import { optional, text, wholeNumber } from '../../core/schema/fields/index.ts';
import type { Members } from '../../core/schema/fields/members.ts';
import { setIn, textIn } from '../../core/schema/parse/query-string.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import type { ChangesRequest, FeedPage } from '../../records/changes/feed.ts';
import { type Operation, operation, someOf } from './operation.ts';
import { listText } from './pages.ts';

const MAX_PAGE = 1000;
const CHANGES_PAGE = 100;
const MAX_WAIT_SECONDS = 60;
const END = 'Continues until the caller disconnects or the key ends';

const LAST_EVENT =
  'Takes the place of the header `Last-Event-ID`, for programs that cannot send it: counts instead of `starting_after`';

/** All that the query may say, in the order of the reference. */
function filtersOf(resources: readonly Resource[]) {
  return {
    account: optional(
      text({}),
      'unique_identifier of the account; optional if the API key has only one',
    ),
    starting_after: optional(
      text({}),
      '`position` of the previous page, unique_identifier of the last change that you have, or `now`; by default the oldest change',
    ),
    limit: optional(
      wholeNumber({ min: 1, max: MAX_PAGE }),
      `Maximum number of changes to return; ${CHANGES_PAGE} by default`,
    ),
    wait: optional(
      wholeNumber({ min: 0, max: MAX_WAIT_SECONDS }),
      'Seconds to wait if there is no change yet',
    ),
    resource: someOf(
      resources.map(({ name }) => name),
      'Only changes of records of these resources',
    ),
    outcome: someOf(OUTCOMES, 'Only changes with these outcomes'),
    location: optional(
      text({}),
      'Only changes of this location and its records, by its unique_identifier',
    ),
    region: optional(
      text({ max: 120 }),
      'Only changes of locations of this region and their records, by the current settings of locations',
    ),
    expand: someOf(['record'], 'Include the current records'),
    lastEventId: { ...optional(text({}), LAST_EVENT), spelling: true },
    last_event_id: { ...optional(text({}), LAST_EVENT), spelling: true },
  } as const satisfies Members;
}

export function changesOperation(resources: readonly Resource[]): Operation {
  return operation({
    name: 'list_changes',
    route: 'GET /v1/changes',
    tag: 'Changes',
    summary: 'Follow changes',
    description:
      'Returns the changes of an account, each once and in order. To follow them, send the `position` of each answer as `starting_after` of the next. With `wait` the answer comes as soon as there is one; as `application/x-ndjson` or `text/event-stream` it never ends.',
    query: filtersOf(resources),
    audits: 'list',
    header: {
      name: 'Last-Event-ID',
      says: 'What `EventSource` sends by itself: counts instead of `starting_after`',
    },
    answers: {
      schema: 'ChangeList',
      says: 'The changes after the position.',
      also: {
        'application/x-ndjson': `A change in each line; \`{"object":"position"}\` at the beginning and after every 15 seconds without a change. ${END}.`,
        'text/event-stream': `An event \`change\` for each change, its \`id\` the place to go on from. ${END}.`,
      },
    },
    errors: [
      ...(['parameter_missing', 'resource_missing', 'position_unknown'] as const),
      ...(['changes_expired', 'changes_rewound', 'change_damaged'] as const),
    ],
  });
}

export function changesRequest(values: JsonObject, lastEventId?: unknown): ChangesRequest {
  const header = typeof lastEventId === 'string' ? lastEventId : undefined;
  const last = header || textIn(values, 'lastEventId') || textIn(values, 'last_event_id');
  const { limit = CHANGES_PAGE, wait = 0, expand } = values;
  return {
    account: textIn(values, 'account'),
    starting_after: last || textIn(values, 'starting_after'),
    limit: limit as number,
    wait: wait as number,
    resources: setIn(values, 'resource'),
    outcomes: setIn(values, 'outcome'),
    location: textIn(values, 'location'),
    region: textIn(values, 'region')?.trim(),
    expand: expand !== undefined,
  };
}

export function answerOf({ changes, more, position }: FeedPage): string {
  const texts = changes.map(({ text }) => text);
  const positionAfter = (at: number) => changes[at]?.id ?? null;
  return listText('/v1/changes', texts, more, { position, positionAfter });
}
