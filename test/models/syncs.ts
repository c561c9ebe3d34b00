/**
 * What syncs may remove, as a page of plain code: the cases of homes in their own system, and those that the store has.
 * What else syncs learn is a trouble more here, or a member of `Night`, and a line of `mayGo`.
 */

/** What befalls the rows of a home on their way. */
export const TROUBLES = [
  ...['none', 'number', 'cut line', 'slipped', 'not sent', 'refused', 'limited', 'broken off'],
  ...['sent again', 'empty', 'no home sent'],
] as const;

export type Trouble = (typeof TROUBLES)[number];

/** Troubles after which it is known what was sent. */
const GOOD: ReadonlySet<Trouble> = new Set(['none', 'sent again']);
/** Nothing tells that rows were not sent, but that nothing would be kept. */
const SILENT: ReadonlySet<Trouble> = new Set(['not sent', 'empty', 'no home sent']);
const LOSE_ALL: ReadonlySet<Trouble> = new Set([...SILENT, 'refused', 'limited']);

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

/** A home that has this many cases is asked about before all of them go. */
const ASKED = 3;
/** Homes with more than this many close some. */
const FEW = 4;

/** A group of homes. */
export class Homes {
  /** By home, the cases that its own system has, and those that the store has. */
  readonly own: Set<string>[];
  stored: readonly ReadonlySet<string>[];
  #made = 0;

  /** As many cases as are given for each. */
  constructor(cases: readonly number[]) {
    this.own = cases.map((many) => new Set(Array.from({ length: many }, () => this.#name())));
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

  /** How many rows of the home in trouble are taken. */
  #taken({ at, trouble }: Night): number {
    const sent = this.own[at]?.size ?? 0;
    if (GOOD.has(trouble)) return sent;
    if (LOSE_ALL.has(trouble)) return 0;
    return trouble === 'broken off' ? Math.floor(sent / 2) : sent - 1;
  }

  /** Whether the night is refused: nobody knows what its rows were, or a home, or all, would lose all that it has. */
  isRefused(night: Night): boolean {
    const { trouble, at, despite, whole } = night;
    if (GOOD.has(trouble)) return false;
    if (!SILENT.has(trouble) && !despite) return true;
    if (whole) return false;
    const taken = this.#taken(night);
    const others = this.own.reduce((sum, { size }, one) => sum + (one === at ? 0 : size), 0);
    const isNothing = taken + (trouble === 'no home sent' ? 0 : others) === 0;
    if (isNothing && this.stored.some(({ size }) => size > 0)) return true;
    return taken === 0 && (this.stored[at]?.size ?? 0) >= ASKED;
  }

  /** The cases of a home that may be gone after a night: nobody has them, or a person asked for it. */
  mayGo(home: number, night: Night): (name: string) => boolean {
    const isTroubled = home === night.at || night.trouble === 'no home sent';
    const isAsked = isTroubled && !this.isRefused(night) && !GOOD.has(night.trouble);
    return (name) => isAsked || this.own[home]?.has(name) === false;
  }
}
