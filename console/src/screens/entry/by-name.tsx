/** Says where passkeys work, to whoever opened the console of their own machine by its number. */
import { entry } from 'messages';
import { addressByName } from './ways-in.ts';

const says = entry.signIn;

export function ByName(): JSX.Element | null {
  const there = addressByName();
  if (there === undefined) return null;
  return (
    <p class="hint">
      {says.passkeyByName} <a href={there.href}>{says.openByName(there.host)}</a>
    </p>
  );
}
