/** Erased records, as commits know them again. */
import type { RecordShape } from '../../../core/schema/shape.ts';
import { type ErasedFingerprints, keyless, type Link } from '../../erased-fingerprints.ts';
import type { ErasedDraft } from '../../promises/erasing/book.ts';
import { sealedProbe } from '../../promises/erasing/sealed.ts';
import { parentOf } from '../../tables.ts';
import { byAccount } from '../names.ts';
import { aboveOf, byProbe, lostKey } from '../statements/erased.ts';
import { call, type Session } from '../wire/session.ts';
import { textArray } from '../wire/values.ts';

export type ErasedPairs = ReturnType<typeof createErasedPairs>;

export function createErasedPairs(
  fingerprints: ErasedFingerprints,
  shapes: readonly RecordShape[],
) {
  const { keys, probe, fingerprint } = fingerprints;
  /** The accounts of which something was erased, with keys that are all here, as far as this process knows. */
  const known = new Set<string>();
  /** The resource above each, and what finds one of its records; none where the root is above. */
  const resourcesAbove = new Map(
    shapes.flatMap((shape) => {
      const above = parentOf(shape, shapes);
      if (above?.parent === undefined) return [];
      return [[shape.resource, { resource: above.resource, find: aboveOf(above) }] as const];
    }),
  );

  /** Finds drafts whose records were erased, each with its erasure. */
  async function among(session: Session, drafts: readonly ErasedDraft[]) {
    const erased = new Map<ErasedDraft, string>();
    const each = byAccount(drafts, ({ account }) => account).map(async ([account, own]) => {
      if (!known.has(account)) {
        const [[lost] = []] = await session.rowsOf(
          account,
          call(lostKey, account, textArray(keys)),
        );
        if (lost === true) throw keyless();
        if (lost !== false) return;
        known.add(account);
      }
      const probes = own.flatMap((draft) => [
        ...keys.map((key) => probe(key, linkOf(draft))),
        sealedProbe(draft.external_identifier) ?? '',
      ]);
      const rows = await session.rowsOf(account, call(byProbe, account, textArray(probes)));
      const found = Map.groupBy(rows, ([probed]) => probed);
      if (found.size === 0) return;
      for (const draft of own) {
        const [sealed] = found.get(sealedProbe(draft.external_identifier) ?? '') ?? [];
        if (sealed !== undefined) erased.set(draft, sealed[2]);
        for (const key of keys) {
          const alike = found.get(probe(key, linkOf(draft)));
          if (alike === undefined) continue;
          const own = fingerprint(key, await chainOf(session, draft.shape.resource, draft));
          const [, , erasure] = alike.find(([, marked]) => marked === own) ?? [];
          if (erasure !== undefined) erased.set(draft, erasure);
        }
      }
    });
    await Promise.all(each);
    return erased;
  }

  /**
   * The hashes of a record to be made, by any of which it would be found if it was erased, with spaces between; none
   * where this process does not know that anything of its account was.
   */
  function probesOf(account: string, link: Link): string {
    return known.has(account) ? keys.map((key) => probe(key, link)).join(' ') : '';
  }

  /** A record and all above it, as far as it is known. */
  async function chainOf(
    session: Session,
    resource: string,
    { account, parent, external_identifier }: Omit<ErasedDraft, 'shape'>,
  ): Promise<readonly Link[]> {
    const chain: Link[] = [[resource, external_identifier]];
    let at = parent;
    for (
      let up = resourcesAbove.get(resource);
      up !== undefined;
      up = resourcesAbove.get(up.resource)
    ) {
      const [row] = await session.rowsOf(account, call(up.find, account, at));
      if (row === undefined) return chain;
      chain.push([up.resource, row[1]]);
      [at] = row;
    }
    return chain;
  }

  return { fingerprints, among, probesOf, chainOf };
}

function linkOf({ shape, external_identifier }: ErasedDraft): Link {
  return [shape.resource, external_identifier];
}
