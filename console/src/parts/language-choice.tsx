/** Chooses the language of the page, which this browser stores. The page is loaded again, since it has one language only. */
import { page as texts } from 'messages';
import { LANGUAGES } from '../generated/languages.ts';
import { LANGUAGE_COOKIE } from '../languages.ts';

const YEAR_S = 31_536_000;

/** `kept`: what was typed, for `takeKept` of the page that is loaded. */
export function LanguageChoice({ kept }: { readonly kept?: string }): JSX.Element {
  const choose = (code: string): void => {
    // It is also sent when a person follows a link from elsewhere.
    // biome-ignore lint/suspicious/noDocumentCookie: CookieStore needs HTTPS; the service reads it before scripts run
    document.cookie = `${LANGUAGE_COOKIE}=${code}; Path=/console; Max-Age=${YEAR_S}; SameSite=Lax`;
    if (kept) history.replaceState({ ...history.state, kept }, '');
    location.reload();
  };
  return (
    <fieldset class="language" aria-label={texts.language}>
      {Object.entries(LANGUAGES).map(([code, { name }]) => (
        <button
          key={code}
          type="button"
          class="plain"
          lang={code}
          aria-pressed={code === document.documentElement.lang}
          onClick={() => choose(code)}
        >
          {name}
        </button>
      ))}
    </fieldset>
  );
}

/** What was typed before another language was chosen, once. */
export function takeKept(): string | undefined {
  const { kept, ...state } = history.state ?? {};
  if (kept !== undefined) history.replaceState(state, '');
  return kept;
}
