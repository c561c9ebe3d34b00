/** Guesses of paths, as other services call them, and the request that does it here. `*` is the path of the resource. */

const ONE = '/v1/*/:unique_identifier';

/** By the word at the end: the requests that may be meant; the first is taken that is there and has the method that was sent, or else the first that is there. */
const GUESSES: readonly (readonly [words: string, ...requests: string[]])[] = [
  ['search find query lookup', 'GET /v1/search', 'POST /v1/search'],
  ['list all index filter count total export download csv', 'GET /v1/*'],
  ['changes updates stream feed watch', 'GET /v1/changes'],
  ['create new add update save insert', 'POST /v1/*/upsert', 'POST /v1/*'],
  ['batch bulk many import upload', 'POST /v1/*/upsert_many'],
  ['delete remove destroy', `DELETE ${ONE}`],
  ['history versions revisions', `GET ${ONE}/history`],
  ['whoami self user auth token login', 'GET /v1/me'],
  ['health healthcheck ping status live', 'GET /healthz'],
  ['ready', 'GET /readyz'],
  ['openapi swagger api-docs schema spec', 'GET /openapi.json'],
];

const BY_WORD = new Map(
  GUESSES.flatMap(([words, ...requests]) => words.split(' ').map((word) => [word, requests])),
);

/** Whether the last segment of a path is such a word, and so no identifier. */
export function isGuess(path: string): boolean {
  return BY_WORD.has(wordOf(path));
}

/** The request that a guessed path means: `GET /v1/search`; `undefined` where it is no guess, or nothing here does it. */
export function guessed(
  method: string,
  path: string,
  isTaken: (method: string, path: string) => boolean,
): string | undefined {
  const resource =
    path
      .split('/')
      .filter((segment) => segment !== '')
      .at(-2) ?? '';
  const meant = (BY_WORD.get(wordOf(path)) ?? [])
    .map((request) => request.replace('*', resource))
    .filter((request) => {
      const [how = '', where = ''] = request.split(' ');
      return isTaken(how, where);
    });
  return meant.find((request) => request.startsWith(`${method} `)) ?? meant[0];
}

/** `openapi.yaml` is `openapi`. */
function wordOf(path: string): string {
  const last = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return last.replace(/\.(?:json|ya?ml|html?|php|aspx?)$/, '');
}
