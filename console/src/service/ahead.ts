/**
 * The first requests of the screen at an address. `early.ts` sends them before the page's script is there, and the
 * script takes the answers when it needs them.
 */
import { queryText } from '../../../client/src/query.ts';
import { resourceAt, shownWith } from '../records/description.ts';
import { pageParams } from '../screens/list/query.ts';
import { listsOf } from '../screens/today/lists.ts';
import { always } from '../stored.ts';
import { elapsed, serviceNow, timed } from './time.ts';

/** Names the person of a page in its requests, and the person of the session in their answers. */
const PERSON = 'Ledgerstone-Person';

/** Whose page this is, once that is known: from then on it does nothing as somebody else. */
let person: string | undefined;

export function pageIsOf(unique_identifier: string | undefined): void {
  person = unique_identifier;
}

/** Requests are sent with the session, and a header that no other site can send. */
export const BASE = `${location.origin}/console/api`;

export function send(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.delete('Authorization');
  headers.set('Ledgerstone-Console', '1');
  if (person !== undefined) headers.set(PERSON, person);
  const isAlone = (init.method ?? 'GET') === 'GET' && !isAtWork();
  if (isAlone) headers.set('Ledgerstone-Unattended', '1');
  const isOfPerson = !isAlone && !String(input).includes(FOLLOWED);
  if (isOfPerson) noteAsked();
  const answer = timed(() => fetch(input, { ...init, headers, credentials: 'same-origin' }));
  if ((init.method ?? 'GET') !== 'GET' && !READS.test(String(input))) {
    noteChanged();
    answer.then(noteChanged, noteChanged);
  }
  // The first answer says what time it is.
  if (isOfPerson) answer.then(noteAsked, () => undefined);
  return answer;
}

/** Requests by POST that only read: their bodies name people, which no address may. */
const READS = /\/(?:names|search)$/;
let changed = 0;

/** Something has changed, or may have: what was read before may be no longer so. */
export function noteChanged(): void {
  changed = elapsed();
}

export const lastChanged = (): number => changed;

/** The limit of what the client does not ask, which has its own. */
export const PATIENCE_MS = 30_000;

let isAsking = false;

/** Asks the service for the time, which keeps no session; once at a time. */
export function askTime(): void {
  if (isAsking) return;
  isAsking = true;
  const headers = { 'Ledgerstone-Console': '1' };
  const signal = AbortSignal.timeout(PATIENCE_MS);
  timed(() => fetch(WAYS_IN, { signal, headers, credentials: 'omit', cache: 'no-store' }))
    .catch(() => undefined)
    .finally(() => {
      isAsking = false;
    });
}

/** How long somebody is taken to be still at the page after they last did something. Later, what it asks by itself keeps no session. */
const AT_WORK_MS = 10 * 60_000;

/** When somebody last did something on the page, or opened it. */
let acted = serviceNow();

export function noteAct(): void {
  acted = serviceNow();
}

export const lastAct = (): number => acted;

export const isAtWork = (): boolean => Math.abs(serviceNow() - acted) < AT_WORK_MS;

/** What the page asks again and again keeps no session either. */
const FOLLOWED = '/v1/changes';
const ASKED = 'asked';
const NOTED_MS = 10_000;

function noteAsked(): void {
  const now = serviceNow();
  // What was noted by a clock that is ahead is no time to keep.
  if (Math.abs(now - lastAsked()) > NOTED_MS) always.set(ASKED, String(now));
}

/** When the session was last used, in any tab, by the service's clock. */
export function lastAsked(): number {
  return Number(always.get(ASKED) ?? 0);
}

type Answers = Map<string, Promise<Response>>;

declare global {
  var ledgerstoneAhead: Answers | undefined;
}

/** After this time, an answer may have become untrue. */
const FRESH_MS = 10_000;

/** What the sign-in begins with. */
const WAYS_IN = `${BASE}/sign_in`;
/** What `homes.ts` begins with. */
const HOMES = `${BASE}/v1/location_settings${queryText({ limit: 1000 })}`;

/** `path` is below `/console/`; `location` is the one that is looked at. */
export function requestAhead(
  path: string,
  query: URLSearchParams,
  location: string | undefined,
): void {
  const session = send(`${BASE}/session`);
  const answers: Answers = new Map([[`${BASE}/session`, session]]);
  // Without a session only one request is refused: the rest are sent after sign-in.
  session.then(
    (found) => {
      if (!found.ok) return;
      pageIsOf(found.headers.get(PERSON) ?? undefined);
      // Not before: which days they name, that answer says.
      for (const url of [HOMES, ...urlsOf(path, query, location)]) {
        const answer = send(url);
        // Its reader gets the error.
        answer.catch(() => undefined);
        answers.set(url, answer);
      }
    },
    () => undefined,
  );
  // Ask now how people sign in, so that it is known when the form is drawn.
  const ways = session.then((found) => {
    if (!found.ok) return send(WAYS_IN);
    answers.delete(WAYS_IN);
    return found;
  });
  ways.catch(() => undefined);
  answers.set(WAYS_IN, ways);
  globalThis.ledgerstoneAhead = answers;
}

function urlsOf(path: string, query: URLSearchParams, location: string | undefined) {
  if (path === '')
    return listsOf(location).map(([name, params]) => `${BASE}/v1/${name}${queryText(params)}`);
  const [first = '', id = '', ...beyond] = path.split('/');
  const resource = resourceAt(first);
  if (resource === undefined || beyond.length > 0) return [];
  const { path: name } = resource;
  if (id === '') return [`${BASE}/v1/${name}${queryText(pageParams(resource, query))}`];
  const expand = queryText({ expand: shownWith(resource) });
  const own = `${BASE}/v1/${name}/${encodeURIComponent(id)}`;
  const tab = query.get('tab');
  return [
    `${own}${expand}`,
    ...(tab === 'history' ? [`${own}/history${queryText({ limit: HISTORY_PAGE })}`] : []),
    ...(tab === 'json' ? [own] : []),
  ];
}

/** Changes on a page of a record's history. */
export const HISTORY_PAGE = 30;

/** Each answer is taken once. */
export function takeAhead(url: string): Promise<Response> | undefined {
  const answers = globalThis.ledgerstoneAhead;
  const answer = elapsed() < FRESH_MS ? answers?.get(url) : undefined;
  answers?.delete(url);
  return answer;
}
