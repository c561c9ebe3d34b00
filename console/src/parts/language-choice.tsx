/** Chooses the language of the page, which this browser stores. The page is loaded again, since it has one language only. */
import { page as texts } from 'messages';
import { LANGUAGES } from '../generated/languages.ts';
import { LANGUAGE_COOKIE } from '../languages.ts';

const YEAR_S = 31_536_000;

export function LanguageChoice(): JSX.Element {
  return (
    <select
      class="language"
      aria-label={texts.language}
      value={document.documentElement.lang}
      onChange={({ currentTarget: { value } }) => {
        // It is also sent when a person follows a link from elsewhere.
        // biome-ignore lint/suspicious/noDocumentCookie: CookieStore needs HTTPS; the service reads it before scripts run
        document.cookie = `${LANGUAGE_COOKIE}=${value}; Path=/console; Max-Age=${YEAR_S}; SameSite=Lax`;
        location.reload();
      }}
    >
      {Object.entries(LANGUAGES).map(([code, { name }]) => (
        <option key={code} value={code} lang={code}>
          {name}
        </option>
      ))}
    </select>
  );
}
