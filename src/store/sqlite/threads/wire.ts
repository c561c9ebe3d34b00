/**
 * How drafts and outcomes go between the thread that serves and the thread
 * that writes: flat arrays of texts and numbers, which cost a fraction of what
 * objects cost to copy. Patches and documents go as the text they are stored as.
 */
import { ApiError, type Fault } from '../../../core/errors.ts';
import type { RecordShape } from '../../../core/schema/shape.ts';
import type { Draft, Outcome, Receipt, Refused, StoredReceipt } from '../../promises/store.ts';
import { keysOf, TextDraft, type TextedDraft, textOf } from '../../records/content.ts';

/** Where the parts of a draft are in its array. */
const RESOURCE = 0;
const ACCOUNT = 1;
const ANCHOR = 2;
const PARENT = 3;
const EXTERNAL_IDENTIFIER = 4;
const PATCH = 5;
const KEYS = 6;
const ONLY = 7;
const RECEIPT = 8;
const BY = 9;
const RESTORES = 10;
const PINS = 11;
const SOURCE = 12;
const IS_PAST = 13;
const DRAFT_WIDTH = 14;

/** The fingerprint goes as a text of its bytes: copying an array of them takes longer than all the rest. */
type PackedReceipt = readonly [
  owner: string,
  idempotency_key: string,
  fingerprint: string,
  expires_at: number,
];

/** Separates the values of declared keys: no text of a record contains it. */
const NUL = '\0';

export function packDrafts(drafts: readonly TextedDraft[]): unknown[] {
  const packed: unknown[] = [];
  for (const draft of drafts) {
    const { shape, only, receipt } = draft;
    packed.push(
      shape.resource,
      draft.account,
      draft.anchor,
      draft.parent,
      draft.external_identifier,
      textOf(draft),
      keysOf(draft).join(NUL),
      only,
      receipt && packReceipt(receipt),
      draft.by,
      draft.restores,
      draft.pins,
      draft.source,
      draft.isPast,
    );
  }
  return packed;
}

function packReceipt({ owner, idempotency_key, fingerprint, expires_at }: Receipt): PackedReceipt {
  const { buffer, byteOffset, length } = fingerprint;
  const bytes = Buffer.from(buffer, byteOffset, length).toString('latin1');
  return [owner, idempotency_key, bytes, expires_at];
}

function unpackReceipt([owner, idempotency_key, bytes, expires_at]: PackedReceipt): Receipt {
  return { owner, idempotency_key, fingerprint: Buffer.from(bytes, 'latin1'), expires_at };
}

export function unpackDrafts(
  packed: readonly unknown[],
  shapes: ReadonlyMap<string, RecordShape>,
): TextDraft[] {
  const drafts: TextDraft[] = [];
  for (let at = 0; at < packed.length; at += DRAFT_WIDTH) {
    const shape = shapes.get(packed[at + RESOURCE] as string) as RecordShape;
    const only = packed[at + ONLY] as Draft['only'];
    const receipt = packed[at + RECEIPT] as PackedReceipt | undefined;
    const by = packed[at + BY] as string | undefined;
    const restores = packed[at + RESTORES] as Draft['restores'];
    const pins = packed[at + PINS] as Draft['pins'];
    const source = packed[at + SOURCE] as number | undefined;
    const isPast = packed[at + IS_PAST] as Draft['isPast'];
    const draft = {
      shape,
      account: packed[at + ACCOUNT] as string,
      anchor: packed[at + ANCHOR] as string | undefined,
      parent: packed[at + PARENT] as string,
      external_identifier: packed[at + EXTERNAL_IDENTIFIER] as string,
      ...(only === undefined ? {} : { only }),
      ...(receipt === undefined ? {} : { receipt: unpackReceipt(receipt) }),
      ...(by === undefined ? {} : { by }),
      ...(restores === undefined ? {} : { restores }),
      ...(pins === undefined ? {} : { pins }),
      ...(source === undefined ? {} : { source }),
      ...(isPast === undefined ? {} : { isPast }),
    };
    const keys = shape.keys.length === 0 ? [] : (packed[at + KEYS] as string).split(NUL);
    drafts.push(new TextDraft(draft, packed[at + PATCH] as string, keys));
  }
  return drafts;
}

/**
 * The name of the outcome, then what is known of it: of what was written its
 * unique identifier, document, version, position, times, sources and `mergeMs`; of a refusal
 * the faults; of a repetition the receipt. A document that is the text of the
 * patch is left out: it came from there.
 */
const OUTCOME_WIDTH = 10;

export function packOutcomes(
  outcomes: readonly Outcome[],
  drafts: readonly TextedDraft[],
): unknown[] {
  const packed: unknown[] = [];
  for (const [index, outcome] of outcomes.entries()) {
    if ('record' in outcome) {
      const { unique_identifier, document, version, position, inserted_at, updated_at } =
        outcome.record;
      const { created_by, changed_by } = outcome.record;
      packed.push(
        outcome.outcome,
        unique_identifier,
        document === drafts[index]?.text ? undefined : document,
        version,
        position,
        inserted_at,
        updated_at,
        created_by,
        changed_by,
        outcome.mergeMs,
      );
    } else {
      packed.push(outcome.outcome, detailOf(outcome));
      for (let unused = 2; unused < OUTCOME_WIDTH; unused++) packed.push(undefined);
    }
  }
  return packed;
}

function detailOf(outcome: Exclude<Outcome, { readonly record: unknown }>): unknown {
  if (outcome.outcome === 'refused') return outcome.error.faults;
  if (outcome.outcome === 'erased') return outcome.past;
  return outcome.outcome === 'repeated' ? outcome.receipt : undefined;
}

/** `drafts` are those that the outcomes answer, and `sent` is how they went: who a record is, they know already. */
export function unpackOutcomes(
  packed: readonly unknown[],
  drafts: readonly Draft[],
  sent: readonly unknown[],
): Outcome[] {
  return drafts.map((draft, index) => {
    const at = index * OUTCOME_WIDTH;
    const found = packed[at] as Outcome['outcome'];
    if (found === 'erased' && packed[at + 1] === true) return { outcome: found, past: true };
    if (found === 'withheld' || found === 'postponed' || found === 'erased')
      return { outcome: found };
    if (found === 'refused') return refusedFor(packed[at + 1] as readonly Fault[]);
    if (found === 'repeated') return { outcome: found, receipt: packed[at + 1] as StoredReceipt };
    const unique_identifier = packed[at + 1] as string;
    return {
      outcome: found,
      record: {
        unique_identifier,
        account: draft.account,
        anchor: draft.anchor ?? unique_identifier,
        parent: draft.parent,
        external_identifier: draft.external_identifier,
        document: (packed[at + 2] ?? sent[index * DRAFT_WIDTH + PATCH]) as string,
        version: packed[at + 3] as number,
        position: packed[at + 4] as number,
        inserted_at: packed[at + 5] as number,
        updated_at: packed[at + 6] as number,
        created_by: packed[at + 7] as number | null,
        changed_by: packed[at + 8] as number | null,
      },
      mergeMs: packed[at + 9] as number,
    };
  });
}

export function refusedFor(faults: readonly Fault[]): Refused {
  return { outcome: 'refused', error: new ApiError(faults) };
}
