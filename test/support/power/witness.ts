/** What was answered and shown while a disk was recorded, and whether a service that starts on what it held still says so. */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { call } from '../cli-service.ts';
import type { Body } from '../service.ts';

/** One step of a record: what it is after a request that was sent and answered at these places. */
interface Step {
  readonly sent: number;
  readonly answered: number;
  readonly view: string;
}

/** A record that is not there: not yet, or no more. */
const ABSENT = 'absent';

interface Claim {
  readonly at: number;
  readonly says: string;
  check(found: Found): Promise<void> | void;
}

/** A service that runs on what a disk held. */
export interface Found {
  readonly held: string;
  readonly url: string;
  /** Whether the failure came after this place. */
  isAfter(at: number): boolean;
  get(path: string): Promise<{ readonly status: number; readonly body: Body }>;
  send(method: string, path: string, body?: object): Promise<Body>;
}

export interface Asked {
  readonly status: number;
  readonly body: Body;
  readonly sent: number;
  readonly answered: number;
}

/** The lists that are compared. */
const LISTS = ['/v1/locations', '/v1/events', '/v1/event_check_in_records'];

interface Shown {
  readonly at: number;
  readonly path: string;
  readonly view: string;
}

export class Witness {
  readonly #now: () => number;
  readonly #secret: string;
  readonly #steps = new Map<string, Step[]>();
  readonly #shown: Shown[] = [];
  readonly #changes: { readonly at: number; readonly text: string }[] = [];
  readonly #told: { readonly at: number; readonly id: string }[] = [];
  readonly #claims: Claim[] = [];
  readonly #ofFiles: Claim[] = [];
  /** Records that an erasure takes: what the log had of them goes. */
  readonly #erased = new Set<string>();
  #position: string | undefined;

  constructor(now: () => number, secret: string) {
    this.#now = now;
    this.#secret = secret;
  }

  /** Where the record is now. */
  get place(): number {
    return this.#now();
  }

  /** Where claims begin to hold: whoever fails the power then finds most. */
  get places(): readonly number[] {
    return [...this.#steps.values()]
      .flat()
      .map(({ answered }) => answered)
      .concat(
        this.#shown.map(({ at }) => at),
        [...this.#claims, ...this.#ofFiles].map(({ at }) => at),
        this.#changes.map(({ at }) => at),
        this.#told.map(({ at }) => at),
      );
  }

  async ask(
    url: string,
    method: string,
    path: string,
    body?: object | string,
    { headers = {}, as = this.#secret }: { headers?: Record<string, string>; as?: string } = {},
  ): Promise<Asked> {
    const sent = this.#now();
    const { status, text } = await call(url, as, path, body, { method, headers });
    assert.ok(status < 300, `${method} ${path}: ${status} ${text}`);
    return { status, body: JSON.parse(text), sent, answered: this.#now() };
  }

  /** What that answer says a record is now. */
  note(
    path: string,
    { sent, answered }: Pick<Asked, 'sent' | 'answered'>,
    view: Body | undefined,
  ): void {
    const steps = this.#steps.getOrInsertComputed(path, () => []);
    steps.push({ sent, answered, view: view === undefined ? ABSENT : viewOf(view) });
  }

  /** It is gone from this answer on, and what the log had of it may be, too. */
  noteErased(path: string, asked: Pick<Asked, 'sent' | 'answered'>): void {
    this.note(path, asked, undefined);
    this.#erased.add(path.split('/').at(-1) ?? '');
  }

  async upsert(url: string, path: string, body: object): Promise<string> {
    const asked = await this.ask(url, 'POST', `${path}/upsert`, body);
    const id = asked.body.unique_identifier;
    this.note(`${path}/${id}`, asked, asked.body);
    return id;
  }

  claim(says: string, check: Claim['check'], at = this.#now()): void {
    this.#claims.push({ at, says, check });
  }

  /** What is true of the files before anything is started on them. */
  claimFiles(says: string, check: (held: string) => Promise<void> | void, at = this.#now()): void {
    this.#ofFiles.push({ at, says, check: ({ held }) => check(held) });
  }

  told(id: string): void {
    this.#told.push({ at: this.#now(), id });
  }

  /** Reads lists and the log of changes until that signal, as others do meanwhile. */
  async watch(url: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      for (const list of LISTS) {
        const { data } = await this.#read(url, `${list}?limit=100`);
        const at = this.#now();
        for (const one of data)
          this.#shown.push({
            ...{ at, path: `${list}/${one.unique_identifier}`, view: viewOf(one) },
          });
      }
      await this.#follow(url);
      await pause(5);
    }
    await this.#follow(url);
  }

  async #follow(url: string): Promise<void> {
    const after = this.#position === undefined ? '' : `&starting_after=${this.#position}`;
    const { data, position } = await this.#read(url, `/v1/changes?limit=1000${after}`);
    const at = this.#now();
    for (const one of data) this.#changes.push({ at, text: textOf(one) });
    this.#position = position ?? this.#position;
  }

  async #read(url: string, path: string): Promise<Body> {
    const { status, text } = await call(url, this.#secret, path);
    assert.equal(status, 200, `${path}: ${text}`);
    return JSON.parse(text);
  }

  async #all(url: string, path: string): Promise<Body[]> {
    const all: Body[] = [];
    for (let after = ''; ; ) {
      const { data, has_more } = await this.#read(url, `${path}?limit=100${after}`);
      all.push(...data);
      if (!has_more) return all;
      after = `&starting_after=${data.at(-1)?.unique_identifier}`;
    }
  }

  /** Wants of the files that a disk held at that place what was claimed of them by then. */
  async checkFiles(at: number, held: string): Promise<number> {
    const claims = this.#ofFiles.filter((one) => one.at <= at);
    for (const { says, check } of claims) await named(says, async () => check({ held } as Found));
    return claims.length;
  }

  /** Wants of a service over what the disk held at that place that nothing answered is lost, and nothing shown vanishes. Gives how much was compared. */
  async check(at: number, held: string, url: string): Promise<number> {
    const views = new Map<string, string>();
    for (const list of LISTS)
      for (const one of await this.#all(url, list))
        views.set(`${list}/${one.unique_identifier}`, viewOf(one));
    let compared = 0;
    for (const [path, steps] of this.#steps) {
      const found = views.get(path) ?? ABSENT;
      const least = Math.max(
        steps.findLastIndex(({ answered }) => answered <= at),
        ...this.#shown
          .filter((one) => one.at <= at && one.path === path)
          .map(({ view }) => steps.findIndex((step) => step.view === view)),
      );
      const may = steps.filter(({ sent }, step) => step >= least && (step === least || sent <= at));
      const isThere = may.some(({ view }) => view === found) || (least < 0 && found === ABSENT);
      assert.ok(
        isThere,
        `${path} is ${found}, and was answered or shown as ${steps[least]?.view ?? ABSENT}`,
      );
      compared += 1;
    }
    const changes = (await this.#all(url, '/v1/changes')).map(textOf);
    const isKept = (text: string) => !this.#erased.has(JSON.parse(text)[1]);
    const shown = this.#changes.filter((one) => one.at <= at).map(({ text }) => text);
    const kept = changes.filter(isKept);
    assert.deepEqual(
      kept.slice(0, shown.filter(isKept).length),
      shown.filter(isKept),
      'the log of changes begins as it was shown',
    );
    const ids = new Set(changes.map((text) => JSON.parse(text)[0]));
    for (const { id } of this.#told.filter((one) => one.at <= at))
      assert.ok(ids.has(id), `a webhook told of ${id}, which the log does not have`);
    const ask = async (method: string, path: string, body?: object) => {
      const { status, text } = await call(url, this.#secret, path, body, { method });
      return { status, body: JSON.parse(text) };
    };
    const found: Found = {
      ...{ held, url, isAfter: (place) => place <= at, get: (path) => ask('GET', path) },
      send: async (...sent) => (await ask(...sent)).body,
    };
    for (const { says, check } of this.#claims.filter((one) => one.at <= at)) {
      await named(says, async () => check(found));
      compared += 1;
    }
    return compared + shown.length + this.#told.length;
  }
}

async function named(says: string, work: () => Promise<void>): Promise<void> {
  await work().catch((cause: Error) => {
    throw new Error(`${says}: ${cause.message}`, { cause });
  });
}

/** Lists call locations by what they are shown as. */
function viewOf({
  object: _,
  external_identifier,
  account_unique_identifier,
  location_name,
  ...one
}: Body) {
  if (one.event_unique_identifier ?? one.location_unique_identifier ?? one.event_name)
    return JSON.stringify({ external_identifier, ...one });
  const { unique_identifier, name = location_name, inserted_at, updated_at } = one;
  return JSON.stringify({ unique_identifier, name, inserted_at, updated_at });
}

function textOf({ unique_identifier, record, outcome, version }: Body): string {
  return JSON.stringify([unique_identifier, record, outcome, version]);
}
