/** Names of parameters in messages, as the request spells them. */

/** The dotted path as forms and queries spell it: `person[full_name]`. */
export function bracketed(path: string): string {
  const [first = '', ...rest] = path.split('.');
  return first + rest.map((step) => `[${step}]`).join('');
}

/** The message with the path that it is about, and others of the same parameter, in brackets; what it quotes stays. */
export function inBrackets(message: string, param: string): string {
  const [first = ''] = param.split('.', 1);
  if (!/^\w+$/.test(first)) return message;
  const path = `${RegExp.escape(param)}(?!\\w)|${first}(?:\\.\\w+)+`;
  return message.replaceAll(new RegExp(`(?<![\\w.["])(?:${path})`, 'g'), bracketed);
}
