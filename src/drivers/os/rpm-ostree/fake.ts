import { isDeepStrictEqual } from 'node:util';
import type { Ran } from '../../../domain/command.ts';
import type { Machine, MachineDeployment, MachineFake } from '../../machine.ts';
import { isSameScript, said, scriptOf, wordsOf } from '../fake-answers.ts';
import { checksumOf, OFFERED_OS, stageDeployment } from '../fake-deployments.ts';
import { ostreeLockAnswer } from '../fake-ostree.ts';
import { installPackages, unknownTo } from '../fake-packages.ts';
import { rpmOstree } from './rpm-ostree.ts';
import { deployments } from './status.ts';

const REBASE = rpmOstree.image?.stage('example.org/os')?.[0];
const INSTALL = rpmOstree.install(['any'])?.[0];

const row = ({ version, checksum, image, isLocked }: MachineDeployment, isBooted: boolean) => ({
  osname: 'fedora-coreos',
  booted: isBooted,
  staged: !isBooted,
  'finalization-locked': isLocked,
  version,
  checksum: image === '' ? checksum : checksumOf(`commit of ${checksum}`),
  ...(image !== '' && { 'container-image-reference': image, 'container-image-reference-digest': checksum }),
});

const statusOf = ({ booted, staged }: Machine): string =>
  JSON.stringify({
    deployments: [...(staged ? [row(staged, false)] : []), ...(booted ? [row(booted, true)] : [])],
    transaction: null,
  });

function stage(machine: Machine, wanted: MachineDeployment): Ran {
  if (machine.isDiskFull)
    return said(1, '', "error: min-free-space-percent '3%' would be exceeded, at least 1.2 GB requested\n");
  const isNew = stageDeployment(machine, wanted);
  return said(0, isNew ? 'Staging deployment... done\n' : 'No upgrade available.\n');
}

const newest = ({ offered, booted }: Machine) => offered.get(OFFERED_OS) ?? booted?.version ?? '';
const digestOf = (image: string, version: string) => `sha256:${checksumOf(`${image} ${version}`)}`;

function upgrade(machine: Machine, isLocked: boolean): Ran {
  const [image, version] = [(machine.staged ?? machine.booted)?.image ?? '', newest(machine)];
  const checksum = image === '' ? checksumOf(version) : digestOf(image, version);
  return stage(machine, { version, checksum, image, isLocked });
}

/** As the script does it, which locks. */
function rebase(machine: Machine, reference: string): Ran {
  const [, digest] = /@(sha256:[0-9a-f]{64})$/.exec(reference) ?? [];
  if ((machine.staged ?? machine.booted)?.image === reference)
    return digest === undefined ? upgrade(machine, true) : said(0, 'error: Old and new refs are equal\n');
  const tag = /:([^/:@]+)$/.exec(reference)?.[1] ?? '';
  const version = /^[0-9]/.test(tag) && digest === undefined ? tag : newest(machine);
  const checksum = digest ?? digestOf(reference, version);
  return stage(machine, { version, checksum, image: reference, isLocked: true });
}

function deploy(machine: Machine, revision: string, isLocked: boolean): Ran {
  const [, kind, value = revision] = /^(version|revision)=(.*)$/.exec(revision) ?? [];
  const image = (machine.staged ?? machine.booted)?.image ?? '';
  if (kind === 'version')
    return stage(machine, { version: value, checksum: checksumOf(value), image: '', isLocked });
  const known = [newest(machine), machine.booted?.version ?? ''].find(
    version => checksumOf(version) === value,
  );
  return stage(machine, {
    version: known ?? '',
    checksum: value,
    image: kind === 'revision' ? '' : image,
    isLocked,
  });
}

function finalize(machine: Machine, checksum: string, isUnlockedAllowed: boolean): Ran {
  const { staged } = machine;
  if (staged === undefined) return said(1, '', 'error: No pending staged deployment found\n');
  if (staged.checksum !== checksum)
    return said(1, '', `error: Expected staged base checksum ${checksum}, but found ${staged.checksum}\n`);
  if (!staged.isLocked && !isUnlockedAllowed)
    return said(1, '', 'error: Staged deployment already unlocked\n');
  staged.isLocked = false;
  machine.reboot();
  return said(0);
}

function install(machine: Machine, names: readonly string[]): Ran {
  if (names.every(name => machine.packages.has(name))) return said(0);
  const [unknown] = unknownTo(machine, names);
  if (unknown !== undefined) return said(1, '', `error: Packages not found: ${unknown}\n`);
  installPackages(machine, names);
  if (machine.booted) machine.staged = { ...machine.booted };
  return said(0, 'Staging deployment... done\n');
}

const blueprint = (osRelease: string, version: string, offered: string) => ({
  osRelease,
  isOstree: true,
  tools: ['rpm-ostree'],
  packages: { 'openssh-server': '10.0p1-3' },
  offered: { [OFFERED_OS]: offered, curl: '8.15.0-2', etcd: '3.5.21-1' },
  deployment: { version, checksum: checksumOf(version), image: '' },
});

export const rpmOstreeFake: MachineFake = {
  blueprints: {
    coreos: blueprint(
      'NAME="Fedora Linux"\nID=fedora\nVERSION_ID=43\nVARIANT_ID=coreos\nOSTREE_VERSION=\'43.20260105.3.0\'\n',
      '43.20260105.3.0',
      '43.20260202.3.0',
    ),
    atomic: blueprint(
      'NAME="Fedora Linux"\nID=fedora\nVERSION_ID=43\nVARIANT_ID=iot\n',
      '43.20260105.0',
      '43.20260202.0',
    ),
  },
  answer: (machine, argv) => {
    const lock = ostreeLockAnswer(machine, argv);
    if (lock) return lock;
    if (isDeepStrictEqual(argv, deployments.argv)) return said(0, statusOf(machine));
    const inner = scriptOf(argv);
    if (isSameScript(argv, REBASE)) return rebase(machine, inner?.args[0] ?? '');
    if (isSameScript(argv, INSTALL)) return install(machine, inner?.args ?? []);
    const [program, ...args] = argv;
    if (program !== 'rpm-ostree') return undefined;
    const [verb, value = ''] = wordsOf(args);
    const isLocked = args.includes('--lock-finalization');
    if (verb === 'upgrade') return upgrade(machine, isLocked);
    if (verb === 'deploy') return deploy(machine, value, isLocked);
    if (verb !== 'finalize-deployment') return undefined;
    return finalize(machine, value, args.includes('--allow-unlocked'));
  },
};
