/** Marks drafts of records that are too old to be made, as features judge them. */
import type { RecordShape } from '../../core/schema/shape.ts';
import { featureMarks } from '../../features/store.ts';
import type { MarkPast, Store } from '../../store/promises/store.ts';

type CreateMarkPast = (store: Store, shapes: readonly RecordShape[], now: () => number) => MarkPast;
const creating: readonly CreateMarkPast[] = featureMarks;

export const createMarkPast: CreateMarkPast = (...parts) => {
  const marks = creating.map((create) => create(...parts));
  return (drafts) =>
    marks.reduce<ReturnType<MarkPast>>(
      (marked, mark) => (marked instanceof Promise ? marked.then(mark) : mark(marked)),
      drafts,
    );
};
