/** Clients of one account that note what they send and what they are answered, while the service is killed. */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { arrangement } from '../cli-load.ts';
import { call } from '../cli-service.ts';
import type { Act, Logged } from './order.ts';

const CLIENTS = 8;
const FOLLOWERS = 2;
/** So few that most requests meet others about the same one. */
const RECORDS = 12;
const PATH = '/v1/online_arrangements';
/** A service that is being started takes longer than this to listen. */
const AGAIN_MS = 20;

interface Ground {
  /** Of the processes; each request goes to one of them. */
  readonly urls: readonly string[];
  readonly secret: string;
  readonly location: string;
  readonly random: (below: number) => number;
}

interface Shown {
  readonly unique_identifier: string;
  readonly cart_summary: string;
}

/** Begins at once. What they have noted is complete once they were stopped. */
export function startClients({ urls, secret, location, random }: Ground) {
  const acts: Act[] = [];
  const known = new Map<string, string>();
  let stopped = false;
  /** Nothing is written any more. */
  let quiet = false;
  let left = false;
  let marks = 0;

  const ask = async (path: string, body?: object, method?: string) => {
    const began = performance.now();
    const url = urls[random(urls.length)] ?? '';
    const answer = await call(url, secret, path, body, { method }).catch(() => undefined);
    // Whether it was done is open.
    if (answer === undefined || answer.status >= 500) {
      await pause(AGAIN_MS);
      return { began, ended: Number.POSITIVE_INFINITY };
    }
    return { began, ended: performance.now(), answer };
  };

  const draft = () => {
    const name = `record ${random(RECORDS)}`;
    marks += 1;
    const mark = `mark ${marks}`;
    return { mark, name, body: { ...arrangement(location, name), cart_summary: mark } };
  };
  const write = async (): Promise<void> => {
    const { mark, name, body } = draft();
    const { answer, ...asked } = await ask(`${PATH}/upsert`, body);
    const { unique_identifier: record } = answer ? JSON.parse(answer.text) : {};
    if (answer !== undefined) {
      assert.equal(answer.status, 200, answer.text);
      known.set(name, record);
    }
    acts.push({ does: 'write', ...asked, mark });
  };
  const writeWhole = async (): Promise<void> => {
    const drafts = Array.from({ length: 3 }, draft);
    const names = new Set(drafts.map(({ name }) => name));
    if (names.size < drafts.length) return write();
    const rows = drafts.map(({ body }) => body);
    const { answer, ...asked } = await ask(`${PATH}/upsert_many?atomic=true`, rows);
    if (answer !== undefined) assert.equal(answer.status, 200, answer.text);
    acts.push({ does: 'write whole', ...asked, marks: drafts.map(({ mark }) => mark) });
  };
  const someRecord = (): string | undefined => [...known.values()][random(known.size || 1)];
  const read = async (): Promise<void> => {
    const record = someRecord();
    if (record === undefined) return;
    const { answer, ...asked } = await ask(`${PATH}/${record}`);
    if (answer === undefined) return;
    assert.ok([200, 404].includes(answer.status), answer.text);
    const { cart_summary: mark } = JSON.parse(answer.text) as Shown;
    acts.push({ does: 'read', ...asked, record, ...(answer.status === 200 && { mark }) });
  };
  const list = async (): Promise<void> => {
    const { answer, ...asked } = await ask(`${PATH}?limit=100`);
    if (answer === undefined) return;
    const { data, has_more } = JSON.parse(answer.text);
    assert.equal(has_more, false);
    const all = (data as readonly Shown[]).map((one) => [one.unique_identifier, one.cart_summary]);
    acts.push({ does: 'list', ...asked, marks: new Map(all as [string, string][]) });
  };
  const remove = async (): Promise<void> => {
    const record = someRecord();
    if (record === undefined) return;
    const { answer, ...asked } = await ask(`${PATH}/${record}`, undefined, 'DELETE');
    if (answer !== undefined && answer.status === 404)
      acts.push({ does: 'read', ...asked, record });
    else {
      if (answer !== undefined) assert.ok(answer.status < 300, answer.text);
      acts.push({ does: 'remove', ...asked, record });
    }
  };

  const OFTEN = [write, write, write, write, write, writeWhole, read, read, list, list];
  const client = async (): Promise<void> => {
    while (!stopped) await (random(25) === 0 ? remove : (OFTEN[random(OFTEN.length)] ?? read))();
  };
  const follower = async (by: number): Promise<void> => {
    let position: string | null = null;
    for (let last = false; !last && !left; ) {
      // Once nothing is written any more, it reads to the end.
      last = quiet;
      const after: string = position === null ? '' : `&starting_after=${position}`;
      const path: string = `/v1/changes?resource[]=online_arrangement&limit=50${after}`;
      const { answer, ...asked } = await ask(`${path}${last ? '' : '&wait=1'}`);
      last &&= answer !== undefined;
      if (answer === undefined) continue;
      assert.equal(answer.status, 200, answer.text);
      const page = JSON.parse(answer.text);
      position = page.position;
      acts.push({ does: 'follow', ...asked, by, changes: page.data, isLast: !page.has_more });
      last &&= !page.has_more;
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);
  const followers = Array.from({ length: FOLLOWERS }, (_, by) => follower(by));
  const over = Promise.all(clients);
  over.catch(() => {});

  return {
    /**
     * Lets them end, and gives what they noted. `settled` resolves when nothing is written any more: what a killed
     * process had sent its server may be done later.
     */
    async stop(settled: () => Promise<unknown> = async () => {}): Promise<readonly Act[]> {
      stopped = true;
      await over;
      await settled();
      quiet = true;
      await Promise.all(followers);
      return acts;
    },
    /** Lets them end, wherever they are. */
    leave(): void {
      stopped = true;
      quiet = true;
      left = true;
    },
    /** How many were answered by now. */
    answered: () => acts.filter(({ ended }) => ended !== Number.POSITIVE_INFINITY).length,
  };
}

/** The log of the account from its beginning, with what each write had sent. */
export async function logOf(url: string, secret: string): Promise<readonly Logged[]> {
  const ask = async (path: string) => {
    const { status, text } = await call(url, secret, path);
    assert.equal(status, 200, text);
    return JSON.parse(text);
  };
  const log: Logged[] = [];
  for (let after = '', more = true; more; ) {
    const page = await ask(`/v1/changes?resource[]=online_arrangement&limit=1000${after}`);
    log.push(...page.data);
    after = `&starting_after=${page.position}`;
    more = page.has_more;
  }
  const marks = new Map<string, string>();
  for (const record of new Set(log.map((one) => one.record)))
    for (let after = '', more = true; more; ) {
      const page = await ask(`${PATH}/${record}/history?limit=100${after}`);
      for (const { version, changes } of page.data) {
        const sent = changes?.find(({ member }: { member: string }) => member === 'cart_summary');
        if (sent?.after) marks.set(`${record} ${version}`, sent.after);
      }
      after = `&starting_after=${page.data.at(-1)?.unique_identifier}`;
      more = page.has_more;
    }
  return log.map(({ record, version, outcome }) => {
    const mark = marks.get(`${record} ${version}`);
    return { record, version, outcome, ...(mark !== undefined && { mark }) };
  });
}
