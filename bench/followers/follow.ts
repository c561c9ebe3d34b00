/** Four ways to follow the log of changes: each goes on where it was when its process is killed. */
import { setTimeout as pause } from 'node:timers/promises';

export interface Change {
  readonly unique_identifier: string;
  readonly record: string;
  readonly version: number;
  readonly outcome: string;
}

export interface Follower {
  readonly name: string;
  /** Every change that it was given, in its order. */
  readonly identifiers: string[];
  /** When it was first given a version of a record: `evt_… 3`. */
  readonly received: ReadonlyMap<string, number>;
  /** Connections that ended before they should. */
  readonly cuts: () => number;
  /** Resolves when the signal is aborted and it has let go. */
  readonly end: Promise<void>;
}

export interface Following {
  /** The address of a process, another one each time. */
  readonly base: () => string;
  readonly authorization: string;
  /** The position to begin at. */
  readonly from: string;
  readonly signal: AbortSignal;
}

type Read = (
  answer: Response,
  give: (changes: readonly Change[]) => void,
) => Promise<string | undefined>;

/** How each asks, and reads what it is answered; a page gives the position to go on from. */
const WAYS: Readonly<
  Record<string, { readonly query: string; readonly accept: string; readonly read: Read }>
> = {
  'pages of 1,000': { query: '&limit=1000&wait=5', accept: 'application/json', read: readPage },
  'pages with records': {
    query: '&wait=5&expand[]=record',
    accept: 'application/json',
    read: readPage,
  },
  lines: { query: '', accept: 'application/x-ndjson', read: readLines },
  'server-sent events': { query: '', accept: 'text/event-stream', read: readEvents },
};

export function startFollowers(following: Following): readonly Follower[] {
  return Object.entries(WAYS).map(([name, way]) => {
    const identifiers: string[] = [];
    const received = new Map<string, number>();
    let cuts = 0;
    const run = async (): Promise<void> => {
      const { signal, authorization, base } = following;
      let position = following.from;
      while (!signal.aborted) {
        try {
          const answer = await fetch(
            `${base()}/v1/changes?starting_after=${position}${way.query}`,
            {
              headers: { Authorization: authorization, Accept: way.accept },
              signal,
            },
          );
          if (answer.status >= 500) throw new Error(`It answers ${answer.status}.`);
          if (!answer.ok) throw new Refused(`${name}: ${answer.status} ${await answer.text()}`);
          const newest = await way.read(answer, (changes) => {
            for (const change of changes) {
              identifiers.push(change.unique_identifier);
              const version = `${change.record} ${change.version}`;
              if (!received.has(version)) received.set(version, performance.now());
              position = change.unique_identifier;
            }
          });
          position = newest ?? position;
        } catch (error) {
          if (error instanceof Refused) throw error;
          if (signal.aborted) return;
          cuts += 1;
          await pause(50);
        }
      }
    };
    return { name, identifiers, received, cuts: () => cuts, end: run() };
  });
}

class Refused extends Error {}

async function readPage(answer: Response, give: (changes: readonly Change[]) => void) {
  const { data, position } = (await answer.json()) as { data: Change[]; position: string };
  give(data);
  return position;
}

async function readLines(answer: Response, give: (changes: readonly Change[]) => void) {
  for await (const line of pieces(answer, '\n')) {
    const read = JSON.parse(line) as Change & { readonly object: string };
    if (read.object === 'change') give([read]);
  }
  return undefined;
}

async function readEvents(answer: Response, give: (changes: readonly Change[]) => void) {
  for await (const event of pieces(answer, '\n\n')) {
    const data = /^data: (.*)$/m.exec(event)?.[1];
    if (data !== undefined && event.includes('event: change')) give([JSON.parse(data) as Change]);
  }
  return undefined;
}

/** What stands before each end; what has none was cut off. */
async function* pieces({ body }: Response, end: string): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of body as ReadableStream<Uint8Array>) {
    text += decoder.decode(bytes, { stream: true });
    const found = text.split(end);
    text = found.pop() ?? '';
    yield* found;
  }
}
