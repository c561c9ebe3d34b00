/** Whether a text is a tick, as people and programs make one on a card. */

const YES = new Set(
  `yes true x 1 on y t checked check ticked tick selected marked ja j oui si vrai wahr
  verdadero angekreuzt coche cochee marcado marcada yesplease`.split(/\s+/),
);
/** A mark, as it is drawn; a cross is one, as it is on paper. */
const MARKS = /^[✓✔☑☒🗹🗸√×✕✖хХ]\ufe0f?$/u;

/** Whether a text is a tick: `yes`, `x`, `✓`, `[x]`, `Oui`. */
export function isTick(text: string): boolean {
  const trimmed = text.normalize('NFKC').trim();
  if (MARKS.test(trimmed)) return true;
  const bare = plain(trimmed).replace(/[^\p{L}\p{N}]/gu, '');
  return YES.has(bare) || MARKS.test(trimmed.replace(/[\s[\](){}.!]/g, ''));
}

/** Small letters without accents, whatever Unicode has as an apostrophe. */
export function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[’‘ʼ`´＇]/gu, "'")
    .toLowerCase();
}
