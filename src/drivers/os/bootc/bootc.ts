// Systems installed from a container image. bootc can lock a staged deployment only since 1.12, and not with `switch`,
// so the lock of OSTree is used. A reboot between the bootc command and the lock applies the staged deployment.

import type { Argv, HostQuery } from '../../../domain/command.ts';
import { parseJson, stringAt, valueAt } from '../command-output.ts';
import type { Deployment, Deployments, OsDriver } from '../os-driver.ts';
import { isBootcManaged } from '../rpm.ts';
import { hasStagedDeployment, LOCK_STAGED, matchesDigest, UNLOCK_STAGED } from '../shared-commands.ts';

const UPGRADE: Argv = ['bootc', 'upgrade'];

/** An image reference with a path; tag and digest are optional. */
const IMAGE =
  /^[A-Za-z0-9][A-Za-z0-9._-]*(?::[0-9]+)?(?:\/[A-Za-z0-9._-]+)+(?::[A-Za-z0-9._-]+)?(?:@sha256:[0-9a-f]{64})?$/;

const isImage = (target: string): boolean => target.length <= 512 && IMAGE.test(target);

// A deployment that is not from an image has only a commit.
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
  // bootc refuses hosts with layered packages; packages belong in the image.
  install: packages => (packages.length === 0 ? [] : undefined),
  upgrade: {
    stage: [UPGRADE, LOCK_STAGED],
    hasUpdates: hasStagedDeployment(deploymentsQuery),
    apply: [UNLOCK_STAGED],
  },
  rebootRequired: hasStagedDeployment(deploymentsQuery),
  image: {
    // `switch` does nothing if the host already uses the image; `upgrade` then gets the current version of the tag.
    stage: target => (isImage(target) ? [['bootc', 'switch', '--', target], UPGRADE, LOCK_STAGED] : undefined),
    matchesTarget: (target, deployment) => isImage(target) && matchesDigest(target, deployment),
    finalize: () => ({ commands: [UNLOCK_STAGED], reboots: false }),
    lock: [LOCK_STAGED],
    deployments: deploymentsQuery,
  },
};
