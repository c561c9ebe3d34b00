/** Marks drafts of records that features judge too old to be created. */
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
