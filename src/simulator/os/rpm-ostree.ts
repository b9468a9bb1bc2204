import { isDeepStrictEqual } from 'node:util';
import type { CommandResult } from '../../domain/command.ts';
import { deploymentsQuery, rpmOstree } from '../../drivers/os/rpm-ostree/rpm-ostree.ts';
import type { CommandSimulator, MachineDeployment, SimulatedMachine } from '../simulated-machine.ts';
import { isSameScript, parseShellScript, positionalArgs, simulatedResult } from '../simulated-machine.ts';
import {
  AVAILABLE_OS,
  checksumOf,
  executeOstreeLock,
  imageDigest,
  installPackages,
  stageDeployment,
} from './software.ts';

const REBASE = rpmOstree.image?.stage('example.org/os')?.[0];
const INSTALL = rpmOstree.install(['any'])?.[0];

const deploymentEntry = ({ version, checksum, image, isLocked }: MachineDeployment, isBooted: boolean) => ({
  osname: 'fedora-coreos',
  booted: isBooted,
  staged: !isBooted,
  'finalization-locked': isLocked,
  version,
  checksum: image === '' ? checksum : checksumOf(`commit of ${checksum}`),
  ...(image !== '' && { 'container-image-reference': image, 'container-image-reference-digest': checksum }),
});

const statusJson = ({ booted, staged }: SimulatedMachine): string =>
  JSON.stringify({
    deployments: [
      ...(staged ? [deploymentEntry(staged, false)] : []),
      ...(booted ? [deploymentEntry(booted, true)] : []),
    ],
    transaction: null,
  });

function stage(machine: SimulatedMachine, wanted: MachineDeployment): CommandResult {
  if (machine.isDiskFull)
    return simulatedResult(1, '', "error: min-free-space-percent '3%' would be exceeded, at least 1.2 GB requested\n");
  const isNew = stageDeployment(machine, wanted);
  return simulatedResult(0, isNew ? 'Staging deployment... done\n' : 'No upgrade available.\n');
}

const newestVersion = ({ available, booted }: SimulatedMachine) => available.get(AVAILABLE_OS) ?? booted?.version ?? '';

function upgrade(machine: SimulatedMachine, isLocked: boolean): CommandResult {
  const [image, version] = [(machine.staged ?? machine.booted)?.image ?? '', newestVersion(machine)];
  const checksum = image === '' ? checksumOf(version) : imageDigest(image, version);
  return stage(machine, { version, checksum, image, isLocked });
}

/** Simulates the rebase script of the driver, which locks the deployment. */
function rebase(machine: SimulatedMachine, reference: string): CommandResult {
  const [, digest] = /@(sha256:[0-9a-f]{64})$/.exec(reference) ?? [];
  if ((machine.staged ?? machine.booted)?.image === reference)
    return digest === undefined ? upgrade(machine, true) : simulatedResult(0, 'error: Old and new refs are equal\n');
  const tag = /:([^/:@]+)$/.exec(reference)?.[1] ?? '';
  const version = /^[0-9]/.test(tag) && digest === undefined ? tag : newestVersion(machine);
  const checksum = digest ?? imageDigest(reference, version);
  return stage(machine, { version, checksum, image: reference, isLocked: true });
}

function deploy(machine: SimulatedMachine, revision: string, isLocked: boolean): CommandResult {
  const [, kind, value = revision] = /^(version|revision)=(.*)$/.exec(revision) ?? [];
  if (kind === 'version') return stage(machine, { version: value, checksum: checksumOf(value), image: '', isLocked });
  const known = [newestVersion(machine), machine.booted?.version ?? ''].find(version => checksumOf(version) === value);
  const image = kind === 'revision' ? '' : ((machine.staged ?? machine.booted)?.image ?? '');
  return stage(machine, { version: known ?? '', checksum: value, image, isLocked });
}

function finalize(machine: SimulatedMachine, checksum: string, isUnlockedAllowed: boolean): CommandResult {
  const { staged } = machine;
  if (staged === undefined) return simulatedResult(1, '', 'error: No pending staged deployment found\n');
  if (staged.checksum !== checksum)
    return simulatedResult(1, '', `error: Expected staged base checksum ${checksum}, but found ${staged.checksum}\n`);
  if (!staged.isLocked && !isUnlockedAllowed)
    return simulatedResult(1, '', 'error: Staged deployment already unlocked\n');
  staged.isLocked = false;
  machine.power.reboot();
  return simulatedResult(0);
}

function install(machine: SimulatedMachine, names: readonly string[]): CommandResult {
  if (names.every(name => machine.packages.has(name))) return simulatedResult(0);
  const result = installPackages(machine, names, {
    unknown: name => simulatedResult(1, '', `error: Packages not found: ${name}\n`),
    done: simulatedResult(0, 'Staging deployment... done\n'),
  });
  if (result.exitCode === 0 && machine.booted) machine.staged = { ...machine.booted };
  return result;
}

const template = (osRelease: string, version: string, available: string) => ({
  osRelease,
  isOstree: true,
  tools: ['rpm-ostree'],
  packages: { 'openssh-server': '10.0p1-3' },
  available: { [AVAILABLE_OS]: available, curl: '8.15.0-2', etcd: '3.5.21-1' },
  deployment: { version, checksum: checksumOf(version), image: '' },
});

export const simulatedRpmOstree: CommandSimulator = {
  templates: {
    coreos: template(
      'NAME="Fedora Linux"\nID=fedora\nVERSION_ID=43\nVARIANT_ID=coreos\nOSTREE_VERSION=\'43.20260105.3.0\'\n',
      '43.20260105.3.0',
      '43.20260202.3.0',
    ),
    atomic: template(
      'NAME="Fedora Linux"\nID=fedora\nVERSION_ID=43\nVARIANT_ID=iot\n',
      '43.20260105.0',
      '43.20260202.0',
    ),
  },
  execute: (machine, argv) => {
    const lock = executeOstreeLock(machine, argv);
    if (lock) return lock;
    if (isDeepStrictEqual(argv, deploymentsQuery.argv)) return simulatedResult(0, statusJson(machine));
    const script = parseShellScript(argv);
    if (isSameScript(argv, REBASE)) return rebase(machine, script?.args[0] ?? '');
    if (isSameScript(argv, INSTALL)) return install(machine, script?.args ?? []);
    const [program, ...args] = argv;
    if (program !== 'rpm-ostree') return undefined;
    const [verb, value = ''] = positionalArgs(args);
    const isLocked = args.includes('--lock-finalization');
    if (verb === 'upgrade') return upgrade(machine, isLocked);
    if (verb === 'deploy') return deploy(machine, value, isLocked);
    if (verb !== 'finalize-deployment') return undefined;
    return finalize(machine, value, args.includes('--allow-unlocked'));
  },
};
