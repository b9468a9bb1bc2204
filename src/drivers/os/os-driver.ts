// An OS driver says what to run on a kind of system, and reads what comes back; it runs nothing. Commands are argument lists.
// Everything but `facts.ts` runs as root. What must hold: each command may be repeated; no command asks a question or opens a pager;
// of all drivers at most one recognises a system.

import type { Argv, HostQuery } from '../../domain/command.ts';
import type { HostFacts, Liveness } from '../../domain/hosts/host-facts.ts';

/** What tells one kind of system from another; `facts.ts` reads it. */
export interface SystemTraits {
  /** From os-release: what it calls itself, also while a driver is shown what it is like. */
  readonly id: string;
  /** From os-release; `''` where it says nothing. */
  readonly variantId: string;
  /** Whether it was booted from an OSTree. */
  readonly isOstree: boolean;
  /** Whether the deployment that it was booted from came as a container image. */
  readonly isContainerImage: boolean;
  /** Whether rpm-ostree has changed that deployment on the host: layered packages, overrides, an initramfs of its own. */
  readonly isLayered: boolean;
  /** Those of `TOOLS` that are there. */
  readonly tools: ReadonlySet<Tool>;
}

/** A deployment of an image system: one whole version of the system. */
export interface Deployment {
  /** As the image calls itself; `''` where it does not. */
  readonly version: string;
  /** The commit or digest; `''` where the tool tells none. */
  readonly checksum: string;
  /** The image reference it came from; `''` where it is no container image. */
  readonly image: string;
}

export interface Deployments {
  readonly booted: Deployment | undefined;
  /** What the next boot will bring. */
  readonly staged: Deployment | undefined;
}

/** `stage` disturbs nobody; `apply` upgrades, or lets the next boot do so. Neither reboots. */
export interface UpgradeCommands {
  readonly stage: readonly Argv[];
  /** After `stage`: whether `apply` would change anything. It changes nothing itself, and asks no server. */
  readonly hasUpdates: HostQuery<boolean>;
  readonly apply: readonly Argv[];
}

/** How a version of an image system gets onto a host. */
export interface ImageCommands {
  /**
   * Downloads and stages a version, commit, tag or image reference; where the tool can lock it, a stray reboot does not apply it.
   * `undefined`: the tool cannot be given such a target.
   */
  stage(target: string): readonly Argv[] | undefined;
  /** Whether it is certainly what the target names: by version, commit or digest. A tag or a branch moves, and is never certain. */
  matchesTarget(target: string, deployment: Deployment): boolean;
  /** Lets the next boot apply what is staged. `reboots`: the last command reboots the host by itself. */
  finalize(staged: Deployment): { readonly commands: readonly Argv[]; readonly reboots: boolean };
  /** Takes that back, also after an upgrade: the next boot does not apply what is staged. Empty where the tool cannot lock it. */
  readonly lock: readonly Argv[];
  readonly deployments: HostQuery<Deployments>;
}

export interface OsDriver {
  /** The kind of system: its tool. */
  readonly type: string;
  readonly summary: string;
  /** Every `os` that it gives a host. */
  readonly osNames: readonly string[];
  /** The `os` of a system whose os-release says `id`, when it is one of this driver's; also where `needs` are missing. */
  matchOs(id: string, traits: SystemTraits): string | undefined;
  /** The tools that its commands are for. A host that lacks one has its `os` and no driver. */
  readonly requiredTools: readonly Tool[];
  /** Packages that the commands below need and a minimal system lacks. */
  readonly requiredPackages: readonly string[];
  /** `undefined`: nothing can be installed on this kind of system, or no package has such a name. */
  install(packages: readonly string[]): readonly Argv[] | undefined;
  enable(services: readonly string[]): readonly Argv[];
  readonly upgrade: UpgradeCommands;
  /** Whether the host needs a reboot for what was upgraded to count. */
  readonly rebootRequired: HostQuery<boolean>;
  /** Missing on package systems. */
  readonly image?: ImageCommands;
}

/** The tools that drivers ask for, and so all that the facts look for: by them a system is told from others, and can be handled. */
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

/** Whether a host has come up after a boot. */
export interface Readiness {
  readonly bootId: string;
  readonly isUp: boolean;
  /** For people, in our own words. */
  readonly detail: string;
}

/** All OS drivers, and what is asked of a host before it is known which of them is its own. Nothing in it needs root. */
export interface OsRegistry {
  readonly drivers: readonly OsDriver[];
  /** Every `os` that a host can have, `other` among them. */
  readonly osNames: readonly string[];
  /** Everything about a host, in one command. */
  readonly facts: HostQuery<HostFacts>;
  /** Whether it is alive, and still the same boot: as cheap as a command can be. */
  readonly liveness: HostQuery<Liveness>;
  /** Whether the system has finished booting, and which boot it is; cheap enough to be asked every few seconds. */
  readonly readiness: HostQuery<Readiness>;
}
