/** Small pieces of HTML. */

/** Text as HTML, safe between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The text that a piece of HTML shows. */
export function textOf(html: string): string {
  return html
    .replace(/<[^>]*>/g, '')
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replace(/&(amp|lt|gt|quot);/g, (_, name: keyof typeof NAMED) => NAMED[name]);
}

const NAMED = { amp: '&', lt: '<', gt: '>', quot: '"' } as const;
