/** Changes that were read and that the position has not passed, in the order of the log. */
import type { ChangeMark } from '../../store/log.ts';
import type { Task } from './lanes.ts';

export class Window {
  readonly #entries: { readonly mark: ChangeMark; readonly task: Task | undefined }[] = [];

  get size(): number {
    return this.#entries.length;
  }

  /** `task` is `undefined` where the endpoint is not told of it. */
  push(mark: ChangeMark, task: Task | undefined): void {
    this.#entries.push({ mark, task });
  }

  /** How far the position may go: up to the first that is not kept. `undefined`: no further. */
  pass(): ChangeMark | undefined {
    const left = this.#entries.findIndex(({ task }) => task !== undefined && !task.isKept);
    const passed = this.#entries.splice(0, left < 0 ? this.#entries.length : left);
    return passed.at(-1)?.mark;
  }
}
