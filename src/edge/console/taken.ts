/** Records in the audit what people print or save of a page, which only the page knows. */
import { choice, required } from '../../core/schema/fields/index.ts';
import { type ConsoleOperation, consoleOperation } from './session/visit.ts';

const AUDITS = { printed: 'print', saved: 'export' } as const;

/** `paths` are the path names of the resources. */
export const takenOperations = (paths: readonly string[]): readonly ConsoleOperation[] =>
  Object.entries(AUDITS).map(([name, audits]) =>
    consoleOperation({
      audits,
      route: `POST /${name as keyof typeof AUDITS}`,
      body: { what: required(choice('today', ...paths), 'The screen') },
      run: (_visit, { params, done }) => {
        done({ what: params().what });
        return { object: name };
      },
    }),
  );
