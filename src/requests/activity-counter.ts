/** Counts what is done, by hour, key, place, resource and outcome, until it is written down. */
import type { Activity } from '../store/requests.ts';

const HOUR_MS = 3_600_000;
/** Counts kept apart, some MiB. Beyond them what is new is counted without its place, and then not at all. */
const MAX_COUNTS = 20_000;
const MAX_PLACELESS = 22_000;

/** What is counted together. */
export type Counted = Pick<Activity, 'account' | 'key' | 'anchor' | 'resource' | 'outcome'>;

type Count = { -readonly [member in keyof Activity]: Activity[member] };

export class ActivityCounter {
  #counts = new Map<string, Count>();

  get size(): number {
    return this.#counts.size;
  }

  add(what: Counted, count: number, time: number): void {
    this.#add({ ...what, hour: Math.floor(time / HOUR_MS) * HOUR_MS, count, last_at: time });
  }

  /** Everything so far, which is forgotten here. */
  take(): Activity[] {
    const taken = [...this.#counts.values()];
    this.#counts = new Map();
    return taken;
  }

  /** Counts again what could not be written down. */
  putBack(activity: readonly Activity[]): void {
    for (const one of activity) this.#add(one);
  }

  #add(one: Activity): void {
    const { hour, account, key, anchor, resource, outcome, count, last_at } = one;
    const name = `${hour} ${account} ${key} ${anchor} ${resource} ${outcome}`;
    const found = this.#counts.get(name);
    if (found !== undefined) {
      found.count += count;
      if (last_at > found.last_at) found.last_at = last_at;
    } else if (
      this.#counts.size < MAX_COUNTS ||
      (anchor === '' && this.#counts.size < MAX_PLACELESS)
    ) {
      this.#counts.set(name, { hour, account, key, anchor, resource, outcome, count, last_at });
    } else if (anchor !== '') {
      this.#add({ ...one, anchor: '' });
    }
  }
}
