/** The reference of errors: what each looks like, and every code of the catalogue. */

import { STATUS_CODES } from 'node:http';
import {
  ApiError,
  catalogue,
  type ErrorCode,
  type ErrorType,
  type FaultValues,
  isStaffCode,
  MAX_NAMED_FAULTS,
  typeOfStatus,
} from '../../src/core/errors.ts';
import { errorBody } from '../../src/edge/response/error-response.ts';
import { exampleOf } from '../openapi/errors.ts';
import { block, code, paragraphs, table } from './markdown.ts';

export function errorsMarkdown(): string {
  const entries = Object.entries(catalogue).map(
    ([name, entry]): ErrorEntry => ({
      code: name as ErrorCode,
      ...entry,
      message: exampleOf(name as ErrorCode).message,
    }),
  );
  const groups = groupsOf(entries.filter((entry) => !isStaffCode(entry.code)));
  const ofStaff = entries.filter((entry) => isStaffCode(entry.code));
  return paragraphs([
    '# Error codes',
    'What each code means, and what to do. [Errors and retries](errors-and-retries.md) says how a client handles errors, when it retries, and what is checked first.',
    '## The shape of an error',
    'Every error is JSON with the one member `error`:',
    block('json', JSON.stringify(JSON.parse(EXAMPLE), null, 2)),
    MEMBERS.map((member) => `- ${member}`).join('\n'),
    'A refused request has changed nothing. The parent is looked up only when the body has no fault, so a 404 may follow a 400 that you have fixed.',
    '## All codes',
    table(
      ['Status', 'Codes'],
      groups.map(({ title, entries: some }) => [
        title,
        some.map(({ code: name }) => `[${code(name)}](#${name})`).join(' '),
      ]),
    ),
    ...groups.flatMap(group),
    '### Codes of the console',
    'People who sign in at `/console` get these; a request with a key never does.',
    ...ofStaff.flatMap(entry),
  ]);
}

/** Made as a real answer is, so that it cannot say anything else. */
const EXAMPLE = errorBody(
  new ApiError([
    {
      param: 'person.full_name',
      code: 'parameter_missing',
      message:
        'person.full_name is missing, and it is required whenever person is sent (full name of the deceased person).',
    },
    {
      param: 'person.date_of_birth',
      code: 'date_not_real',
      message: 'person.date_of_birth is not a real calendar date; check its month and day.',
    },
  ]),
  'req_0350hLTg4Qw7ghih1EWE8L',
  'https://records.example.com/docs/errors#parameter_missing',
);

const MEMBERS = [
  '`type` is the kind of error, `code` which one it is. Both are stable: let your program look at them, never at a message.',
  '`message` says what was wrong and what to send instead. It is for people, and may be worded better one day.',
  '`values` has what the message says of your request, such as `{ "has": 612, "unit": "characters", "most": 500 }`: limits, and what arrived instead. Codes that have values say which.',
  '`param` is the dotted path of the field at fault, such as `image_urls.0` or `person.full_name`. It is left out if the whole request is at fault.',
  `\`errors\` has every fault, the first ${MAX_NAMED_FAULTS} of them in full; \`message\` says how many more there are. \`type\`, \`code\`, \`message\` and \`param\` above it are those of the first.`,
  '`request_id` is also in the header `Request-Id`. Give it to your operator when you ask about a request.',
  '`doc_url` leads to the code on this page. Where your operator has not set `PUBLIC_URL`, it may begin at the root: `/docs/errors#parameter_missing`.',
];

function group({ title, type, again, entries }: ErrorGroup): string[] {
  return [
    `### ${title}`,
    `${code(type)}. ${again ? 'Retry the same request.' : 'The same request would fail again: fix it first.'}`,
    ...entries.flatMap(entry),
  ];
}

function entry({ code: name, status, message, hint, values }: ErrorEntry): string[] {
  return [
    `#### ${code(name)}`,
    `Status ${status}, type ${code(typeOfStatus(status))}.`,
    `**What it means.** ${message}`,
    ...(values === undefined ? [] : [`**Values.** ${Object.keys(values).map(code).join(', ')}.`]),
    `**What to do.** ${hint}`,
  ];
}

interface ErrorEntry {
  readonly code: ErrorCode;
  readonly status: number;
  /** What it means. */
  readonly message: string;
  /** What to do about it. */
  readonly hint: string;
  /** An example of each value that it has. */
  readonly values?: FaultValues;
}

interface ErrorGroup {
  readonly status: number;
  /** Such as `400 Bad Request`. */
  readonly title: string;
  readonly type: ErrorType;
  /** Whether the very same request may succeed when it is sent again. */
  readonly again: boolean;
  readonly entries: readonly ErrorEntry[];
}

/** Statuses below 500 that say nothing against the request itself. */
const PASSING = new Set([408, 429]);

function groupsOf(entries: readonly ErrorEntry[]): readonly ErrorGroup[] {
  return Map.groupBy(entries, ({ status }) => status)
    .entries()
    .map(
      ([status, some]): ErrorGroup => ({
        status,
        title: `${status} ${STATUS_CODES[status]}`,
        type: typeOfStatus(status),
        again: status >= 500 || PASSING.has(status),
        entries: some,
      }),
    )
    .toArray()
    .sort((one, other) => one.status - other.status);
}
