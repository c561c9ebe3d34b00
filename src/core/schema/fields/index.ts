/** The field kinds that declarations are written with. */

export { optional, personal, required } from './kind.ts';
export { boolean, wish } from './kinds/boolean.ts';
export { choice } from './kinds/choice.ts';
export { content, textMap } from './kinds/content.ts';
export { date, datetime } from './kinds/datetime.ts';
export { jpgUrl } from './kinds/jpg-url.ts';
export { money } from './kinds/money.ts';
export { phone, usPhone } from './kinds/phone.ts';
export { email, text } from './kinds/text.ts';
export { timeZone } from './kinds/time-zone.ts';
export { wholeNumber } from './kinds/whole-number.ts';
export { list } from './list.ts';
export { object } from './object.ts';
