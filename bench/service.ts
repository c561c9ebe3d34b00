/** Our service under load, started as an operator starts it. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Workload, workloads } from './bodies.ts';
import { median } from './measure.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import type { World } from './world.ts';

const LAUNCHER = fileURLToPath(new URL('../bin/ledgerstone', import.meta.url));
const SHIM = fileURLToPath(new URL('./slow-disk.c', import.meta.url));
const PORT = 18_080;

/** Lets every sync take longer, by a library loaded before the C library that is made in the folder. */
export function slowDisk(folder: string, delayUs: number | undefined): NodeJS.ProcessEnv {
  if (delayUs === undefined) return {};
  const library = join(folder, 'slow-disk.so');
  execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, SHIM, '-ldl'], {
    stdio: 'inherit',
  });
  return { LD_PRELOAD: library, SLOW_DISK_US: String(delayUs) };
}

export function startService(
  url: string,
  environment: NodeJS.ProcessEnv = {},
  port = PORT,
): Promise<ServerProcess> {
  const own = { DATABASE_URL: url, PORT: String(port), HOST: '127.0.0.1', ...environment };
  // As many connections as the system lets a process have.
  const command = ['-c', 'ulimit -Sn "$(ulimit -Hn)"; exec sh "$0" serve', LAUNCHER];
  return startServer('sh', command, port, own);
}

/** Milliseconds from starting the process to the first answered upsert, over a few starts. */
export async function startUpMs(
  url: string,
  environment: NodeJS.ProcessEnv,
  world: World,
): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 6; round++) {
    const began = performance.now();
    const service = await startService(url, environment);
    await upsertOnce(service, workloads(world)[0] as Workload, world);
    times.push(performance.now() - began);
    await service.stop();
  }
  // The first one may have to fill caches on the disk.
  return median(times.slice(1));
}

/** Updates one of the known records; gives the text of the answer. */
export async function upsertOnce(
  service: ServerProcess,
  { path, contentType, template }: Workload,
  world: World,
): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${service.port}${path}`, {
    method: 'POST',
    headers: {
      Authorization: world.authorization,
      'Content-Type': contentType,
      'Accept-Encoding': 'identity',
    },
    body: template.replaceAll('@ID@', 'known-1').replaceAll('@N@', '1'),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`The service answers ${answer.status}: ${text}`);
  return text;
}
