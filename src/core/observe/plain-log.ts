/** The log for a person at a terminal: one short line for each event, under the same rule of privacy. */
import { type ErrorFacts, type Event, writesEvents } from './events.ts';
import type { Log } from './log.ts';
import { plainLines } from './plain.ts';

/** A log of requests and of what goes wrong; `write` gets whole lines. */
export function createPlainLog(write: (text: string) => void): Log {
  const line = (...parts: readonly (string | undefined)[]): void => {
    const time = Temporal.Now.plainTimeISO().toString({ smallestUnit: 'second' });
    write(`${plainLines([time, ...parts.filter((part) => part !== undefined)].join('  '))}\n`);
  };
  return {
    ...writesEvents((event) => line(...partsOf(event))),
    // The caller that starts the service logs where it listens; only who keeps the log needs the head of the audit.
    listening: () => {},
    auditHead: () => {},
    requestAnswered({ method, route, done }, { statusCode, elapsedTime }, faults = []) {
      line(
        `${method} ${route.url ?? '(unknown path)'}`,
        String(statusCode),
        done?.outcome ?? done?.code,
        rowsText(done?.rows?.counts),
        ...new Set(faults.map(({ param }) => param)),
        done?.unique_identifier,
        `${elapsedTime.toFixed(1)} ms`,
      );
    },
    flush: async () => {},
  };
}

function partsOf({ message, facts: { error, ...facts } }: Event): readonly string[] {
  const shown = Object.entries(facts).flatMap(([name, value]) =>
    value === undefined ? [] : `${name} ${value}`,
  );
  if (error === undefined) return [message, ...shown];
  const { type, reason, code, errcode, stack = [] } = error as ErrorFacts;
  const known = [type, reason, code, errcode].filter((part) => part !== undefined);
  return [message, ...shown, [`error ${known.join(' ')}`, ...stack].join('\n')];
}

function rowsText(counts: ReadonlyMap<string, number> | undefined): string | undefined {
  return counts && Array.from(counts, ([outcome, count]) => `${count} ${outcome}`).join(', ');
}
