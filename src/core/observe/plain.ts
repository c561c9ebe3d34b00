/** Texts that a terminal shows and does not obey: without control characters and changes of direction. */

/** Replaces what a terminal would obey. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu, '\ufffd');
}

/** Replaces it in each line of a text, and keeps the lines. */
export function plainLines(text: string): string {
  return text.split('\n').map(plain).join('\n');
}

/** JSON with the same values, in which such characters are escapes. */
export function plainJson(json: string): string {
  return json.replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
