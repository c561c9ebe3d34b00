/** Decodes characters that XML cannot hold, which sheets write as `_x000B_`. */
export function escapesRead(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
