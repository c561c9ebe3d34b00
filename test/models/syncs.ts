/**
 * What syncs may remove, as a page of plain code: the cases of homes in their own system, and those that the store has.
 * What else syncs learn is a trouble more here, or a member of `Night`, and a line of `mayGo`.
 */

/** What befalls the rows of a home on their way. */
export const TROUBLES = [
  ...['none', 'number', 'cut line', 'slipped', 'not sent', 'refused', 'limited', 'broken off'],
  ...['sent again', 'empty'],
] as const;

export type Trouble = (typeof TROUBLES)[number];

/** Troubles after which it is known what was sent. */
const GOOD: ReadonlySet<Trouble> = new Set(['none', 'sent again']);

export interface Night {
  /** Homes that close their oldest case, and that open one. */
  readonly closes: readonly number[];
  readonly opens: readonly number[];
  /** The home whose rows are in trouble. */
  readonly at: number;
  readonly trouble: Trouble;
  /** Whether it is finished in spite of doubts, and of the guard. */
  readonly despite: boolean;
  readonly whole: boolean;
  /** Whether it is looked at first, and undone after it. */
  readonly rehearsed: boolean;
  readonly undone: boolean;
}

/** Homes that keep this many cases are asked about before the last of them goes. */
const FEW = 4;

/** A group of homes. */
export class Homes {
  /** By home, the cases that its own system has, and those that the store has. */
  readonly own: Set<string>[];
  stored: readonly ReadonlySet<string>[];
  #made = 0;

  constructor(homes: number, cases: number) {
    this.own = Array.from({ length: homes }, () => new Set<string>());
    for (const home of this.own) while (home.size < cases) home.add(this.#name());
    this.stored = this.own.map(() => new Set());
  }

  #name(): string {
    this.#made += 1;
    return `case ${this.#made}`;
  }

  /** A day in the systems. */
  pass({ closes, opens }: Pick<Night, 'closes' | 'opens'>): void {
    for (const at of closes) {
      const home = this.own[at];
      const [oldest] = home ?? [];
      if (home !== undefined && oldest !== undefined && home.size > FEW) home.delete(oldest);
    }
    for (const at of opens) this.own[at]?.add(this.#name());
  }

  /** Whether the night is refused: nobody knows what its rows were, or a home would lose all that it has. */
  isRefused({ trouble, at, despite, whole }: Night): boolean {
    if (GOOD.has(trouble)) return false;
    const had = this.stored[at] ?? new Set();
    // Nothing tells that the rows of a home were not sent, but that it would keep none.
    const keepsNone = had.size >= FEW - 1;
    if (trouble === 'not sent' || trouble === 'empty') return keepsNone && !whole;
    if (!despite) return true;
    // Of the others, some rows were taken.
    const isNothing = trouble === 'refused' || trouble === 'limited';
    return isNothing && keepsNone && !whole;
  }

  /** The cases of a home that may be gone after a night: nobody has them, or a person asked for it. */
  mayGo(home: number, night: Night): (name: string) => boolean {
    const isAsked = home === night.at && !this.isRefused(night) && !GOOD.has(night.trouble);
    return (name) => isAsked || this.own[home]?.has(name) === false;
  }
}
