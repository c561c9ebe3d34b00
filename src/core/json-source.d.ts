/** `JSON.parse` with source text and `JSON.rawJSON`: in Node 26, not yet in TypeScript's library. */
interface JSON {
  parse(
    text: string,
    reviver: (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): import('./schema/values.ts').RawNumber;
  isRawJSON(value: unknown): value is import('./schema/values.ts').RawNumber;
}
