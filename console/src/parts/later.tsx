/** Parts of the page whose scripts are loaded on first use, or when the page is idle. */
import type { ComponentType } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { Failure, Heading, Skeleton } from './loading.tsx';

/** What is in one script. */
function scriptOf<Script>(load: () => Promise<Script>) {
  let script: Script | undefined;
  const loaded = async (): Promise<Script> => {
    script ??= await load();
    return script;
  };
  /** `waiting`: what stands there until it is loaded. */
  function later<Props extends object>(
    take: (from: Script) => ComponentType<Props>,
    waiting: JSX.Element | null = <Skeleton />,
  ): ComponentType<Props> {
    return function Later(props: Props): JSX.Element | null {
      const [, setLoaded] = useState(script !== undefined);
      const [failure, setFailure] = useState<unknown>();
      useLayoutEffect(() => {
        if (script === undefined) loaded().then(() => setLoaded(true), setFailure);
      }, []);
      // The service may have been replaced by a newer one, whose page has other scripts.
      if (failure !== undefined)
        return <Failure error={failure} onAgain={() => location.reload()} />;
      if (script === undefined) return waiting;
      const Part = take(script);
      return <Part {...props} />;
    };
  }
  /** A whole screen, of which the title is there at once. */
  function laterScreen<Props extends object>(
    title: string,
    take: (from: Script) => ComponentType<Props>,
  ): ComponentType<Props> {
    return later(
      take,
      <>
        <Heading title={title} />
        <Skeleton />
      </>,
    );
  }
  return { loaded, later, laterScreen };
}

export const { loaded: loadSeldom, later, laterScreen } = scriptOf(() => import('../seldom.ts'));

/** Loads the screens of people with rights that no role has. */
export const { laterScreen: officersScreen } = scriptOf(() => import('../officers.ts'));
