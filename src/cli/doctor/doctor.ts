/** `ledgerstone doctor`: checks everything that the service depends on, and says how to fix each problem. */
import { fileFindings } from '../../app/files.ts';
import {
  type CommandLineSettings,
  findSettings,
  misspelledVariables,
  readableSettings,
  type Settings,
} from '../../core/config.ts';
import { type Finding, findingsOf } from '../../core/observe/finding.ts';
import { examineStore, openStoreAlone, whichStore } from '../../store/open.ts';
import { StoreUnavailable, StoreUnusable } from '../../store/promises/store.ts';
import type { Command } from '../help.ts';
import { Mistake } from '../mistake.ts';
import { plain, print } from '../output.ts';
import { addSettings, givenSettings, misspelling } from '../service/settings.ts';
import { erasureKeysIn } from '../store.ts';
import { erasuresFinding, journalFindings } from './doctor-erasures.ts';
import { machineChecks, runtimeFinding } from './doctor-machine.ts';
import { auditFindings, storeChecks } from './doctor-store.ts';

/** The settings that identify the store: where one is wrong, there is no store to check. */
const OF_STORE: readonly (keyof Settings)[] = [
  'database_url',
  'database_partitions',
  'database_distribution',
  'citus_nodes',
];

export function addDoctor(program: Command): void {
  addSettings(program.command('doctor'))
    .description(
      'Check the machine, the settings, the store and its disk or server, the certificate, the keys and the webhooks, without changing anything; exits with 0 if nothing is bad, also with warnings, and with 1 if something is',
    )
    .option('--json', 'Print one JSON document')
    .examples({
      'ledgerstone doctor': 'Check everything',
      'ledgerstone doctor --json': 'The same for a program',
    })
    .action(async ({ json }: { json?: true }, command: Command) => {
      const findings = await look(givenSettings(command));
      const bad = findings.filter(({ state }) => state === 'bad').length;
      const lines = findings.map(
        ({ check, state, says }) =>
          `${state.padEnd(WIDEST.length)}  ${plain(check)}: ${plain(says)}`,
      );
      print(json, { ok: bad === 0, findings }, ...lines);
      if (bad > 0) throw new Mistake(`${bad} of ${findings.length} checks failed.`);
    });
}

const WIDEST: Finding['state'] = 'warning';

async function look(given: CommandLineSettings): Promise<readonly Finding[]> {
  const settings = readableSettings(given);
  const wrong = findSettings(given).filter((one) => 'complaint' in one);
  const findings = [runtimeFinding(), ...settingsFindings(given)];
  for (const check of [fileFindings, ...machineChecks])
    findings.push(...[await check(settings)].flat());
  const isKnown = !wrong.some(({ setting }) => OF_STORE.includes(setting.name));
  return isKnown ? [...findings, ...(await storeFindings(settings))] : findings;
}

function settingsFindings(given: CommandLineSettings): readonly Finding[] {
  const { good, warning, bad } = findingsOf('settings');
  const found = [
    ...findSettings(given).flatMap((one) => ('complaint' in one ? bad(one.complaint) : [])),
    ...misspelledVariables(given).map((one) => warning(misspelling(one))),
  ];
  return found.length > 0 ? found : [good('All settings can be read.')];
}

async function storeFindings(settings: Settings): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  try {
    findings.push(...(await examineStore(whichStore(settings))));
    // Opening it would bring the schema up to date.
    const isOld = ({ check, state }: Finding) => check === 'schema' && state !== 'good';
    if (findings.some((one) => one.state === 'bad' || isOld(one))) return findings;
    const erasureKeys = erasureKeysIn(settings);
    const store = await openStoreAlone(settings, { create: false, erasureKeys });
    try {
      const checks = [...storeChecks, erasuresFinding, journalFindings, auditFindings];
      for (const check of checks) findings.push(...[await check(store, settings)].flat());
    } finally {
      await store.close();
    }
  } catch (error) {
    if (!(error instanceof StoreUnusable || error instanceof StoreUnavailable)) throw error;
    findings.push(findingsOf('store').bad(error.message));
  }
  return findings;
}
