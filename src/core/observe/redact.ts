/** Takes passwords out of what a person wrote, so that it can be shown. */

/** The text without the part of an address that names a user, and without the values of parameters such as `password=`. */
export function redact(text: string): string {
  // A password in a parameter may hold an @, and anything else up to the next parameter.
  const isAddress = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  const parameter = isAddress ? OF_ADDRESS : OF_TEXT;
  return withoutUser(text.replace(parameter, '$1***'));
}

const OF_ADDRESS = /((?:password|passwd|pwd|secret|token)=)(?:(?!&\w+=).)*/gis;
const OF_TEXT = /((?:password|passwd|pwd|secret|token)=)[^&#\s]*/gi;

function withoutUser(text: string): string {
  const [scheme = ''] = /^[a-z][a-z0-9+.-]*:(?:\/\/)?/i.exec(text) ?? [];
  // In the name of a file, an @ means nothing.
  const at = scheme === 'sqlite:' ? -1 : text.lastIndexOf('@');
  return at < scheme.length ? text : `${scheme}***${text.slice(at)}`;
}

/** A message without what may be a password in an address, and without the secrets of keys and endpoints. */
export function withoutSecrets(message: string): string {
  return message
    .replace(/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#"'@]*@/gi, '$1***@')
    .replace(/\b((?:sk_(?:live|test)|whsec)_)[\w+/=]{8,}/g, '$1***');
}
