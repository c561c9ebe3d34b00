/**
 * What a store does with services and visitors, as a page of plain code: records, erasures, holds, retention, syncs,
 * undoing, and a restore.
 */

/** A record that was made: one service, or one visitor of a service. */
export interface Known {
  readonly id: string;
  /** `case 1`, or `case 1/visitor 2`: what is known again when it is sent again. */
  readonly key: string;
  parent: Known | undefined;
  readonly madeBy: Sender;
  name: string;
  changedBy: Sender;
  state: 'there' | 'removed' | 'erased';
  /** An erased service that visitors belonged to. */
  isSealed: boolean;
  /** Whether a retention rule removes its visitors. */
  readonly isOld: boolean;
}

/** The service of years ago. */
export const OLD = 'case 2';

export type Sender = 'county' | 'tablet';

interface Hold {
  readonly id: string;
  /** `undefined`: the whole account. */
  readonly on: Known | undefined;
}

export interface Removal {
  readonly id: string;
  /** A removal by a `DELETE`, or by a sync. */
  readonly by: 'removals' | 'syncs';
  readonly of: readonly Known[];
  /** A sync is undone once: what could not come back then stays away. */
  isUndone?: boolean;
}

export class House {
  known: Known[] = [];
  holds: Hold[] = [];
  removals: Removal[] = [];
  /** Erasures that wait for a hold, by their identifiers. */
  waiting = new Map<string, Known>();
  /** Records that are refused when they are sent again, with the erasure. */
  erased: { erasure: string; one: Known }[] = [];
  /** The last retention rule for visitors of old services: it runs once, and refuses new ones while it is enabled. */
  rule: { readonly id: string; isEnabled: boolean } | undefined;
  /** Erased and lifted records, in the order in which that was done. */
  journal: { does: 'erased' | 'lifted'; erasure: string; one: Known }[] = [];

  there(is: (one: Known) => boolean = () => true): readonly Known[] {
    return this.known.filter((one) => one.state === 'there' && is(one));
  }

  below(parent: Known): readonly Known[] {
    return this.there((one) => one.parent === parent);
  }

  /** The record that an upsert would change. */
  named(key: string, parent: Known | undefined): Known | undefined {
    return this.there((one) => one.key === key && one.parent === parent && !one.isSealed)[0];
  }

  isRefused(key: string): boolean {
    return this.erased.some(({ one }) => one.key === key);
  }

  isHeld(one: Known): boolean {
    return this.holds.some(({ on }) => on === undefined || on === one || on === one.parent);
  }

  isHeldBelow(one: Known): boolean {
    return [one, ...this.below(one)].some((some) => this.isHeld(some));
  }

  /** Whether the rule would remove it at once; what a hold covers stays. */
  isPast(parent: Known | undefined): boolean {
    return this.rule?.isEnabled === true && parent?.isOld === true && !this.isHeld(parent);
  }

  upsert(id: string, key: string, parent: Known | undefined, name: string, by: Sender): void {
    const one = this.named(key, parent);
    if (one === undefined) {
      const made = { id, key, parent, madeBy: by, changedBy: by, name, isOld: key === OLD };
      this.known.push({ ...made, state: 'there', isSealed: false });
    } else if (one.name !== name) Object.assign(one, { name, changedBy: by });
  }

  remove(one: Known): readonly Known[] {
    const gone = [one, ...this.below(one)];
    for (const some of gone) some.state = 'removed';
    return gone;
  }

  /** Where a visitor goes back to: its service, or the one that has the place of that by now; `undefined`: nowhere. */
  private placeOf({ parent }: Known): Known | undefined {
    if (parent?.state === 'removed') return this.named(parent.key, parent.parent);
    return parent?.state === 'there' ? parent : undefined;
  }

  /** Brings back what went with that removal and with none since, services first; returns how many records. */
  undo(removal: Removal): number {
    if (removal.isUndone) return 0;
    removal.isUndone = removal.by === 'syncs';
    const back = removal.of.filter((one) => {
      const place = this.placeOf(one);
      const isFree = one.parent === undefined || place !== undefined;
      if (one.state !== 'removed' || !isFree || this.isRefused(one.key)) return false;
      if (this.isPast(place)) return false;
      if (this.removals.findLast(({ of }) => of.includes(one)) !== removal) return false;
      if (this.named(one.key, place) !== undefined) return false;
      Object.assign(one, { state: 'there', parent: place });
      return true;
    });
    for (const one of back) one.changedBy = 'county';
    return back.length;
  }

  /** Removes visitors of old services by a rule, which leaves nothing behind. */
  retain(id: string): void {
    this.rule = { id, isEnabled: true };
    for (const one of this.there())
      if (one.parent?.isOld === true && !this.isHeld(one)) one.state = 'erased';
  }

  erase(erasure: string, one: Known): void {
    if (this.isHeld(one)) {
      this.waiting.set(erasure, one);
      return;
    }
    this.waiting.delete(erasure);
    const stays = one.state === 'there' && this.below(one).length > 0;
    if (stays) Object.assign(one, { isSealed: true, name: 'Erased' });
    else one.state = 'erased';
    this.erased.push({ erasure, one });
    this.journal.push({ does: 'erased', erasure, one });
  }

  lift(one: Known): void {
    const at = this.erased.findIndex((some) => some.one === one);
    const [{ erasure } = { erasure: '' }] = this.erased.splice(at, 1);
    this.journal.push({ does: 'lifted', erasure, one });
  }

  /** After holds have ended. */
  goOn(): void {
    for (const [erasure, one] of [...this.waiting]) this.erase(erasure, one);
  }

  /** What a sync of all visitors leaves out and may remove. */
  left(sent: readonly Known[]): readonly Known[] {
    return this.there(
      (one) => one.parent !== undefined && !sent.includes(one) && one.madeBy === 'county',
    );
  }

  copy(): House {
    return structuredCloned(this);
  }

  /** This house as it was, set back from the later one: whoever was erased since and not lifted is erased again. */
  setBackFrom({ journal }: House): void {
    const since = journal.slice(this.journal.length);
    const latest = new Map(since.map((line) => [line.one.id, line]));
    this.journal = [...journal];
    for (const { does, erasure, one } of latest.values()) {
      const known = this.known.find(({ id }) => id === one.id);
      this.erased = this.erased.filter((some) => some.one.id !== one.id);
      if (does === 'lifted') continue;
      // What came after the backup is refused, too.
      if (known === undefined) this.erased.push({ erasure, one });
      else this.erase(erasure, known);
    }
  }
}

function structuredCloned(house: House): House {
  return Object.assign(new House(), structuredClone({ ...house }));
}
