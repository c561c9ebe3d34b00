/** A phone number of every country, as the library of numbering plans has them for tests. */

import fc from 'fast-check';
import examples from 'libphonenumber-js/examples.mobile.json';
import { type CountryCode, getCountries, getExampleNumber } from 'libphonenumber-js/max';
import { ALL } from './all.ts';

export interface ExampleNumber {
  readonly country: CountryCode;
  /** In E.164 form. */
  readonly number: string;
  /** As it is written within the country. */
  readonly national: string;
  readonly international: string;
}

export const exampleNumbers: readonly ExampleNumber[] = getCountries().map((country) => {
  const phone = getExampleNumber(country, examples);
  if (phone === undefined) throw new TypeError(`There is no example of a number of ${country}.`);
  return {
    country,
    number: phone.number,
    national: phone.formatNational(),
    international: phone.formatInternational(),
  };
});

/** The American numbers with the same ten digits as numbers of other countries with their country codes. */
export const americanTwins: readonly string[] = exampleNumbers.flatMap(({ number }) =>
  /^\+[2-9]\d{9}$/.test(number) ? [`+1${number.slice(1)}`] : [],
);

const each = [...new Set([...exampleNumbers.map(({ number }) => number), ...americanTwins])];

/** A number of Norway and the American one with its digits, and others: with `--all` those of every country. */
export const numbersToType: readonly string[] = [
  ...new Set([
    ...['+4722123456', '+14722123456'],
    ...(ALL ? each : fc.sample(fc.constantFrom(...each), 4)),
  ]),
];
