/** Reads on until as many entries are wanted as a slice has. */
export async function sifted<One extends { readonly unique_identifier: string }>(
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
  read: (after: string | undefined, limit: number) => Promise<readonly One[]>,
  isWanted: (one: One) => boolean,
): Promise<readonly One[]> {
  const wanted: One[] = [];
  for (let from = after; ; ) {
    const some = await read(from, limit);
    wanted.push(...some.filter(isWanted));
    if (some.length < limit || wanted.length >= limit) return wanted.slice(0, limit);
    from = some.at(-1)?.unique_identifier;
  }
}
