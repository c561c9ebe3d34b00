/** Load on a service from many connections, and what was answered before it ended. */
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { connect, type Received } from './cli-request.ts';

const CONNECTIONS = 16;
/** So many patches in a row go to one record: together they must stay within its limit. */
const IN_A_ROW = 50;

export interface Load {
  readonly url: string;
  readonly secret: string;
  /** Unique identifier of the location that all records belong to. */
  readonly location: string;
  /** Tells apart the records of one load from those of another. */
  readonly name: string;
}

export type RunningLoad = ReturnType<typeof startLoad>;

/**
 * Makes records of their own and patches shared ones, each patch with a key
 * of its own, on every connection until it is stopped or the service is gone.
 */
export function startLoad({ url, secret, location, name }: Load) {
  const connections = connect(url, secret, CONNECTIONS);
  const progress = new EventEmitter();
  const made: { body: object; text: string }[] = [];
  const patched = new Map<string, string[]>();
  const refused = new Set<number>();
  let answers = 0;
  let working = CONNECTIONS;
  let stopped = false;
  const work = async (worker: number): Promise<void> => {
    for (let count = 0; !stopped; count++) {
      const key = `${name}-${worker}-${count}`;
      const shared = `${name}-shared-${Math.floor(count / IN_A_ROW)}`;
      const body = arrangement(location, count % 2 === 0 ? key : shared, { [key]: count });
      let answer: Received;
      try {
        answer = await connections.upsert(ARRANGEMENTS, body);
      } catch {
        return;
      }
      if (answer.status !== 200) refused.add(answer.status);
      else if (count % 2 === 0) made.push({ body, text: answer.text });
      else patched.set(shared, [...(patched.get(shared) ?? []), key]);
      answers += 1;
      progress.emit('progress');
    }
  };
  const leave = (): void => {
    working -= 1;
    progress.emit('progress');
  };
  const workers = Array.from({ length: CONNECTIONS }, (_, worker) => work(worker).finally(leave));
  return {
    /** Resolves when so many upserts were answered, while the load goes on; rejects when it ends before. */
    async reached(count: number): Promise<void> {
      while (answers < count) {
        if (working === 0) throw new Error(`The load has ended after ${answers} answers.`);
        await once(progress, 'progress');
      }
    },
    /**
     * Lets it end with what is under way, and wants every upsert that was answered 200 to be there, and whole, at
     * that process; the others were refused with one of those statuses.
     */
    async wantKept(at = url, refusals: readonly number[] = [503]): Promise<void> {
      stopped = true;
      await Promise.all(workers);
      connections.close();
      assert.deepEqual(new Set([...refusals, ...refused]), new Set(refusals));
      const again = connect(at, secret, CONNECTIONS);
      const repeat = async ({ body, text }: { body: object; text: string }) => {
        const answer = await again.upsert(ARRANGEMENTS, body);
        assert.equal(answer.headers['ledgerstone-outcome'], 'unchanged');
        assert.equal(answer.text, text, 'to the letter what was answered before');
      };
      await Promise.all(made.map(repeat));
      for (const [external_identifier, keys] of patched) {
        const answer = await again.upsert(ARRANGEMENTS, arrangement(location, external_identifier));
        assert.equal(answer.headers['ledgerstone-outcome'], 'unchanged');
        const { additional_data } = JSON.parse(answer.text) as { additional_data: object };
        for (const key of keys) assert.ok(Object.hasOwn(additional_data, key), `${key} was lost`);
      }
      again.close();
    },
  };
}

export const ARRANGEMENTS = '/v1/online_arrangements/upsert';

/** An upsert of an online arrangement that merges `additional_data` into it. */
export function arrangement(
  location_unique_identifier: string,
  external_identifier: string,
  additional_data?: object,
): object {
  return {
    location_unique_identifier,
    external_identifier,
    person_full_name: 'Name of a person',
    person_phone_number: '+14155550123',
    cart_summary: 'Cremation; urn; two certificates',
    ...(additional_data === undefined ? {} : { additional_data }),
  };
}
