/** The statements and facts that a store has for each of its resources. */
import type { RecordShape } from '../core/schema/shape.ts';

/** The shape of the records above those of a shape; `undefined` for the root. */
export function parentOf(
  { parent }: RecordShape,
  shapes: readonly RecordShape[],
): RecordShape | undefined {
  return shapes.find(({ resource }) => resource === parent?.resource);
}

/** `records` makes what the store has for a resource, `drafts` what it has for one but the root, which is written to by name. */
export function tablesOf<Records, Drafts>(
  shapes: readonly RecordShape[],
  make: {
    readonly records: (shape: RecordShape, parent: RecordShape | undefined) => Records;
    readonly drafts: (shape: RecordShape, parent: RecordShape) => Drafts;
  },
) {
  const [root] = shapes;
  if (root === undefined || root.parent !== undefined) {
    throw new TypeError('The first shape is the root: it has no parent.');
  }
  const tableOf = (shape: RecordShape) => {
    const below = shapes.filter(({ parent }) => parent?.resource === shape.resource);
    /** The resources whose records belong to those of this one. */
    const children = below.map(({ resource }) => resource);
    const parent = parentOf(shape, shapes);
    const drafts = parent && make.drafts(shape, parent);
    return { shape, parent, children, records: make.records(shape, parent), drafts };
  };
  /** By resource, in the order of the shapes. */
  const tables = new Map(shapes.map((shape) => [shape.resource, tableOf(shape)]));
  /** Throws where the store was opened without that resource. */
  const table = (resource: string) => {
    const found = tables.get(resource);
    if (found === undefined) throw new TypeError(`This store has no resource ${resource}.`);
    return found;
  };
  /** Throws for the root. */
  const drafts = (resource: string): Drafts => {
    const found = table(resource).drafts;
    if (found === undefined) throw new TypeError(`No draft writes to ${resource}.`);
    return found;
  };
  return { root, tables, table, drafts };
}
