/** Shows what is loaded: bones until it is there, and why it could not be loaded. */
import type { ComponentChildren, JSX } from 'preact';
import type { Loaded } from '../load.ts';
import { Failure } from './failure.tsx';
import { Skeleton } from './skeleton.tsx';

interface LoadingProps<T> {
  readonly of: Pick<Loaded<T>, 'value' | 'error' | 'reload'>;
  /** The rows of the skeleton. */
  readonly rows?: number;
  readonly children?: (value: T) => ComponentChildren;
}

export function Loading<T>({ of, rows = 2, children }: LoadingProps<T>): JSX.Element {
  const { value, error, reload } = of;
  return (
    <>
      {error !== undefined && <Failure error={error} onAgain={reload} />}
      {value === undefined && error === undefined && <Skeleton rows={rows} />}
      {value !== undefined && children?.(value)}
    </>
  );
}
