/** Changes a follow-up by what somebody does about it, without clock or store. */
import { ApiError } from '../../../core/errors.ts';
import { presentTime } from '../../../core/schema/present/present.ts';
import { type FollowUp, type FollowUpAttempt, followUp, MAX_ATTEMPTS } from '../declares.ts';

/** A claim in which nothing is done for that long ends. */
export const CLAIM_MS = 86_400_000;

/** Members of the request's body. */
export interface ActParams {
  readonly channel?: string;
  readonly outcome?: string;
  readonly next_at?: string | null | undefined;
  readonly note?: string | null | undefined;
  readonly reason?: string | null;
  readonly owner?: string;
  readonly due_at?: string | null | undefined;
}

interface Doing {
  readonly by: string;
  readonly at: number;
  readonly said: ActParams;
}

type Change = Partial<FollowUp>;

const ENDED = { state: 'closed', owner: null } as const;
const AGAIN = {
  ...({ state: 'open', owner: null, outcome: null, next_at: null } as const),
  ...({ closed_at: null, closed_by: null } as const),
};

const ACTS = {
  claim: owned,
  release: (one: FollowUp): Change => ({
    owner: null,
    state: one.next_at === null ? 'open' : 'scheduled',
  }),
  hand_over: (one: FollowUp, { said: { owner = '', due_at, note } }: Doing): Change => ({
    ...owned(one, { by: owner }),
    ...(due_at ? { due_at: Date.parse(due_at) } : {}),
    ...(note === undefined ? {} : { note: note || null }),
  }),
  attempt: (one: FollowUp, doing: Doing): Change => {
    const { channel, outcome, note = null } = doing.said;
    const at = presentTime(doing.at);
    const attempt = { at, by: doing.by, note, channel, outcome } as FollowUpAttempt;
    if (one.attempts.length >= MAX_ATTEMPTS) throw new ApiError('attempts_too_many');
    return { ...owned(one, doing), attempts: [...one.attempts, attempt] };
  },
  schedule: (one: FollowUp, doing: Doing): Change => ({
    ...owned(one, doing),
    ...noted(doing),
    state: 'scheduled',
  }),
  close: (one: FollowUp, { by, at, said }: Doing): Change => ({
    ...ENDED,
    ...noted({ by, at, said }),
    outcome: said.outcome as FollowUp['outcome'],
    ...{ closed_at: at, closed_by: by, attempts: one.attempts },
  }),
  reopen: (_: FollowUp, { said }: Doing): Change => ({ ...AGAIN, note: said.reason ?? null }),
};

export type Act = keyof typeof ACTS;

type Named = 'unique_identifier' | 'account' | 'location' | 'resource' | 'record' | 'reason';

/** Makes one that nobody has yet. */
export function opened(
  at: number,
  one: Pick<FollowUp, Named | 'due_at'> & Partial<FollowUp>,
): FollowUp {
  const empty = { state: 'open', attempts: [], repeats: [], version: 1 } as const;
  return { ...followUp.nulls, ...empty, inserted_at: at, updated_at: at, ...one };
}

/** Throws `follow_up_closed`, `follow_up_open`, `attempts_too_many` and `value_invalid`. */
export function acted(before: FollowUp, act: Act, doing: Doing): FollowUp {
  const isClosed = before.state === 'closed';
  if (isClosed !== (act === 'reopen'))
    throw new ApiError(isClosed ? 'follow_up_closed' : 'follow_up_open');
  const after: FollowUp = { ...before, ...ACTS[act](before, doing), updated_at: doing.at };
  return { ...after, claim_ends_at: after.owner === null ? null : endOf(before, after, act) };
}

/** When the claim ends: what was handed over stays with that person until it is due. */
function endOf(before: FollowUp, after: FollowUp, act: Act): number {
  const { owner, due_at, updated_at: at } = after;
  const isSame = before.owner === owner && before.claim_ends_at !== null;
  const kept = isSame ? Math.min(before.claim_ends_at, due_at) : 0;
  return Math.max(at + CLAIM_MS, act === 'hand_over' ? due_at : kept);
}

/** Gives one that nobody has to who does something about it. */
function owned({ state }: FollowUp, { by }: Pick<Doing, 'by'>): Change {
  return { owner: by, state: state === 'open' ? 'claimed' : state };
}

function noted({ at, said: { next_at, note } }: Doing): Change {
  const next = next_at ? Date.parse(next_at) : null;
  if (next !== null && next <= at) {
    const message = 'next_at has passed: send a time in the future.';
    throw new ApiError('value_invalid', { param: 'next_at', message });
  }
  return { next_at: next, ...(note === undefined ? {} : { note: note || null }) };
}
