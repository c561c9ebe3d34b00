/** Parts of the page whose scripts are loaded on first use, or when the page is idle. */
import type { ComponentType } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { ScreenProps, Screens } from '../screen.ts';
import { Failure, Heading, Skeleton } from './loading.tsx';

/** What is in one script. */
function scriptOf<Script extends { readonly screens: Screens }>(load: () => Promise<Script>) {
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
  function laterScreen(title: string, path: string): ComponentType<ScreenProps> {
    return later<ScreenProps>(
      ({ screens }) => screens[path] as ComponentType<ScreenProps>,
      <>
        <Heading title={title} />
        <Skeleton />
      </>,
    );
  }
  return { loaded, later, laterScreen };
}

const seldom = scriptOf(() => import('../seldom.ts'));
export const { later } = seldom;

/** What is there for people who are not signed in. */
const entering = scriptOf(() => import('../entering.ts'));
export const { loaded: loadEntering, later: laterEntering } = entering;

/** By the names that `entries.ts` gives them. */
export const scripts = {
  seldom,
  entering,
  importing: scriptOf(() => import('../importing.ts')),
  integrating: scriptOf(() => import('../integrating.ts')),
  officers: scriptOf(() => import('../officers.ts')),
};
