import { isDeepStrictEqual } from 'node:util';
import type { Ran } from '../../../domain/command.ts';
import type { Machine, MachineDeployment, MachineFake } from '../../machine.ts';
import { said, wordsOf } from '../fake-answers.ts';
import { checksumOf, OFFERED_OS, stageDeployment } from '../fake-deployments.ts';
import { ostreeLockAnswer } from '../fake-ostree.ts';
import { bootc } from './bootc.ts';

const entry = (deployment: MachineDeployment | undefined) =>
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

const statusOf = ({ booted, staged }: Machine): string =>
  JSON.stringify({
    apiVersion: 'org.containers.bootc/v1',
    kind: 'BootcHost',
    status: { staged: entry(staged), booted: entry(booted), rollback: null, type: 'bootcHost' },
  });

const digestOf = (image: string, version: string) => `sha256:${checksumOf(`${image} ${version}`)}`;

function stage(machine: Machine, image: string): Ran {
  if (machine.isDiskFull)
    return said(
      1,
      '',
      'error: Upgrading: Pulling: Importing: Unencapsulating base: No space left on device (os error 28)\n',
    );
  const [, tag = ''] = /:([^/:@]+)(?:@.*)?$/.exec(image) ?? [];
  const [, digest] = /@(sha256:.*)$/.exec(image) ?? [];
  const version = /^[0-9]/.test(tag) ? tag : (machine.offered.get(OFFERED_OS) ?? '');
  const checksum = digest ?? digestOf(image, version);
  const isNew = stageDeployment(machine, { version, checksum, image, isLocked: false });
  // Since 1.12 an upgrade also unlocks what it finds staged.
  if (machine.staged) machine.staged.isLocked = false;
  return said(0, isNew ? `Queued for next boot: ${image}\n` : `No changes in: ${image}\n`);
}

const IMAGE = 'quay.io/example/os:stable';
const VERSION = '42.20260105.0';

export const bootcFake: MachineFake = {
  blueprints: {
    atomic: {
      osRelease:
        'NAME="CentOS Stream"\nID="centos"\nID_LIKE="rhel fedora"\nVERSION_ID="10"\nVARIANT_ID=bootc\n',
      isOstree: true,
      isContainerImage: true,
      tools: ['bootc', 'dnf', 'rpm-ostree'],
      offered: { [OFFERED_OS]: '42.20260202.0' },
      deployment: { version: VERSION, checksum: digestOf(IMAGE, VERSION), image: IMAGE },
    },
  },
  answer: (machine, argv) => {
    const lock = ostreeLockAnswer(machine, argv);
    if (lock) return lock;
    if (isDeepStrictEqual(argv, bootc.image?.deployments.argv)) return said(0, statusOf(machine));
    const [program, ...args] = argv;
    if (program !== 'bootc') return undefined;
    const followed = (machine.staged ?? machine.booted)?.image ?? '';
    const [verb, image = ''] = wordsOf(args);
    if (verb === 'upgrade') return stage(machine, followed);
    if (verb !== 'switch') return undefined;
    return image === followed ? said(0, 'Image specification is unchanged.\n') : stage(machine, image);
  },
};
