/** What a store has for each of its resources. */
import type { RecordShape } from '../core/schema/shape.ts';

/** The shape of the records above those of a shape; `undefined` for the root. */
export function parentOf(
  { parent }: RecordShape,
  shapes: readonly RecordShape[],
): RecordShape | undefined {
  return shapes.find(({ resource }) => resource === parent?.resource);
}

/** `own` makes what the store has for a resource. */
export function tablesOf<Own extends object>(
  shapes: readonly RecordShape[],
  own: (shape: RecordShape, parent: RecordShape | undefined) => Own,
) {
  const [root] = shapes;
  if (root === undefined || root.parent !== undefined) {
    throw new TypeError('The first shape is the root: it has no parent.');
  }
  const tableOf = (shape: RecordShape) => {
    const below = shapes.filter(({ parent }) => parent?.resource === shape.resource);
    /** The resources whose records belong to those of this one. */
    const children = below.map(({ resource }) => resource);
    return { shape, children, ...own(shape, parentOf(shape, shapes)) };
  };
  /** By resource, in the order of the shapes. */
  const tables = new Map(shapes.map((shape) => [shape.resource, tableOf(shape)]));
  return {
    root,
    tables,
    /** Throws where the store was opened without that resource. */
    table(resource: string) {
      const found = tables.get(resource);
      if (found === undefined) throw new TypeError(`This store has no resource ${resource}.`);
      return found;
    },
  };
}
