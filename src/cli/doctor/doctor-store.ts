/** Checks of `doctor` on an open store: how fast it commits, and keys that end soon. */
import { statSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Settings } from '../../core/config.ts';
import { statusOf } from '../../core/objects/api-key.ts';
import { type Finding, findingsOf } from '../../core/observe/finding.ts';
import { resources } from '../../core/registry.ts';
import { presentTime } from '../../core/schema/present/present.ts';
import { createRegions } from '../../records/auth/region.ts';
import type { Listed } from '../../services/backup/folder/listed.ts';
import { SERVICE } from '../../services/moments/lags.ts';
import { AHEAD_MS } from '../../store/believed-time.ts';
import { isAhead, OLD_BACKUP_MS, type RegisteredFolder } from '../../store/books/backups.ts';
import { type Store, StoreUnavailable } from '../../store/promises/store.ts';
import { brokenWords, toldApart } from '../backup/backup-file.ts';
import { count } from '../output.ts';
import { withKeyOfDev } from '../service/secret-key.ts';
import { isoDate } from '../time.ts';
import type { Looks } from './looks.ts';

const COMMITS = 20;
/** Every record waits for a commit: this many milliseconds are a slow disk. */
const SLOW_MS = 20;
const SOON_MS = 14 * 86_400_000;
const MAX_NAMED = 5;
/** How long it is said that something was refused, and how long it counts as going on. */
const REFUSED_MS = 86_400_000;
const LATELY_MS = 3_600_000;

/** Checks in the order in which they are reported. */
export const storeChecks = [
  commitFinding,
  clockFinding,
  keysFinding,
  regionsFinding,
  zonesFinding,
  backupFinding,
  foldersFindings,
  momentsFindings,
  searchFinding,
  refusedFinding,
];

/** Does some tiny commits, as `/readyz` does. */
async function commitFinding(store: Store): Promise<Finding> {
  const { good, warning } = findingsOf('commit');
  const times: number[] = [];
  while (times.length < COMMITS) {
    // It writes the time: twice in a millisecond, there is nothing to write.
    await pause(2);
    const began = performance.now();
    await store.checkWritable();
    times.push(performance.now() - began);
  }
  const median = times.sort((one, other) => one - other)[COMMITS / 2] ?? 0;
  const says = `A commit takes ${median.toFixed(1)} ms`;
  return median < SLOW_MS
    ? good(`${says}.`)
    : warning(
        `${says}, and every write waits for one. Use a faster disk, or find out what else writes to this one.`,
      );
}

async function backupFinding(store: Store): Promise<Finding> {
  const now = Date.now();
  const { good, warning } = findingsOf('backup');
  const last = await store.backups.last();
  if (last === undefined)
    return warning(
      'No backup has been checked yet. Run "ledgerstone backup FOLDER" and "ledgerstone restore --check FOLDER" every day, unless something else backs this store up.',
    );
  if (isAhead(last.taken_at, now))
    return warning(
      `The last checked backup says that it was taken at ${presentTime(last.taken_at)}, which is still to come by this clock: the clock was ahead then, or is behind now, so nobody knows how old it is. Set the clock if it is wrong now, then back up and check again.`,
    );
  const minutes = Math.max(0, Math.floor((now - last.taken_at) / 60_000));
  const [age, unit] = minutes < 60 ? [minutes, 'minute'] : [Math.floor(minutes / 60), 'hour'];
  const says = `The last checked backup is ${count(age, unit)} old`;
  return now - last.taken_at < OLD_BACKUP_MS
    ? good(`${says}.`)
    : warning(`${says}. Find out why there is no newer one.`);
}

/** Finds folders of backups on this machine that the store shares with other stores, and times to come in them. */
async function foldersFindings(
  store: Store,
  _: Settings,
  looks: Looks,
): Promise<readonly Finding[]> {
  const now = Date.now();
  const { warning } = findingsOf('backup folder');
  const known = await store.backups.known();
  if (known === undefined) return [];
  const places = [known, ...(await store.backups.followed())];
  const folders = places.flatMap(({ folder, host }) =>
    folder !== null && host === hostname() ? [folder] : [],
  );
  const found: Finding[] = [];
  for (const folder of new Set(folders)) {
    const listed = (await looks.isThere(folder)) ? await looks.backups(folder, now) : undefined;
    if (listed === undefined) continue;
    const { stores, broken } = listed;
    if (broken.length > 0)
      found.push(
        warning(
          `${brokenWords(folder, broken)} Nothing counts them: remove them by hand, and see whether something else writes to that folder.`,
        ),
      );
    const others = stores.filter((one) => one.store !== known.store);
    if (others.length > 0)
      found.push(
        warning(
          `${folder} has backups of other stores, too: name a folder for each store, and move away what is not needed. This one is ${known.store}. ${toldApart(others)}`,
        ),
      );
    const ahead = stores
      .filter((one) => one.store === known.store)
      .flatMap(({ backups }) => backups)
      .flatMap((one): readonly Pick<Listed, 'name' | 'moment'>[] =>
        one.chain ? [one.chain.base, ...one.chain.increments] : [one],
      )
      .filter(({ moment }) => isAhead(moment, now));
    if (ahead.length > 0)
      found.push(
        warning(
          `By this clock, the time of ${first(ahead.map(({ name }) => name))} in ${folder} is still to come: the clock was ahead when it was written, or is behind now. Which backup is the newest is known all the same.`,
        ),
      );
  }
  return found;
}

async function clockFinding(store: Store): Promise<Finding> {
  const now = Date.now();
  const { good, warning } = findingsOf('clock');
  const seen = (await store.seenTime()) ?? now;
  if (Math.abs(now - seen) <= AHEAD_MS) return good('The clock fits what the store has seen.');
  const found = `The clock says ${presentTime(now)}, and the store was last served at ${presentTime(seen)}`;
  return now > seen
    ? warning(
        `${found}. Nothing is removed for its age until the service has run for an hour. If the store was served meanwhile, the clock is wrong: set it.`,
      )
    : warning(
        `${found}, which is later: the clock was ahead then, or is behind now. Compare it with another machine (timedatectl), and set it if it is wrong now; if it is right, nothing has to be done.`,
      );
}

/** Zones that an earlier version took. */
async function zonesFinding(store: Store): Promise<readonly Finding[]> {
  const found = await store.locationSettings.withoutUsableZone();
  if (found.length === 0) return [];
  const some = first(found.map(([id, zone]) => `${id} (${zone})`));
  const says = `No times can be reckoned by the time zone of ${some}: that of the account counts in its place, or UTC. Set one with "ledgerstone locations set".`;
  return [findingsOf('time zones').warning(says)];
}

/** A folder this far behind has missed many looks. */
const LATE_MS = 5 * 60_000;
const moments = findingsOf('moments');

/** For each folder that follows the store, or should. */
async function momentsFindings(
  store: Store,
  { backup_to: expected }: Settings,
  looks: Looks,
): Promise<readonly Finding[]> {
  const now = Date.now();
  const all = await store.backups.followed();
  const wanted = expected && resolve(expected);
  const isThere = all.some(
    ({ name, folder, host }) => name === SERVICE && (folder === wanted || host !== hostname()),
  );
  const findings: Finding[] = [];
  for (const one of all) {
    const isHere = one.host === hostname();
    const isGone = isHere && (await looks.isThere(one.folder)) === false;
    const fault = folderFault(one, now, isGone);
    const where = `${one.folder} on ${one.host}`;
    const seconds = Math.max(0, Math.round((now - (one.holds.until ?? 0)) / 1_000));
    findings.push(
      fault
        ? moments.warning(fault)
        : moments.good(`${where} holds everything up to ${seconds} seconds ago.`),
    );
    if (!isHere || store.file === undefined) continue;
    if ((await looks.device(one.folder)) !== statSync(store.file).dev) continue;
    const says = `${one.folder} is on the same disk as the store: if that disk fails, both are lost. Name a folder on another disk, or mount the one that should be there.`;
    findings.push(moments.warning(says));
  }
  if (wanted === undefined || isThere) return findings;
  const says = `BACKUP_TO is ${expected}, but no service writes there yet. Start the service, or restart it if the setting is new.`;
  return [moments.warning(says), ...findings];
}

function folderFault(
  { folder, host, holds, whole_at, left_out }: RegisteredFolder,
  now: number,
  isGone: boolean,
): string | undefined {
  const where = `${folder} on ${host}`;
  const log = 'the log of the service or of the "backup --follow" that writes there';
  const { state, until = 0 } = holds;
  if (state === 'empty') return `Nothing has been written to ${where} yet. See ${log}.`;
  if (isGone)
    return `${where} is gone, and backups were written to it before. Mount its disk, or create it again if it was removed on purpose.`;
  if (state === 'unusable')
    return `${where} has no usable whole backup that its last files could follow. A new one is being written; see ${log} if it does not come.`;
  if (isAhead(until, now))
    return `${where} says that it holds everything up to ${presentTime(until)}, which is still to come by this clock: the clock that wrote it was ahead, or this one is behind: set it if it is wrong now. See ${log}.`;
  if (now - until >= LATE_MS)
    return `${where} holds nothing after ${presentTime(until)}. See ${log}, and start it again if it has stopped.`;
  if (whole_at !== null && isAhead(whole_at, now))
    return `The last whole backup in ${where} says that it is of ${presentTime(whole_at)}, which is still to come by this clock: set it if it is wrong now.`;
  if (whole_at !== null && now - whole_at >= OLD_BACKUP_MS)
    return `The last whole backup in ${where} is of ${presentTime(whole_at)}; one is due each day. See ${log}.`;
  if (left_out !== null && left_out > 0)
    return `${where} lacks ${count(left_out, 'change')} that the store has, but cannot read. Run "ledgerstone verify", which names what is damaged.`;
  return undefined;
}

/** Says what search does not find. */
async function searchFinding(store: Store): Promise<readonly Finding[]> {
  const { good, warning } = findingsOf('search');
  try {
    const cut = await store.search.cut();
    if (cut === 0) return [];
    return [
      good(
        `${count(cut, 'record')} ${cut === 1 ? 'has a text that is' : 'have texts that are'} too long for the index: search finds only the first words.`,
      ),
    ];
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    return [warning(`${error.message} The service makes it again if it is damaged.`)];
  }
}

/** Says that the database has refused something lately, which nobody may have been told. */
async function refusedFinding(store: Store): Promise<readonly Finding[]> {
  const now = Date.now();
  const { warning, bad } = findingsOf('refused writes');
  const since = { from: now - REFUSED_MS, to: now + AHEAD_MS };
  const [last] = await store.requests.refused({ ...since, code: 'store_refused', limit: 1 });
  if (last === undefined) return [];
  const says = `The database has refused records, most recently at ${presentTime(last.time)}: somebody added a constraint or a trigger, or took a right away. The log has the words of the database ("database_says"), and "ledgerstone requests list --code store_refused" lists who sent the records. Once this is fixed, ask them to send the records again.`;
  return [last.time > now - LATELY_MS ? bad(says) : warning(says)];
}

/** Where people sign in, the audit is to be proof of what they saw. */
export async function auditFindings(store: Store, settings: Settings) {
  const { secret_key_file } = withKeyOfDev(settings);
  if (secret_key_file !== undefined || (await store.staff.list()).length === 0) return [];
  return findingsOf('audit').warning(
    'The audit is written without a key: somebody who can write to the database could change it unnoticed. Set SECRET_KEY_FILE.',
  );
}

async function keysFinding(store: Store): Promise<Finding> {
  const now = Date.now();
  const { good, warning } = findingsOf('keys');
  const keys = await activeKeys(store, now);
  const ending = keys
    .map((key) => ({ ...key, ends: key.expires_at ?? Number.POSITIVE_INFINITY }))
    .filter(({ ends }) => ends - now < SOON_MS)
    .sort((one, other) => one.ends - other.ends);
  if (ending.length === 0)
    return good(`${count(keys.length, 'active key')}; none expires within two weeks.`);
  const named = ending.map(
    ({ unique_identifier, name, ends }) =>
      `${unique_identifier}${name === null ? '' : ` (${name})`} on ${isoDate(ends)}`,
  );
  return warning(`Keys expire soon: ${first(named)}. Replace them with "ledgerstone keys rotate".`);
}

/** Keys and people limited to a region that no location has see nothing. */
async function regionsFinding(store: Store) {
  const now = Date.now();
  const people = (await store.staff.list()).filter(({ disabled_at }) => disabled_at === null);
  const regions = createRegions(store, resources, Date.now);
  const limited = [...(await activeKeys(store, now)), ...people];
  const all = await Promise.all(limited.map((one) => regions.within(one)));
  const blind = all
    .filter(({ anchors, region }) => region !== null && anchors?.length === 0)
    .map(({ unique_identifier, region }) => `${unique_identifier} (${JSON.stringify(region)})`);
  if (blind.length === 0) return [];
  return findingsOf('regions').warning(
    `Limited to a region that no location has, so that nothing is seen: ${first(blind)}. Give the region to locations with "ledgerstone locations change", or limit them to something else.`,
  );
}

async function activeKeys({ keys }: Store, now: number) {
  return (await keys.list()).filter((key) => statusOf(key, now) === 'active');
}

function first(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  return names.slice(0, MAX_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
