import type { Argv } from '../../domain/command.ts';
import type { StepResult, WorkOf } from '../../domain/work/work.ts';
import type { Deployment, OsDriver } from '../../drivers/os/os-driver.ts';

const textIn = (result: StepResult, name: string): string => {
  const value = result[name];
  return typeof value === 'string' ? value : '';
};

/** A staged deployment as a step result; `preparedDeployment` reads it. */
export const deploymentResult = (deployment: Deployment): StepResult => ({
  version: deployment.version,
  checksum: deployment.checksum,
  image: deployment.image,
});

/** The deployment that was staged, as its preparation has noted it. */
export const preparedDeployment = (prepared: StepResult): Deployment => ({
  version: textIn(prepared, 'version'),
  checksum: textIn(prepared, 'checksum'),
  image: textIn(prepared, 'image'),
});

interface Finalize {
  readonly before: readonly Argv[];
  /** What reboots the host by itself, and so belongs behind the guard; null: nothing does. */
  readonly rebooting: Argv | null;
}

/** What lets the next boot bring what is staged. */
export function finalizeOf(
  { image }: OsDriver,
  { operationKind, prepared }: Pick<WorkOf<'rollout'>, 'operationKind' | 'prepared'>,
): Finalize {
  if (operationKind !== 'deploy' || image === undefined) return { before: [], rebooting: null };
  const { commands, reboots } = image.finalize(preparedDeployment(prepared));
  return reboots
    ? { before: commands.slice(0, -1), rebooting: commands.at(-1) ?? null }
    : { before: commands, rebooting: null };
}
