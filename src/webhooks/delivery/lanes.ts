/** What is to be delivered, in a lane for each record: only the first of a lane is sent. */
import type { ChangeMark } from '../../store/log.ts';
import type { WebhookDelivery } from '../../store/webhooks.ts';
import type { FoundChange } from './source.ts';

export interface Task {
  readonly mark: ChangeMark;
  /** The change, if it was read just now; otherwise it is looked up. */
  readonly found: FoundChange | undefined;
  /** As it is, or will be, in the store. */
  delivery: WebhookDelivery;
  /** Whether the store has it, or is about to, so that the position may pass it. */
  isKept: boolean;
}

export class RecordLanes {
  readonly #lanes = new Map<string, Task[]>();
  readonly #changes = new Set<string>();

  get size(): number {
    return this.#changes.size;
  }

  has(change: string): boolean {
    return this.#changes.has(change);
  }

  add(task: Task): void {
    const { record, change } = task.delivery;
    this.#changes.add(change);
    const lane = this.#lanes.get(record);
    if (lane === undefined) this.#lanes.set(record, [task]);
    else lane.push(task);
  }

  /** All of a record, in their order. */
  of(record: string): readonly Task[] {
    return this.#lanes.get(record) ?? [];
  }

  /** The first of each lane. */
  *heads(): Iterable<Task> {
    for (const [head] of this.#lanes.values()) if (head !== undefined) yield head;
  }

  /** The first of its lane is finished: it is the next one's turn. */
  finish({ delivery: { record, change } }: Task): void {
    this.#changes.delete(change);
    const lane = this.#lanes.get(record);
    lane?.shift();
    if (lane?.length === 0) this.#lanes.delete(record);
  }
}
