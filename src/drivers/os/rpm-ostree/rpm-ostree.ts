import type { Argv, HostQuery } from '../../../domain/command.ts';
import { parseJson, stringAt, valueAt } from '../command-output.ts';
import type { Deployment, Deployments, OsDriver } from '../os-driver.ts';
import { isBootcManaged, isFedoraCoreos } from '../rpm.ts';
import {
  enableServices,
  hasStagedDeployment,
  installCommands,
  LOCK_STAGED,
  matchesDigest,
  UNLOCK_STAGED,
} from '../shared-commands.ts';

// `finalize-deployment` asks for the digest of a container image, and else for the commit below the layered packages.
const toDeployment = (found: unknown): Deployment => ({
  version: stringAt(found, 'version'),
  checksum:
    stringAt(found, 'container-image-reference-digest') ||
    stringAt(found, 'base-checksum') ||
    stringAt(found, 'checksum'),
  image: stringAt(found, 'container-image-reference'),
});

/** The first of the list is what the next boot brings, be it staged or written already. */
export const deploymentsQuery: HostQuery<Deployments> = {
  argv: ['rpm-ostree', 'status', '--json'],
  parse: result => {
    const list = result.exitCode === 0 ? valueAt(parseJson(result), 'deployments') : undefined;
    if (!Array.isArray(list) || list.length === 0) return undefined;
    const isBooted = (found: unknown) => valueAt(found, 'booted') === true;
    const booted: unknown = list.find(isBooted);
    return {
      booted: booted === undefined ? undefined : toDeployment(booted),
      staged: isBooted(list[0]) ? undefined : toDeployment(list[0]),
    };
  },
};

export interface DeployTarget {
  /** A revision is found in what the host follows already; a reference is what it shall follow from now on. */
  readonly kind: 'revision' | 'reference';
  readonly value: string;
}

const isValidTarget = (text: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._:/@+~=-]{0,511}$/.test(text);

/** What rpm-ostree is told for what people write: a version, a commit, a digest, an image or a branch of OSTree. */
export function parseDeployTarget(value: string): DeployTarget | undefined {
  if (!isValidTarget(value)) return undefined;
  if (/^[0-9a-f]{64}$/.test(value)) return { kind: 'revision', value: `revision=${value}` };
  if (/^sha256:[0-9a-f]{64}$/.test(value)) return { kind: 'revision', value };
  // Whole references say themselves whether a signature must be there.
  if (/^ostree-[a-z-]+:/.test(value)) return { kind: 'reference', value };
  if (value.startsWith('docker://')) return { kind: 'reference', value: `ostree-unverified-image:${value}` };
  // REMOTE:BRANCH; what looks the same but is a registry has a port there.
  if (/^[A-Za-z0-9._-]+:(?![0-9]+\/)[^:]*\/[^:]*$/.test(value)) return { kind: 'reference', value };
  if (value.includes('/')) return { kind: 'reference', value: `ostree-unverified-registry:${value}` };
  return value.includes(':') || value.includes('@')
    ? undefined
    : { kind: 'revision', value: `version=${value}` };
}

/** Whether the deployment is certainly the target. What a branch or a tag points to is not. */
export function matchesDeployTarget({ kind, value }: DeployTarget, deployment: Deployment): boolean {
  if (kind === 'reference') return matchesDigest(value, deployment);
  const { version, checksum } = deployment;
  return [`version=${version}`, `revision=${checksum}`, checksum].includes(value);
}

// Fedora CoreOS, and other systems booted from an OSTree that bootc does not know or refuses. A deployment is staged with its
// finalization locked: a stray reboot drops it. `finalize-deployment` unlocks the one that it is told, and reboots by itself.

/**
 * On Fedora CoreOS Zincati has registered as the one who upgrades: deploy, rebase and upgrade refuse while its unit is active. To
 * bypass it skips that check and nothing else, so it changes nothing where nobody has registered. Only a new deployment is locked:
 * one that is there already and stays is left as it is, also unlocked.
 */
const STAGE_OPTIONS = ['--lock-finalization', '--bypass-driver'];

// What the base has already is not requested, since that would be a deployment for nothing.
const INSTALL = `rpm -q "$@" >/dev/null 2>&1 && exit
exec rpm-ostree install --assumeyes --idempotent --allow-inactive --apply-live "$@"`;

// Who follows a reference already cannot rebase to it, but has what it points to now by an upgrade; a digest never points elsewhere.
const REBASE = `said=$(LC_ALL=C rpm-ostree rebase ${STAGE_OPTIONS.join(' ')} "$1" 2>&1)
code=$?
printf '%s\\n' "$said"
case $said in *'Old and new refs are equal'*) ;; *) exit "$code" ;; esac
case $1 in *@sha256:*) exit 0 ;; esac
exec rpm-ostree upgrade ${STAGE_OPTIONS.join(' ')}`;

const rebase = (reference: string): Argv => ['sh', '-c', REBASE, 'sh', reference];

export const rpmOstree: OsDriver = {
  type: 'rpm-ostree',
  summary: 'Fedora CoreOS and other OSTree systems; deployments with rpm-ostree',
  osNames: ['coreos', 'atomic'],
  matchOs: (id, traits) => {
    if (isFedoraCoreos(id, traits)) return 'coreos';
    return traits.isOstree && !isBootcManaged(id, traits) ? 'atomic' : undefined;
  },
  requiredTools: ['rpm-ostree'],
  requiredPackages: [],
  install: packages => installCommands(packages, ['sh', '-c', INSTALL, 'sh', ...packages]),
  enable: enableServices,
  upgrade: {
    stage: [['rpm-ostree', 'upgrade', ...STAGE_OPTIONS]],
    hasUpdates: hasStagedDeployment(deploymentsQuery),
    apply: [UNLOCK_STAGED],
  },
  rebootRequired: hasStagedDeployment(deploymentsQuery),
  image: {
    stage: text => {
      const target = parseDeployTarget(text);
      if (target === undefined) return undefined;
      return target.kind === 'reference'
        ? [rebase(target.value)]
        : [['rpm-ostree', 'deploy', ...STAGE_OPTIONS, target.value]];
    },
    matchesTarget: (text, deployment) => {
      const target = parseDeployTarget(text);
      return target !== undefined && matchesDeployTarget(target, deployment);
    },
    // It asks for no driver, and needs the checksum. It refuses while somebody inhibits a shutdown. `--allow-unlocked`: repeatable.
    finalize: ({ checksum }) => ({
      commands: [['rpm-ostree', 'finalize-deployment', '--allow-unlocked', checksum]],
      reboots: true,
    }),
    lock: [LOCK_STAGED],
    deployments: deploymentsQuery,
  },
};
