/** The numbering plans of all countries, a script of its own: what is shown without them is right, too. */
export { readPhone, showPhone } from '../../../src/core/schema/phones/numbers.ts';
export { countryOfZone } from '../../../src/core/schema/phones/zones.ts';
