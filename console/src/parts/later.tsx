/** Parts of the page whose script is loaded on first use, or when the page is idle. */
import type { ComponentType, JSX } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { Failure } from './failure.tsx';
import { Heading } from './heading.tsx';
import { Skeleton } from './skeleton.tsx';

type Seldom = typeof import('../seldom.ts');

let seldom: Seldom | undefined;

export async function loadSeldom(): Promise<Seldom> {
  seldom ??= await import('../seldom.ts');
  return seldom;
}

/** `waiting`: what stands there until it is loaded. */
export function later<Props extends object>(
  take: (from: Seldom) => ComponentType<Props>,
  waiting: JSX.Element | null = <Skeleton />,
): ComponentType<Props> {
  return function Later(props: Props): JSX.Element | null {
    const [, setLoaded] = useState(seldom !== undefined);
    const [failure, setFailure] = useState<unknown>();
    useLayoutEffect(() => {
      if (seldom === undefined) loadSeldom().then(() => setLoaded(true), setFailure);
    }, []);
    // The service may have been replaced by a newer one, whose page has other scripts.
    if (failure !== undefined) return <Failure error={failure} onAgain={() => location.reload()} />;
    if (seldom === undefined) return waiting;
    const Part = take(seldom);
    return <Part {...props} />;
  };
}

/** A whole screen, of which the title is there at once. */
export function laterScreen<Props extends object>(
  title: string,
  take: (from: Seldom) => ComponentType<Props>,
): ComponentType<Props> {
  return later(
    take,
    <>
      <Heading title={title} />
      <Skeleton />
    </>,
  );
}
