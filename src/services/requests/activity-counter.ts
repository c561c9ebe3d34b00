/** Counts activity by hour, key, place, resource and outcome, until it is written to the store. */
import type { Activity } from '../../store/promises/requests.ts';

const HOUR_MS = 3_600_000;
/** The most separate counts, some MiB. Beyond them new ones are counted without their place, and then not at all. */
const MAX_COUNTS = 20_000;
const MAX_PLACELESS = 22_000;

/** The key of a count. */
export type CountKey = Pick<Activity, 'account' | 'key' | 'anchor' | 'resource' | 'outcome'>;

type Count = { -readonly [member in keyof Activity]: Activity[member] };

export class ActivityCounter {
  #counts = new Map<string, Count>();
  /** The last count of each key, by outcome: most requests add to the same one, and need no lookup by name. */
  #last = new Map<string, Map<string, Count>>();

  get size(): number {
    return this.#counts.size;
  }

  add(what: CountKey, count: number, time: number): void {
    const hour = Math.floor(time / HOUR_MS) * HOUR_MS;
    const last = this.#last.get(what.key)?.get(what.outcome);
    if (
      last?.hour === hour &&
      last.account === what.account &&
      last.anchor === what.anchor &&
      last.resource === what.resource
    ) {
      raise(last, count, time);
      return;
    }
    this.#add({ ...what, hour, count, last_at: time });
  }

  /** Takes all counts so far. */
  take(): Activity[] {
    const taken = [...this.#counts.values()];
    this.#counts = new Map();
    this.#last = new Map();
    return taken;
  }

  /** Puts back counts that could not be written. */
  putBack(activity: readonly Activity[]): void {
    for (const one of activity) this.#add(one);
  }

  #add(one: Activity): void {
    const { hour, account, key, anchor, resource, outcome, count, last_at } = one;
    const name = `${hour} ${account} ${key} ${anchor} ${resource} ${outcome}`;
    const found = this.#counts.get(name);
    if (found !== undefined) {
      raise(found, count, last_at);
      this.#remember(found);
    } else if (
      this.#counts.size < MAX_COUNTS ||
      (anchor === '' && this.#counts.size < MAX_PLACELESS)
    ) {
      const made = { hour, account, key, anchor, resource, outcome, count, last_at };
      this.#counts.set(name, made);
      this.#remember(made);
    } else if (anchor !== '') {
      this.#add({ ...one, anchor: '' });
    }
  }

  #remember(one: Count): void {
    this.#last.getOrInsertComputed(one.key, () => new Map()).set(one.outcome, one);
  }
}

function raise(counted: Count, count: number, time: number): void {
  counted.count += count;
  if (time > counted.last_at) counted.last_at = time;
}
