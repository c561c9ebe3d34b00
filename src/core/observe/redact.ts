/** Takes passwords out of what a person wrote, so that it can be shown. */

/** The text without the part of an address that names a user, and without the values of parameters such as `password=`. */
export function redact(text: string): string {
  const [scheme = ''] = /^[a-z][a-z0-9+.-]*:(?:\/\/)?/i.exec(text) ?? [];
  // In the name of a file, an @ means nothing.
  const at = scheme === 'sqlite:' ? -1 : text.lastIndexOf('@');
  const shown = at < scheme.length ? text : `${scheme}***${text.slice(at)}`;
  return shown.replace(/((?:password|passwd|pwd|secret|token)=)[^&#\s]*/gi, '$1***');
}
