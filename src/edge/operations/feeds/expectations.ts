/** The operations on expectations: what is to come from sources, and whether it does. */
import type { Faults } from '../../../core/errors.ts';
import { present } from '../../../core/objects/own-object.ts';
import {
  EVERY,
  EXPECTATION_STATES,
  expectation,
} from '../../../core/objects/requests/expectation.ts';
import { optional, required } from '../../../core/schema/fields/kind.ts';
import { choice } from '../../../core/schema/fields/kinds/choice.ts';
import { text } from '../../../core/schema/fields/kinds/text.ts';
import { wholeNumber } from '../../../core/schema/fields/kinds/whole-number.ts';
import type { Members } from '../../../core/schema/fields/members.ts';
import {
  HOURS_EXAMPLE,
  readClosedDays,
  readHours,
} from '../../../core/schema/present/expected-hours.ts';
import type { JsonObject } from '../../../core/schema/values.ts';
import { SOURCES_RIGHT } from '../../../services/sources/sources.ts';
import type { Expectation } from '../../../store/promises/requests.ts';
import { operation, pageOf } from '../operation.ts';

const PATH = '/v1/expectations';
const PAGE = 1000;
const MAX_SILENT_AFTER = 100;
const MAX_TEXT = 2000;

const all = {
  tag: 'Expectations',
  errors: ['resource_missing', 'value_invalid'],
} as const;

const change = {
  ...all,
  needs: { permission: 'write', right: SOURCES_RIGHT, whole: true },
  refusesIdempotencyKey:
    'Expectations take no Idempotency-Key: send the request without it. It may be repeated.',
} as const;

const NEEDS = 'Needs a key of the whole account with the right `sources`.';

const filters = {
  account: optional(text({}), 'Only those of this account'),
  source: optional(text({}), 'Only those of this source, by its unique_identifier'),
  location: optional(text({}), 'Only those at this location, by its unique_identifier'),
  region: optional(text({ max: 120 }), 'Only those at locations of this region'),
  state: optional(choice(...EXPECTATION_STATES), 'Only those in this state'),
  status: optional(choice('learned', 'confirmed', 'off'), 'Only those with this status'),
  limit: optional(
    wholeNumber({ min: 1, max: PAGE }),
    `Maximum number to return; ${PAGE} by default`,
  ),
  starting_after: optional(text({}), 'unique_identifier of the last one of the previous page'),
} as const satisfies Members;

const body = {
  source: required(text({}), 'The source: its unique_identifier', 'src_0350hLTg4Qw7ghih1EWE8N'),
  location: required(text({}), 'The location: its unique_identifier', 'loc_0350hLTg4Qw7ghih1EWE8N'),
  hours: optional(
    text({ max: MAX_TEXT }),
    'Days of the week and hours, by the clock of the location; by default the learned or earlier ones',
    HOURS_EXAMPLE,
  ),
  every: optional(
    choice(...EVERY),
    '`hour`: a record is expected in each of these hours; `day`: once on each of these days',
    'hour',
  ),
  silent_after: optional(
    wholeNumber({ min: 1, max: MAX_SILENT_AFTER }),
    'Number of these hours or days without a record after which the source is silent; 3 hours or 2 days by default',
    3,
  ),
  closed_days: optional(
    text({ max: MAX_TEXT }),
    'Days on which nothing is expected: `12-25` in each year, `2026-11-27` in one; `""` removes them',
    '12-25, 2026-11-27',
  ),
  status: optional(
    choice('confirmed', 'off'),
    '`off`: nothing is expected, and nothing is learned; `confirmed` by default',
  ),
} as const satisfies Members;

const shown = (one: Expectation) => present(expectation, one, 'api', 0);

export const listExpectations = operation({
  ...all,
  name: 'list_expectations',
  route: `GET ${PATH}`,
  needs: { right: 'requests', whole: true },
  summary: 'List expectations',
  description:
    'Lists how often records are expected from each source at each location, and whether they arrive. Expectations are learned from the activity of six weeks and apply at once; they can be confirmed, changed or turned off. States are updated once a minute. Needs a key with the right `requests` that is not limited to locations.',
  query: filters,
  answers: { schema: 'ExpectationList', says: 'One page.' },
  run: async ({ expectations, anchorsIn, reads }, { caller, params }) => {
    const { limit = PAGE, location, region, starting_after: after, ...query } = params();
    const found = await reads.run(caller.key, async () => {
      const within =
        region === undefined ? undefined : await anchorsIn(caller.scope, region.trim());
      const named = location === undefined ? undefined : [location];
      const locations =
        within === undefined ? named : (named ?? [...within]).filter((one) => within.has(one));
      return expectations.list(caller, { ...query, locations, after, limit: limit + 1 });
    });
    return pageOf(PATH, found.map(shown), limit);
  },
});

export const setExpectation = operation({
  ...change,
  name: 'set_expectation',
  audits: 'administer',
  route: `POST ${PATH}`,
  summary: 'Set an expectation',
  description: `Sets how often records are expected from a source at a location. Without \`hours\` it confirms the learned ones. Missing records are counted from then on. ${NEEDS}`,
  body,
  check: checkNotation,
  errors: [...all.errors, 'parameter_missing'],
  answers: { schema: 'Expectation', says: 'The current expectation.' },
  run: async ({ expectations }, { caller, params, done }) => {
    const set = await expectations.set(caller, params());
    done({ account: set.account, unique_identifier: set.unique_identifier });
    return shown(set);
  },
});

export const removeExpectation = operation({
  ...change,
  name: 'remove_expectation',
  audits: 'administer',
  route: `DELETE ${PATH}/:unique_identifier`,
  id: { says: 'Identifier of the expectation', prefix: 'exp_' },
  summary: 'Forget an expectation',
  description: `Forgets it. If the source is regular, it is learned again within a day: to expect nothing, set its status to \`off\`. ${NEEDS}`,
  answers: { schema: 'RemovedExpectation', says: 'The expectation was forgotten.' },
  run: async ({ expectations }, { caller, id, done }) => {
    const { account, unique_identifier } = await expectations.remove(caller, id);
    done({ account });
    return { object: 'expectation', unique_identifier, deleted: true };
  },
});

function checkNotation({ hours, closed_days }: JsonObject, faults: Faults): void {
  if (typeof hours === 'string' && hours !== '' && readHours(hours) === undefined) {
    faults.add(
      'hours',
      'value_invalid',
      `hours must name days of the week and whole hours, each day once, such as ${HOURS_EXAMPLE}.`,
    );
  }
  if (typeof closed_days === 'string' && readClosedDays(closed_days) === undefined) {
    faults.add(
      'closed_days',
      'value_invalid',
      'closed_days must name at most 100 days, such as 12-25 for each year or 2026-11-27 for one.',
    );
  }
}

export const expectationOperations = [listExpectations, setExpectation, removeExpectation] as const;
