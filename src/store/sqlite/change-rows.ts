/**
 * Changes as the log has them: some of one commit in each row, since a row for
 * each change would cost every upsert what a row costs. A change is a line of
 * `changes`, in which what it shares with the line before is left out; what it
 * keeps is the same line of `contents`. Neither identifiers nor JSON as it is
 * stored hold a tab or the end of a line.
 */
import type { LogEntry, LoggedChange } from '../log.ts';

/** A row is full at this many changes or bytes: reading one change reads its whole row. */
const MAX_CHANGES = 64;
const FULL = 32_768;

const BETWEEN = '\t';
const END = '\n';
/** No value; an empty one stands for that of the previous line. */
const NOTHING = '-';

/** A row as it is read; `place` is that of its first change. */
export type LogRow = readonly [
  position: number,
  place: number,
  token: number,
  occurred_at: number,
  changes: string,
  contents: string | null,
];

/** A row that is being filled. */
export class FillingRow {
  count = 0;
  #changes = '';
  #contents = '';
  #someContent = false;
  #resource = '';
  #anchor = '';
  #by = '';

  get full(): boolean {
    return this.count === MAX_CHANGES || this.#changes.length + this.#contents.length >= FULL;
  }

  get changes(): string {
    return this.#changes;
  }

  get contents(): string | null {
    return this.#someContent ? this.#contents : null;
  }

  add({ resource, record, anchor, outcome, version, before, by, content }: LogEntry): void {
    const anchored = anchor ?? NOTHING;
    const bearer = by ?? NOTHING;
    const end = this.count++ === 0 ? '' : END;
    const of = resource === this.#resource ? '' : resource;
    const within = anchored === this.#anchor ? '' : anchored;
    const from = bearer === this.#by ? '' : bearer;
    this.#changes += `${end}${of}\t${record}\t${within}\t${outcome}\t${version}\t${before}\t${from}`;
    this.#contents += end + (content ?? '');
    this.#someContent ||= content !== null;
    this.#resource = resource;
    this.#anchor = anchored;
    this.#by = bearer;
  }
}

/** The changes of a row of the account, in the order in which they were done. */
export function changesOf(
  account: string,
  [position, first, token, occurred_at, changes, contents]: LogRow,
): LoggedChange[] {
  const kept = contents?.split(END);
  let [ofResource, ofAnchor, ofBy] = ['', '', ''];
  return changes.split(END).map((line, at) => {
    const [resource, record = '', anchor, outcome, version, before, by] = line.split(BETWEEN);
    ofResource = resource || ofResource;
    ofAnchor = anchor || ofAnchor;
    ofBy = by || ofBy;
    return {
      account,
      position,
      place: first + at,
      token,
      resource: ofResource,
      record,
      anchor: ofAnchor === NOTHING ? null : ofAnchor,
      outcome: outcome as LogEntry['outcome'],
      version: Number(version),
      before: Number(before),
      by: ofBy === NOTHING ? null : ofBy,
      occurred_at,
      content: kept?.[at] || null,
    };
  });
}
