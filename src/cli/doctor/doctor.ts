/** `ledgerstone doctor`: checks everything that the service depends on, and says how to fix each problem. */

import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type CommandLineSettings,
  findSettings,
  misspelledVariables,
  readableSettings,
  type Settings,
} from '../../core/config.ts';
import { beyondOf } from '../../core/objects/records/out-of-reach.ts';
import { type Finding, findingsOf } from '../../core/observe/finding.ts';
import { SettingsError } from '../../core/settings-error.ts';
import { featureFinds } from '../../features/command.ts';
import { journalFolders } from '../../services/erasures/journal.ts';
import {
  CopyUnreachable,
  createJournalCopy,
  missingWords,
} from '../../services/erasures/journal-copy.ts';
import { requireErasureKeys } from '../../services/erasures/steps.ts';
import { examineStore, fileOf, openStoreAlone, whichStore } from '../../store/open.ts';
import { type Store, StoreUnavailable, StoreUnusable } from '../../store/promises/store.ts';
import { serviceFolders } from '../erasures/journal-for.ts';
import type { Command } from '../help.ts';
import { Mistake } from '../mistake.ts';
import { count, plain, print } from '../output.ts';
import { addSettings, givenSettings, misspelling } from '../service/settings.ts';
import { erasureKeysIn } from '../store.ts';
import { machineChecks, runtimeFinding } from './doctor-machine.ts';
import { auditFindings, storeChecks } from './doctor-store.ts';
import { createLooks, type Looks } from './looks.ts';

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
      const widest = Math.max(WIDEST.length, ...findings.map(({ state }) => state.length));
      const lines = findings.map(
        ({ check, state, says }) => `${state.padEnd(widest)}  ${plain(check)}: ${plain(says)}`,
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
  const looks = createLooks();
  for (const check of machineChecks)
    findings.push(...[await check(settings, looks)].flat(), ...looks.take());
  const isKnown = !wrong.some(({ setting }) => OF_STORE.includes(setting.name));
  return isKnown ? [...findings, ...(await storeFindings(settings, looks))] : findings;
}

function settingsFindings(given: CommandLineSettings): readonly Finding[] {
  const { good, warning, bad } = findingsOf('settings');
  const found = [
    ...findSettings(given).flatMap((one) => ('complaint' in one ? bad(one.complaint) : [])),
    ...misspelledVariables(given).map((one) => warning(misspelling(one))),
  ];
  return found.length > 0 ? found : [good('All settings can be read.')];
}

const rest = findingsOf('what is in the store').unseen(
  'Its clock, keys, backups and erasures were not looked at, and how fast it commits: do first what is said above, then run doctor again.',
);

async function storeFindings(settings: Settings, looks: Looks): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const file = fileOf(settings.database_url);
  if (file !== undefined && (await looks.isThere(resolve(file))) === undefined)
    return [...looks.take(), rest];
  try {
    findings.push(...(await examineStore(whichStore(settings))));
    // Opening it would bring the schema up to date.
    const isOld = ({ check, state }: Finding) => check === 'schema' && state !== 'good';
    if (findings.some((one) => one.state === 'bad' || isOld(one))) return [...findings, rest];
    const hasKey = await looks.answer([settings.secret_key_file]);
    const erasureKeys = hasKey ? erasureKeysIn(settings) : undefined;
    const store = await openStoreAlone(settings, { create: false, erasureKeys });
    try {
      const ofFeatures = await Promise.all(featureFinds.map((load) => load()));
      const checks = [
        ...storeChecks,
        ...ofFeatures,
        erasuresFinding,
        journalFindings,
        auditFindings,
      ];
      for (const check of checks)
        findings.push(...[await check(store, settings, looks)].flat(), ...looks.take());
    } finally {
      await store.close();
    }
  } catch (error) {
    if (!(error instanceof StoreUnusable || error instanceof StoreUnavailable)) throw error;
    findings.push(findingsOf('store').bad(error.message));
  }
  return findings;
}

const { good, bad } = findingsOf('erasures');

async function erasuresFinding(
  store: Store,
  settings: Settings,
  looks: Looks,
): Promise<readonly Finding[]> {
  if (!(await looks.answer([settings.secret_key_file]))) return [];
  try {
    await requireErasureKeys(store);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return [bad(error.message)];
  }
  if (erasureKeysIn(settings) === undefined)
    return [good('Nobody can be erased until SECRET_KEY_FILE names a key.')];
  const { backup_to } = settings;
  const folders = (await store.backups.followed()).map(({ folder }) => folder);
  const backups = [...new Set([...(backup_to === undefined ? [] : [backup_to]), ...folders])];
  const beyond = beyondOf(store.file !== undefined, true)
    .filter(({ what }) => what !== 'core_dumps' || dumpsCore())
    .map(({ what, says }) =>
      what === 'backups' && backups.length > 0 ? `${says}, as in ${backups.join(', ')}` : says,
    );
  return [good(`Erasures do not reach ${beyond.join('; ')}.`)];
}

/** Whether a crash of this user's processes writes their memory into a file. */
function dumpsCore(): boolean {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    return !/^Max core file size\s+0\s/m.test(limits);
  } catch {
    return false;
  }
}

const journal = findingsOf('journal of erasures');

export async function journalFindings(
  store: Store,
  { backup_to, erasures_to }: Pick<Settings, 'backup_to' | 'erasures_to'>,
  looks = createLooks(),
): Promise<readonly Finding[]> {
  const isEmpty =
    (await store.journal.last()) === undefined && (await store.journal.unlisted(1)).length === 0;
  const set = [backup_to, erasures_to];
  const isSet = set.some((one) => one !== undefined);
  if (isEmpty && !isSet) return [];
  const { elsewhere } = isSet ? { elsewhere: [] } : await serviceFolders(store);
  if (elsewhere.length > 0) {
    const where = elsewhere.map(({ folder, host }) => `${folder} on ${host}`).join(', ');
    return [
      journal.good(
        `The service writes the journal to ${where}. To check it, run doctor there, with the settings of the service.`,
      ),
    ];
  }
  const folders = new Set(journalFolders(store, set));
  if (folders.size === 0)
    return [
      journal.warning(
        'People were erased, and a restore of an older backup would bring them back: set ERASURES_TO or BACKUP_TO to a folder on another disk.',
      ),
    ];
  const findings: Finding[] = [];
  for (const folder of folders) {
    const isThere = await looks.isThere(folder);
    if (isThere !== undefined) findings.push(await copyFinding(store, folder, looks));
  }
  return findings;
}

async function copyFinding(store: Store, folder: string, looks: Looks): Promise<Finding> {
  const copy = createJournalCopy(folder, store.journal);
  const { path } = copy;
  try {
    const { others, lacks, last, missing } = await copy.compare();
    const isThere = (await looks.isThere(path)) === true;
    const fault = await writingFault(folder, isThere ? path : folder, looks);
    if (fault !== undefined) return journal.warning(fault);
    if (missing.length > 0) return journal.bad(missingWords(path, missing));
    if (others.length > 0)
      return journal.bad(
        `${path} has ${count(others.length, 'line')} that the store does not know: it was set back, or the file was changed. Start the service, which erases again or names the line, or run "ledgerstone erasures apply ${path}".`,
      );
    if (lacks.length > 0)
      return journal.warning(
        `${path} ${isThere ? `lacks ${count(lacks.length, 'line')}` : 'is missing'}: the service writes it within seconds while it runs; its log says why if it does not.`,
      );
    if (store.file !== undefined && (await looks.device(folder)) === statSync(store.file).dev)
      return journal.warning(
        `${path} is on the same disk as the store: if that disk is set back or fails, the journal goes with it. Set ERASURES_TO to a folder on another one.`,
      );
    return journal.good(last === undefined ? 'Nobody was erased yet.' : `${path} has all lines.`);
  } catch (error) {
    if (error instanceof CopyUnreachable) return journal.warning(error.message);
    throw error;
  }
}

async function writingFault(
  folder: string,
  path: string,
  looks: Looks,
): Promise<string | undefined> {
  const code = (await looks.at(folder, ({ access }) => access(path))) ?? undefined;
  if (code === undefined) return undefined;
  return code === 'ENOENT'
    ? `The folder ${folder} of the journal is not there: create it, or mount its disk.`
    : `This user may not write to ${path} (${code}).`;
}
