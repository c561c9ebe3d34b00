/** Names and numbers as sentences have them. */

/** A name of the interface in words: `event_check_in_record` is an event check-in record, `follow_ups` are follow-ups. */
export function inWords(name: string): string {
  return name.replace(/(check)_(in)|(follow)_(up)|(self)_(test)/, joined).replaceAll('_', ' ');
}

function joined(both: string): string {
  return both.replace('_', '-');
}

/** A path of the interface as a heading: `Event check-in records`. */
export function headingOf({ path }: { readonly path: string }): string {
  return capitalised(inWords(path));
}

/** Words with a capital letter at the beginning. */
export function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Words with their article: `an event check-in record`. */
export function withArticle(words: string): string {
  return `${/^[aeiou]/.test(words) ? 'an' : 'a'} ${words}`;
}

/** A whole number with commas between its thousands. (To load `Intl` for it takes longer than to load all declarations.) */
export function inThousands(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}
