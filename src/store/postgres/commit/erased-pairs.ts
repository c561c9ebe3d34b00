/** Erased records, as commits know them again. */
import type { RecordShape } from '../../../core/schema/shape.ts';
import { type ErasedMarks, keyless, type Link } from '../../erased-marks.ts';
import type { ErasedDraft } from '../../promises/erasing/book.ts';
import { sealedProbe } from '../../promises/erasing/sealed.ts';
import { byAccount } from '../names.ts';
import { aboveOf, byProbe, lostKey } from '../statements/erased.ts';
import { call, type Session } from '../wire/session.ts';
import { textArray } from '../wire/values.ts';

/** The resource above a resource, and the statement that finds one of its records. */
interface Above {
  readonly resource: string;
  readonly find: ReturnType<typeof aboveOf>;
}

export class ErasedPairs {
  readonly marks: ErasedMarks;
  /** The accounts of which something was erased, with keys that are all here, as far as this process knows. */
  readonly #known = new Set<string>();
  /** By resource; none where the root is above. */
  readonly #above: ReadonlyMap<string, Above>;

  constructor(marks: ErasedMarks, shapes: readonly RecordShape[]) {
    this.marks = marks;
    this.#above = new Map(
      shapes.flatMap(({ resource, parent }) => {
        const above = shapes.find((one) => one.resource === parent?.resource);
        if (above?.parent === undefined) return [];
        return [[resource, { resource: above.resource, find: aboveOf(above) }] as const];
      }),
    );
  }

  /** Whether something of the account was erased, as far as this process knows. */
  knows(account: string): boolean {
    return this.#known.has(account);
  }

  /** Finds drafts whose records were erased, each with its erasure. */
  async among(
    session: Session,
    drafts: readonly ErasedDraft[],
  ): Promise<ReadonlyMap<ErasedDraft, string>> {
    const { keys, probe, mark } = this.marks;
    const erased = new Map<ErasedDraft, string>();
    const each = byAccount(drafts, ({ account }) => account).map(async ([account, own]) => {
      const at = session.place.nameOf(account);
      if (!this.#known.has(account)) {
        const [[lost] = []] = await session.rows(at(call(lostKey, account, textArray(keys))));
        if (lost === true) throw keyless();
        if (lost !== false) return;
        this.#known.add(account);
      }
      const linkOf = ({ shape, external_identifier }: ErasedDraft): Link => [
        shape.resource,
        external_identifier,
      ];
      const probes = own.flatMap((draft) => [
        ...keys.map((key) => probe(key, linkOf(draft))),
        sealedProbe(draft.external_identifier) ?? '',
      ]);
      const rows = await session.rows(at(call(byProbe, account, textArray(probes))));
      const marks = Map.groupBy(rows, ([found]) => found);
      if (marks.size === 0) return;
      for (const draft of own) {
        const [sealed] = marks.get(sealedProbe(draft.external_identifier) ?? '') ?? [];
        if (sealed !== undefined) erased.set(draft, sealed[2]);
        for (const key of keys) {
          const found = marks.get(probe(key, linkOf(draft)));
          if (found === undefined) continue;
          const chain = await this.chainOf(session, draft.shape.resource, draft);
          const own = mark(key, chain);
          const [, , erasure] = found.find(([, known]) => known === own) ?? [];
          if (erasure !== undefined) erased.set(draft, erasure);
        }
      }
    });
    await Promise.all(each);
    return erased;
  }

  /** A record and all above it, as far as it is known. */
  async chainOf(
    session: Session,
    resource: string,
    { account, parent, external_identifier }: Omit<ErasedDraft, 'shape'>,
  ): Promise<readonly Link[]> {
    const chain: Link[] = [[resource, external_identifier]];
    let at = parent;
    for (let up = this.#above.get(resource); up !== undefined; up = this.#above.get(up.resource)) {
      const named = session.place.nameOf(account)(call(up.find, account, at));
      const [row] = await session.rows(named);
      if (row === undefined) return chain;
      chain.push([up.resource, row[1]]);
      [at] = row;
    }
    return chain;
  }
}
