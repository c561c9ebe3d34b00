/** Where a window ends in which somebody has signed in for another tab, which goes on by itself. */
import { entry } from 'messages';
import { useEffect } from 'preact/hooks';
import { Heading } from '../../parts/loading.tsx';
import { session } from '../../service/session.ts';
import { cameBackWith } from './ways-in.ts';

/** The other tab has heard of it by then. */
const CLOSES_MS = 1_000;

const says = entry.signIn;

export function SignedInScreen(): JSX.Element {
  const fault = cameBackWith.value;
  const entered = session.value;
  const isDone = entered !== undefined && fault === undefined;
  useEffect(() => {
    if (!isDone) return;
    // Browsers close only windows that a page has opened.
    const timer = setTimeout(() => window.close(), CLOSES_MS);
    return () => clearTimeout(timer);
  }, [isDone]);
  return (
    <>
      <Heading title={says.title} />
      {fault !== undefined && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
      {isDone && <p role="status">{says.done(entered.staff.name ?? entered.staff.email)}</p>}
      <p>{fault === undefined ? says.back : says.backFailed}</p>
    </>
  );
}
