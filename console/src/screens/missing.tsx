/** There is nothing at this address. */
import type { JSX } from 'preact';
import { Empty } from '../parts/empty.tsx';
import { hrefOf } from '../router.ts';
import { texts } from '../texts.ts';

export function Missing(): JSX.Element {
  return (
    <Empty title={texts.failure.missing} hint={texts.failure.missingHint}>
      <a href={hrefOf('')}>{texts.nav.today}</a>
    </Empty>
  );
}
