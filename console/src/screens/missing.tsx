/** The page for an address with nothing at it, or nothing that this person may see. */
import { page as texts } from 'messages';
import { Heading } from '../parts/loading.tsx';
import { hrefOf } from '../router.ts';

export function Missing({
  title = texts.failure.missing,
  about = texts.failure.missingHint,
}): JSX.Element {
  return (
    <>
      <Heading title={title} about={about} />
      <a class="button" href={hrefOf('')}>
        {texts.nav.today}
      </a>
    </>
  );
}
