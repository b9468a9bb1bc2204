// Systems that came as a container image. bootc itself can lock what it stages only since 1.12, and not for `switch`; but below it is
// OSTree, whose lock is the same one. So between the end of bootc's command and the lock a stray reboot applies what is staged.

import type { Argv, HostQuery } from '../../../domain/command.ts';
import { parseJson, stringAt, valueAt } from '../command-output.ts';
import type { Deployment, Deployments, OsDriver } from '../os-driver.ts';
import { isBootcManaged } from '../rpm.ts';
import {
  enableServices,
  hasStagedDeployment,
  LOCK_STAGED,
  matchesDigest,
  UNLOCK_STAGED,
} from '../shared-commands.ts';

const UPGRADE: Argv = ['bootc', 'upgrade'];

/** An image as a registry knows it: always with a path, with a tag or digest or without. */
const IMAGE =
  /^[A-Za-z0-9][A-Za-z0-9._-]*(?::[0-9]+)?(?:\/[A-Za-z0-9._-]+)+(?::[A-Za-z0-9._-]+)?(?:@sha256:[0-9a-f]{64})?$/;

const isImage = (target: string): boolean => target.length <= 512 && IMAGE.test(target);

// A deployment that did not come as an image has only its commit.
const toDeployment = (found: unknown): Deployment | undefined =>
  found === null || found === undefined
    ? undefined
    : {
        version: stringAt(found, 'image', 'version'),
        checksum: stringAt(found, 'image', 'imageDigest') || stringAt(found, 'ostree', 'checksum'),
        image: stringAt(found, 'image', 'image', 'image'),
      };

const deploymentsQuery: HostQuery<Deployments> = {
  argv: ['bootc', 'status', '--format=json'],
  parse: result => {
    const status = result.exitCode === 0 ? valueAt(parseJson(result), 'status') : undefined;
    const [booted, staged] = [valueAt(status, 'booted'), valueAt(status, 'staged')];
    return booted === undefined ? undefined : { booted: toDeployment(booted), staged: toDeployment(staged) };
  },
};

export const bootc: OsDriver = {
  type: 'bootc',
  summary: 'Systems booted from container images; deployments with bootc',
  osNames: ['atomic'],
  matchOs: (id, traits) => (isBootcManaged(id, traits) ? 'atomic' : undefined),
  requiredTools: ['bootc'],
  requiredPackages: [],
  // Layered packages would take the host out of bootc's hands: what is needed belongs into the image.
  install: packages => (packages.length === 0 ? [] : undefined),
  enable: enableServices,
  upgrade: {
    stage: [UPGRADE, LOCK_STAGED],
    hasUpdates: hasStagedDeployment(deploymentsQuery),
    apply: [UNLOCK_STAGED],
  },
  rebootRequired: hasStagedDeployment(deploymentsQuery),
  image: {
    // Who follows the image already is left as it is by `switch`, and gets what its tag points to now by the upgrade.
    stage: target =>
      isImage(target) ? [['bootc', 'switch', '--', target], UPGRADE, LOCK_STAGED] : undefined,
    matchesTarget: (target, deployment) => isImage(target) && matchesDigest(target, deployment),
    finalize: () => ({ commands: [UNLOCK_STAGED], reboots: false }),
    lock: [LOCK_STAGED],
    deployments: deploymentsQuery,
  },
};
