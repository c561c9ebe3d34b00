/**
 * How drafts and outcomes go between the thread that serves and the thread that writes: flat arrays of texts and
 * numbers, which cost a fraction of what objects cost to copy. Patches and documents go as the text they are stored as.
 */
import type { RecordShape } from '../../../core/schema/shape.ts';
import type { Draft, Outcome, Receipt, StoredReceipt } from '../../promises/store.ts';
import { keysOf, TextDraft, type TextedDraft, textOf } from '../../records/content.ts';
import { apiErrorOf, type Failure, failureOf } from './performing.ts';

/** How many parts of the array a draft takes; its text is the first. */
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
    packed.push(
      textOf(draft),
      keysOf(draft).join(NUL),
      draft.shape.resource,
      draft.account,
      draft.anchor,
      draft.parent,
      draft.external_identifier,
      draft.only,
      draft.receipt && packReceipt(draft.receipt),
      draft.by,
      draft.restores,
      draft.pins,
      draft.source,
      draft.isTooOld,
    );
  }
  return packed;
}

function packReceipt({ owner, idempotency_key, fingerprint, expires_at }: Receipt): PackedReceipt {
  const { buffer, byteOffset, length } = fingerprint;
  const bytes = Buffer.from(buffer, byteOffset, length).toString('latin1');
  return [owner, idempotency_key, bytes, expires_at];
}

function unpackReceipt(packed: PackedReceipt | undefined): Receipt | undefined {
  if (packed === undefined) return undefined;
  const [owner, idempotency_key, bytes, expires_at] = packed;
  return { owner, idempotency_key, fingerprint: Buffer.from(bytes, 'latin1'), expires_at };
}

export function unpackDrafts(packed: readonly unknown[], shapes: ReadonlyMap<string, RecordShape>) {
  const drafts: TextDraft[] = [];
  let at = 0;
  const next = <Part>(): Part => packed[at++] as Part;
  while (at < packed.length) {
    const text = next<string>();
    const keys = next<string>();
    const shape = shapes.get(next()) as RecordShape;
    const draft = {
      shape,
      account: next<string>(),
      anchor: next<string | undefined>(),
      parent: next<string>(),
      external_identifier: next<string>(),
      only: next<Draft['only']>(),
      receipt: unpackReceipt(next()),
      by: next<Draft['by']>(),
      restores: next<Draft['restores']>(),
      pins: next<Draft['pins']>(),
      source: next<Draft['source']>(),
      isTooOld: next<Draft['isTooOld']>(),
    };
    drafts.push(new TextDraft(draft, text, shape.keys.length === 0 ? [] : keys.split(NUL)));
  }
  return drafts;
}

/**
 * The name of the outcome, then what is known of it: of what was written its unique identifier, document, version,
 * position, times, sources and `mergeMs`; of a refusal the error; of a repetition the receipt. A document that is the
 * text of the patch is left out: it came from there.
 */
const OUTCOME_WIDTH = 10;
type RefusedWith = Failure & { readonly is: 'api' };

export function packOutcomes(outcomes: readonly Outcome[], drafts: readonly TextedDraft[]) {
  const packed: unknown[] = [];
  for (const [index, outcome] of outcomes.entries()) {
    if ('record' in outcome) {
      const { record } = outcome;
      packed.push(
        outcome.outcome,
        record.unique_identifier,
        record.document === drafts[index]?.text ? undefined : record.document,
        record.version,
        record.position,
        record.inserted_at,
        record.updated_at,
        record.created_by,
        record.changed_by,
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
  if (outcome.outcome === 'refused') return failureOf(outcome.error);
  if (outcome.outcome === 'erased') return outcome.too_old;
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
    if (found === 'erased' && packed[at + 1] === true) return { outcome: found, too_old: true };
    if (found === 'withheld' || found === 'postponed' || found === 'erased')
      return { outcome: found };
    if (found === 'refused')
      return { outcome: found, error: apiErrorOf(packed[at + 1] as RefusedWith) };
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
        document: (packed[at + 2] ?? sent[index * DRAFT_WIDTH]) as string,
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
