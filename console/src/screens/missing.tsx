/** The page for an address with nothing at it, or nothing that this person may see. */
import { page as texts } from 'messages';
import { Heading } from '../parts/heading.tsx';
import { hrefOf } from '../router.ts';

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

export function Forbidden({ title }: { readonly title: string }): JSX.Element {
  return (
    <>
      <Heading title={title} about={texts.failure.forbidden} />
      <a class="button" href={hrefOf('')}>
        {texts.nav.today}
      </a>
    </>
  );
}
