/** The end of a program's work, after which nothing that is still looked at keeps it from ending. */

const heard = new Set<() => void>();
let isOver = false;

export const atOver = (then: () => void): void => void heard.add(then);

export const isAllOver = (): boolean => isOver;

/** Tells all who have asked. */
export function allIsOver(): void {
  isOver = true;
  for (const then of heard) then();
}
