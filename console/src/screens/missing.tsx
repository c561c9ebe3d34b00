/** There is nothing at this address. */
import type { JSX } from 'preact';
import { Heading } from '../parts/heading.tsx';
import { hrefOf } from '../router.ts';
import { texts } from '../texts.ts';

export function Missing(): JSX.Element {
  return (
    <>
      <Heading title={texts.failure.missing} about={texts.failure.missingHint} />
      <a class="button" href={hrefOf('')}>
        {texts.nav.today}
      </a>
    </>
  );
}
