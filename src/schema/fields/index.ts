/** The field kinds that declarations are written with. */
export { boolean } from './boolean.ts';
export { choice } from './choice.ts';
export { content, textMap } from './content.ts';
export { date } from './date.ts';
export { datetime } from './datetime.ts';
export { jpgUrl } from './jpg-url.ts';
export { optional, required } from './kind.ts';
export { list } from './list.ts';
export { object } from './object.ts';
export { phone } from './phone.ts';
export { email, text } from './text.ts';
export { usPhone } from './us-phone.ts';
export { wholeNumber } from './whole-number.ts';
