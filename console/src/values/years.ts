/** Years of too few digits, as browsers give them: `0027-03-04` where somebody typed 3/4/27. */

/** Whether the year of a day or a time is one before 1000: nobody was born, died or was buried then. */
export function isYearShort(text: string): boolean {
  return /^0\d{3}-/.test(text);
}

/** The days or times that may be meant by a year of two digits; none for one of three. */
export function meantBy(text: string): readonly string[] {
  const [, digits] = /^00(\d\d)-/.exec(text) ?? [];
  return digits === undefined ? [] : ['19', '20'].map((century) => century + text.slice(2));
}
