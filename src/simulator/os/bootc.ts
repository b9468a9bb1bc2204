import { isDeepStrictEqual } from 'node:util';
import type { CommandResult } from '../../domain/command.ts';
import { bootc } from '../../drivers/os/bootc/bootc.ts';
import type { CommandSimulator, MachineDeployment, SimulatedMachine } from '../simulated-machine.ts';
import { positionalArgs, simulatedResult } from '../simulated-machine.ts';
import { AVAILABLE_OS, checksumOf, executeOstreeLock, imageDigest, stageDeployment } from './software.ts';

const deploymentEntry = (deployment: MachineDeployment | undefined) =>
  deployment === undefined
    ? null
    : {
        image: {
          image: { image: deployment.image, transport: 'registry' },
          version: deployment.version,
          imageDigest: deployment.checksum,
        },
        incompatible: false,
        downloadOnly: deployment.isLocked,
        ostree: { checksum: checksumOf(`commit of ${deployment.checksum}`), deploySerial: 0 },
      };

const statusJson = ({ booted, staged }: SimulatedMachine): string =>
  JSON.stringify({
    apiVersion: 'org.containers.bootc/v1',
    kind: 'BootcHost',
    status: { staged: deploymentEntry(staged), booted: deploymentEntry(booted), rollback: null, type: 'bootcHost' },
  });

function stage(machine: SimulatedMachine, image: string): CommandResult {
  if (machine.isDiskFull)
    return simulatedResult(
      1,
      '',
      'error: Upgrading: Pulling: Importing: Unencapsulating base: No space left on device (os error 28)\n',
    );
  const [, tag = ''] = /:([^/:@]+)(?:@.*)?$/s.exec(image) ?? [];
  const [, digest] = /@(sha256:[^@]*)$/.exec(image) ?? [];
  const version = /^[0-9]/.test(tag) ? tag : (machine.available.get(AVAILABLE_OS) ?? '');
  const checksum = digest ?? imageDigest(image, version);
  const isNew = stageDeployment(machine, { version, checksum, image, isLocked: false });
  // Since bootc 1.12 an upgrade also unlocks the staged deployment.
  if (machine.staged) machine.staged.isLocked = false;
  return simulatedResult(0, isNew ? `Queued for next boot: ${image}\n` : `No changes in: ${image}\n`);
}

const IMAGE = 'quay.io/example/os:stable';
const VERSION = '42.20260105.0';

export const simulatedBootc: CommandSimulator = {
  templates: {
    atomic: {
      osRelease: 'NAME="CentOS Stream"\nID="centos"\nID_LIKE="rhel fedora"\nVERSION_ID="10"\nVARIANT_ID=bootc\n',
      isOstree: true,
      isContainerImage: true,
      tools: ['bootc', 'dnf', 'rpm-ostree'],
      available: { [AVAILABLE_OS]: '42.20260202.0' },
      deployment: { version: VERSION, checksum: imageDigest(IMAGE, VERSION), image: IMAGE },
    },
  },
  execute: (machine, argv) => {
    const lock = executeOstreeLock(machine, argv);
    if (lock) return lock;
    if (isDeepStrictEqual(argv, bootc.image?.deployments.argv)) return simulatedResult(0, statusJson(machine));
    const [program, ...args] = argv;
    if (program !== 'bootc') return undefined;
    const currentImage = (machine.staged ?? machine.booted)?.image ?? '';
    const [verb, image = ''] = positionalArgs(args);
    if (verb === 'upgrade') return stage(machine, currentImage);
    if (verb !== 'switch') return undefined;
    return image === currentImage ? simulatedResult(0, 'Image specification is unchanged.\n') : stage(machine, image);
  },
};
