// A driver runs nothing itself. All commands except those in facts.ts run as root. They are safe to repeat, ask no
// questions and open no pager. At most one driver matches a system.

import type { Argv, HostQuery } from '../../domain/command.ts';
import type { HostFacts, Liveness } from '../../domain/hosts/host-facts.ts';

export interface SystemTraits {
  /** ID in os-release, also while `matchOs` gets an ID from ID_LIKE. */
  readonly id: string;
  /** VARIANT_ID in os-release; can be empty. */
  readonly variantId: string;
  readonly isOstree: boolean;
  /** Whether the booted deployment is from a container image. */
  readonly isContainerImage: boolean;
  /** Whether rpm-ostree has modified the booted deployment: layered packages, overrides, local initramfs. */
  readonly isLayered: boolean;
  readonly tools: ReadonlySet<Tool>;
}

export interface Deployment {
  readonly version: string;
  /** Commit or digest; can be empty. */
  readonly checksum: string;
  /** Image reference; empty if the deployment is not from a container image. */
  readonly image: string;
}

export interface Deployments {
  readonly booted: Deployment | undefined;
  readonly staged: Deployment | undefined;
}

/** `stage` does not disrupt the host; `apply` upgrades, or allows the next boot to upgrade. Neither reboots. */
interface UpgradeCommands {
  readonly stage: readonly Argv[];
  /** After `stage`: whether `apply` would change anything. Changes nothing and uses no network. */
  readonly hasUpdates: HostQuery<boolean>;
  readonly apply: readonly Argv[];
}

interface ImageCommands {
  /** Locked if the tool supports it, against unplanned reboots. `undefined` if the target is invalid for this tool. */
  stage(target: string): readonly Argv[] | undefined;
  /** Compares by version, commit or digest. Tags and branches move and never match. */
  matchesTarget(target: string, deployment: Deployment): boolean;
  /** Allows the next boot to apply the staged deployment. `reboots`: the last command reboots the host. */
  finalize(staged: Deployment): { readonly commands: readonly Argv[]; readonly reboots: boolean };
  /** Locks the staged deployment again, also after an upgrade. Empty if the tool cannot lock. */
  readonly lock: readonly Argv[];
  readonly deployments: HostQuery<Deployments>;
}

export interface OsDriver {
  readonly type: string;
  readonly summary: string;
  /** All values of `os` that this driver assigns. */
  readonly osNames: readonly string[];
  /** The `os` of a system with this ID in os-release, `undefined` if unsupported. Does not check `requiredTools`. */
  matchOs(id: string, traits: SystemTraits): string | undefined;
  /** A host without one of these tools has an `os` but no driver. */
  readonly requiredTools: readonly Tool[];
  /** Packages that the commands need and minimal systems lack. */
  readonly requiredPackages?: readonly string[];
  /** Returns `undefined` if the system does not support package installation or a name is invalid. */
  install(packages: readonly string[]): readonly Argv[] | undefined;
  readonly upgrade: UpgradeCommands;
  readonly rebootRequired: HostQuery<boolean>;
  /** Undefined for package-based systems. */
  readonly image?: ImageCommands;
}

/** Tools that the facts script looks for. */
export const TOOLS = [
  'apt-get',
  'dnf',
  'yum',
  'zypper',
  'transactional-update',
  'rpm-ostree',
  'bootc',
  'update_engine_client',
] as const;

export type Tool = (typeof TOOLS)[number];

export interface Readiness {
  readonly bootId: string;
  readonly isUp: boolean;
  /** Message for the user; contains no text from the host. */
  readonly detail: string;
}

/** All OS drivers, and queries that do not depend on the OS. The queries do not need root. */
export interface OsRegistry {
  readonly drivers: readonly OsDriver[];
  readonly osNames: readonly string[];
  readonly facts: HostQuery<HostFacts>;
  /** Returns the boot ID with the cheapest possible command. */
  readonly liveness: HostQuery<Liveness>;
  /** Whether the system has finished booting. Cheap enough to run every few seconds. */
  readonly readiness: HostQuery<Readiness>;
}
