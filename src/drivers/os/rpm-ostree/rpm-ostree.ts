// Fedora CoreOS and other OSTree systems that bootc does not manage. Deployments are staged with locked finalization,
// so an unplanned reboot discards them. `finalize-deployment` unlocks the given deployment and reboots.

import type { HostQuery } from '../../../domain/command.ts';
import { scriptArgv } from '../../../domain/command.ts';
import { parseJson, stringAt, valueAt } from '../command-output.ts';
import type { Deployment, Deployments, OsDriver } from '../os-driver.ts';
import { isBootcManaged, isFedoraCoreos } from '../rpm.ts';
import { hasStagedDeployment, installCommands, LOCK_STAGED, matchesDigest, UNLOCK_STAGED } from '../shared-commands.ts';

// `finalize-deployment` requires the digest of a container image, otherwise the commit below the layered packages.
const toDeployment = (found: unknown): Deployment => ({
  version: stringAt(found, 'version'),
  checksum:
    stringAt(found, 'container-image-reference-digest') ||
    stringAt(found, 'base-checksum') ||
    stringAt(found, 'checksum'),
  image: stringAt(found, 'container-image-reference'),
});

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

interface DeployTarget {
  /** A revision belongs to the current origin of the host; a reference is a new origin. */
  readonly kind: 'revision' | 'reference';
  readonly value: string;
}

/** Converts user input to an argument of rpm-ostree: a version, commit, digest, image or OSTree branch. */
function parseDeployTarget(value: string): DeployTarget | undefined {
  if (!/^[A-Za-z0-9][A-Za-z0-9._:/@+~=-]{0,511}$/.test(value)) return undefined;
  if (/^[0-9a-f]{64}$/.test(value)) return { kind: 'revision', value: `revision=${value}` };
  if (/^sha256:[0-9a-f]{64}$/.test(value)) return { kind: 'revision', value };
  // Complete references specify the signature verification themselves.
  if (/^ostree-[a-z-]+:/.test(value)) return { kind: 'reference', value };
  if (value.startsWith('docker://')) return { kind: 'reference', value: `ostree-unverified-image:${value}` };
  // REMOTE:BRANCH. A number before the slash is the port of a registry.
  if (/^[A-Za-z0-9._-]+:(?![0-9]+\/)[^:]*\/[^:]*$/.test(value)) return { kind: 'reference', value };
  if (value.includes('/')) return { kind: 'reference', value: `ostree-unverified-registry:${value}` };
  return value.includes(':') || value.includes('@') ? undefined : { kind: 'revision', value: `version=${value}` };
}

function matchesDeployTarget({ kind, value }: DeployTarget, deployment: Deployment): boolean {
  if (kind === 'reference') return matchesDigest(value, deployment);
  const { version, checksum } = deployment;
  return [`version=${version}`, `revision=${checksum}`, checksum].includes(value);
}

// `--lock-finalization` locks only a new deployment. On Fedora CoreOS, the commands refuse to run while the registered
// update driver Zincati is active; `--bypass-driver` skips this check.
const STAGE_OPTIONS = ['--lock-finalization', '--bypass-driver'];

// Packages of the base image are not requested, because that would create a needless deployment.
const INSTALL = `rpm -q "$@" >/dev/null 2>&1 && exit
exec rpm-ostree install --assumeyes --idempotent --allow-inactive --apply-live "$@"`;

// rpm-ostree cannot rebase to the current reference, so an upgrade gets its current version. A digest needs no upgrade.
const REBASE = `output=$(LC_ALL=C rpm-ostree rebase ${STAGE_OPTIONS.join(' ')} "$1" 2>&1)
code=$?
printf '%s\\n' "$output"
case $output in *'Old and new refs are equal'*) ;; *) exit "$code" ;; esac
case $1 in *@sha256:*) exit 0 ;; esac
exec rpm-ostree upgrade ${STAGE_OPTIONS.join(' ')}`;

export const rpmOstree: OsDriver = {
  type: 'rpm-ostree',
  summary: 'Fedora CoreOS and other OSTree systems; deployments with rpm-ostree',
  osNames: ['coreos', 'atomic'],
  matchOs: (id, traits) => {
    if (isFedoraCoreos(id, traits)) return 'coreos';
    return traits.isOstree && !isBootcManaged(id, traits) ? 'atomic' : undefined;
  },
  requiredTools: ['rpm-ostree'],
  install: packages => installCommands(packages, scriptArgv(INSTALL, ...packages)),
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
        ? [scriptArgv(REBASE, target.value)]
        : [['rpm-ostree', 'deploy', ...STAGE_OPTIONS, target.value]];
    },
    matchesTarget: (text, deployment) => {
      const target = parseDeployTarget(text);
      return target !== undefined && matchesDeployTarget(target, deployment);
    },
    // `finalize-deployment` ignores the update driver and needs the checksum. It refuses to run while a shutdown
    // inhibitor is active. `--allow-unlocked` makes it repeatable.
    finalize: ({ checksum }) => ({
      commands: [['rpm-ostree', 'finalize-deployment', '--allow-unlocked', checksum]],
      reboots: true,
    }),
    lock: [LOCK_STAGED],
    deployments: deploymentsQuery,
  },
};
