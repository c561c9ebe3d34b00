/** `ledgerstone doctor`: looks at everything that the service stands on, and says what to do about what is wrong. */
import type { Command } from 'commander';
import { findSettings, readSettings } from '../config.ts';
import type { Finding } from '../observe/finding.ts';
import { examine, openStoreAlone } from '../open-store.ts';
import { StoreUnavailable, StoreUnusable } from '../store/store.ts';
import { certificateFindings, runtimeFinding } from './doctor-machine.ts';
import { backupFinding, commitFinding, keysFinding, momentsFindings } from './doctor-store.ts';
import { examples } from './help.ts';
import { Mistake } from './mistake.ts';
import { plain, printJson, printLines } from './output.ts';
import { addSettings, givenSettings } from './settings.ts';
import { storeSettings } from './store.ts';

export function addDoctor(program: Command): void {
  addSettings(program.command('doctor'))
    .description(
      'Check the machine, the settings, the store and its disk or server, the certificate and the keys, without changing anything; exits with 1 if something is bad',
    )
    .option('--json', 'Print one JSON document')
    .addHelpText(
      'after',
      examples(
        ['ledgerstone doctor', 'Check everything'],
        ['ledgerstone doctor --json', 'The same for a program'],
      ),
    )
    .action(async ({ json }: { json?: true }, command: Command) => {
      const findings = [runtimeFinding(), ...settingsFindings(command)];
      findings.push(...(await storeFindings(command)));
      const bad = findings.filter(({ state }) => state === 'bad').length;
      if (json) printJson({ ok: bad === 0, findings });
      else {
        printLines(
          ...findings.map(
            ({ check, state, says }) =>
              `${state.padEnd(WIDEST.length)}  ${plain(check)}: ${plain(says)}`,
          ),
        );
      }
      if (bad > 0) throw new Mistake(`${bad} of ${findings.length} checks failed.`);
    });
}

const WIDEST: Finding['state'] = 'warning';

function settingsFindings(command: Command): readonly Finding[] {
  const given = givenSettings(command);
  const complaints = findSettings(given).flatMap((one) =>
    'complaint' in one ? [one.complaint] : [],
  );
  if (complaints.length > 0) {
    return complaints.map((says) => ({ check: 'settings', state: 'bad', says }));
  }
  return [
    { check: 'settings', state: 'good', says: 'All settings can be read.' },
    ...certificateFindings(readSettings(given)),
  ];
}

async function storeFindings(command: Command): Promise<readonly Finding[]> {
  try {
    const settings = storeSettings(command);
    const { backup_to } = readSettings(givenSettings(command), undefined, ['backup_to']);
    const findings = await examine(settings);
    // Opening it would bring the schema up to date.
    if (findings.some(({ check, state }) => check === 'schema' && state !== 'good'))
      return findings;
    if (findings.some(({ state }) => state === 'bad')) return findings;
    const store = await openStoreAlone(settings, { create: false });
    try {
      return [
        ...findings,
        await commitFinding(store),
        await keysFinding(store),
        await backupFinding(store),
        ...(await momentsFindings(store, backup_to)),
      ];
    } finally {
      await store.close();
    }
  } catch (error) {
    if (!(error instanceof StoreUnusable || error instanceof StoreUnavailable)) throw error;
    return [{ check: 'store', state: 'bad', says: error.message }];
  }
}
