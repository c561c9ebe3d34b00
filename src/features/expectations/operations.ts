/** The operations on expectations: what is to come from sources, and whether it does. */
import type { Faults } from '../../core/errors.ts';
import { choice, optional, required, text, wholeNumber } from '../../core/schema/fields/index.ts';
import type { Members } from '../../core/schema/fields/members.ts';
import {
  HOURS_EXAMPLE,
  readClosedDays,
  readHours,
} from '../../core/schema/present/expected-hours.ts';
import type { JsonObject } from '../../core/schema/values.ts';
import type { Operation } from '../../edge/operations/operation.ts';
import { operationsOn } from '../../edge/operations/own.ts';
import { SOURCES_RIGHT } from '../../services/sources/sources.ts';
import { EVERY, EXPECTATION_STATES, expectation } from './declares.ts';

export const tag = {
  name: 'Expectations',
  description: 'What is to come from sources, and whether it does.',
};

export const takes = ['query'] as const;

const MAX_SILENT_AFTER = 100;
const MAX_TEXT = 2000;

const on = operationsOn(expectation, {
  tag: tag.name,
  needs: { permission: 'write', right: SOURCES_RIGHT, whole: true },
  refusesIdempotencyKey:
    'Expectations take no Idempotency-Key: send the request without it. It may be repeated.',
});

const NEEDS = 'Needs a key of the whole account with the right `sources`.';

const filters = {
  account: optional(text({}), 'Only those of this account'),
  source: optional(text({}), 'Only those of this source, by its unique_identifier'),
  location: optional(text({}), 'Only those at this location, by its unique_identifier'),
  region: optional(text({ max: 120 }), 'Only those at locations of this region'),
  state: optional(choice(...EXPECTATION_STATES), 'Only those in this state'),
  status: optional(choice('learned', 'confirmed', 'off'), 'Only those with this status'),
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

export const operations = (): readonly Operation[] => [
  on.list({
    needs: { right: 'requests', whole: true },
    description:
      'Lists how often records are expected from each source at each location, and whether they arrive. Expectations are learned from the activity of six weeks and apply at once; they can be confirmed, changed or turned off. States are updated once a minute. Needs a key with the right `requests` that is not limited to locations.',
    query: filters,
    limit: 1000,
    errors: ['resource_missing', 'value_invalid'],
    find: ({ expectations, locationsIn, reads }, { caller }, { location, region, ...query }) =>
      reads.run(caller.key, async () => {
        const locations = await locationsIn(caller.scope, location, region);
        return expectations.list(caller, { ...query, locations });
      }),
  }),
  on.create({
    name: 'set_expectation',
    command: 'set <source>',
    audits: 'administer',
    summary: 'Set an expectation',
    description: `Sets how often records are expected from a source at a location. Without \`hours\` it confirms the learned ones. Missing records are counted from then on. ${NEEDS}`,
    body,
    check: checkNotation,
    errors: ['resource_missing', 'value_invalid', 'parameter_missing'],
    run: ({ expectations }, { caller, params }) => expectations.set(caller, params()),
  }),
  on.remove({
    name: 'remove_expectation',
    audits: 'administer',
    summary: 'Forget an expectation',
    description: `Forgets it. If the source is regular, it is learned again within a day: to expect nothing, set its status to \`off\`. ${NEEDS}`,
    errors: ['resource_missing', 'value_invalid'],
    run: ({ expectations }, { caller, id }) => expectations.remove(caller, id),
  }),
];

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
