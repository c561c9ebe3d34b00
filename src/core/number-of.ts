/** A number of 53 bits for a text, which may be long; another text has the same by chance alone. */
export function numberOf(text: string): number {
  let one = 0x811c9dc5;
  let other = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x85ebca6b);
    other = Math.imul(other ^ code, 0xc2b2ae35);
    one ^= other >>> 15;
    other ^= one >>> 13;
  }
  return (one >>> 0) * 0x200000 + (other >>> 11);
}
