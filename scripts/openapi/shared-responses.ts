/** Moves errors that several operations share into `components.responses`. */
import { STATUS_CODES } from 'node:http';
import { pascalCase, refTo } from './schemas/names.ts';

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, object>>;
}
type Paths = Readonly<Record<string, object>>;

/**
 * The paths with references in place of errors that occur more than once, and those errors by name. The most frequent
 * error of a status is named after the status, such as `BadRequest`; others also after the first operation that has them,
 * such as `ListChangesBadRequest`. Answers stay with their operations: some generators do not look behind a reference to
 * see what an answer is written in, and give it to nobody.
 */
export function sharedResponses(paths: Paths): { paths: Paths; responses: Record<string, object> } {
  const used = Map.groupBy(
    Object.values(paths).flatMap((item) =>
      Object.values<Operation>(item as Record<string, Operation>).flatMap((operation) =>
        Object.entries(operation.responses).map(([status, response]) => ({
          operation,
          status: Number(status),
          response,
        })),
      ),
    ),
    ({ response }) => JSON.stringify(response),
  );
  const shared = [...used]
    .filter(([, [first, ...others]]) => others.length > 0 && (first?.status ?? 0) >= 400)
    .sort(([, a], [, b]) => b.length - a.length);
  const names = new Map<string, string>();
  const responses: Record<string, object> = {};
  for (const [text, [first]] of shared) {
    if (first === undefined) continue;
    const status = (STATUS_CODES[first.status] ?? '').replace(/\W/g, '');
    const isCommon = !(status in responses);
    const name = isCommon ? status : pascalCase(first.operation.operationId) + status;
    names.set(text, name);
    responses[name] = first.response;
  }
  const refer = (operation: Operation): object => ({
    ...operation,
    responses: mapped(operation.responses, (response) => {
      const name = names.get(JSON.stringify(response));
      return name === undefined ? response : refTo('responses', name);
    }),
  });
  return {
    paths: mapped(paths, (item) => mapped(item as Record<string, Operation>, refer)),
    responses,
  };
}

function mapped<T>(members: Readonly<Record<string, T>>, to: (member: T) => object) {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, to(member)]));
}
