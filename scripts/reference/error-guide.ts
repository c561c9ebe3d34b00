/** What there is to know about errors before one looks up a code: the text of the reference, in inline Markdown. */
import { ApiError, catalogue, MAX_NAMED_FAULTS, UNSURE } from '../../src/errors.ts';
import { errorBody } from '../../src/http/error-response.ts';

export interface GuideSection {
  readonly id: string;
  readonly title: string;
  readonly blocks: readonly GuideBlock[];
}

export type GuideBlock =
  | { readonly text: string }
  | { readonly code: string }
  | { readonly points: readonly string[] };

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
      code: 'date_invalid',
      message: 'person.date_of_birth is not a real calendar date; check its month and day.',
    },
  ]),
  'req_0350hLTg4Qw7ghih1EWE8L',
  (code) => `https://records.example.com/docs/errors#${code}`,
);

export const errorGuide: readonly GuideSection[] = [
  {
    id: 'shape',
    title: 'The shape of an error',
    blocks: [
      {
        text: 'Every error is answered as JSON with the one member `error`:',
      },
      { code: JSON.stringify(JSON.parse(EXAMPLE), null, 2) },
      {
        points: [
          '`type` tells the kind of error, `code` which one it is. Both are stable: let your code look at them, never at a message.',
          '`message` says in words what was wrong and what to send instead. It is for people, and it may be worded better one day.',
          '`param` is the dotted path of the field at fault, such as `image_urls.0` or `person.full_name`. It is left out where the whole request is meant.',
          '`errors` lists every fault with its own `param`, `code` and `message`.',
          '`request_id` is the same as in the header `Request-Id`. Name it when you ask the operator about a request.',
          '`doc_url` leads to the code on this page.',
        ],
      },
    ],
  },
  {
    id: 'all-faults',
    title: 'All faults at once',
    blocks: [
      {
        text: `One answer names every fault of a body in \`errors\`, the first ${MAX_NAMED_FAULTS} of them in full, and \`message\` says how many more there are. \`type\`, \`code\`, \`message\` and \`param\` of the error itself are those of the first fault. So a form can be mended in one go.`,
      },
      {
        text: 'Nothing of a refused request is stored. The parent record is looked up only when the body has no fault, so a 404 may follow a 400 that you have mended.',
      },
    ],
  },
  {
    id: 'order',
    title: 'What is checked first',
    blocks: [
      {
        text: 'The key (401), what it may send (429), the path and the method (404, 405), the permission (403), size and media type of the body (413, 415), everything that the request says (400), and then the parent record (404) and the limits of the key (403).',
      },
    ],
  },
  {
    id: 'retries',
    title: 'Sending a request again',
    blocks: [
      {
        points: [
          'Upserts may be repeated safely: the same body once more changes nothing and answers 200 with `Ledgerstone-Outcome: unchanged`.',
          'Send the request again after `408`, `429`, `500`, `503` and after a connection that broke. Wait as many seconds as `Retry-After` says; without it wait a second, then double the wait each time, with some randomness.',
          'After any other `4xx` the same request fails again: mend it first.',
        ],
      },
      {
        text: `A 503 means that nothing was saved: “${catalogue.service_unavailable.message}” Where nobody can tell, after a failed disk or a lost connection to the database, the message says that instead: “${UNSURE}” Send the request again in both cases.`,
      },
    ],
  },
];
