/** Metrics of the environment of the service: its store, disks and certificate. */
import type { Registry } from 'prom-client';
import type { MachineObserver, MachineView } from '../observers.ts';
import { show } from './collectors.ts';

const MS_PER_SECOND = 1000;

export function observeMachine(registry: Registry): MachineObserver {
  let view: MachineView | undefined;
  const disks = async (which: 'free' | 'size') =>
    [...((await view?.disks()) ?? [])].map(([disk, room]) => ({
      labels: { disk },
      value: room[which],
    }));

  show(
    registry,
    {
      name: 'ledgerstone_ready',
      help: 'Whether the store accepts writes now, as /readyz finds out: 1 or 0.',
      type: 'gauge',
      together: 'min',
    },
    async () => [{ labels: {}, value: (await view?.isReady()) ? 1 : 0 }],
  );
  show(
    registry,
    {
      name: 'ledgerstone_disk_free_bytes',
      help: 'Free bytes of the disk that holds the store or the folder of BACKUP_TO.',
      type: 'gauge',
    },
    () => disks('free'),
  );
  show(
    registry,
    { name: 'ledgerstone_disk_size_bytes', help: 'The size of that disk.', type: 'gauge' },
    () => disks('size'),
  );
  show(
    registry,
    {
      name: 'ledgerstone_certificate_expires_timestamp_seconds',
      help: 'When the certificate expires that connections are encrypted with; 0 without one.',
      type: 'gauge',
      together: 'min',
    },
    () => [{ labels: {}, value: (view?.certificateUntil() ?? 0) / MS_PER_SECOND }],
  );
  return {
    watch(given) {
      view = given;
    },
  };
}
