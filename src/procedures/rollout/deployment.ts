import type { Argv } from '../../domain/command.ts';
import type { StepResult, TaskOf } from '../../domain/tasks/task.ts';
import type { Deployment, OsDriver } from '../../drivers/os/os-driver.ts';
import type { Failed } from '../outcomes.ts';
import { failed } from '../outcomes.ts';

const textField = (result: StepResult, name: string): string => {
  const value = result[name];
  return typeof value === 'string' ? value : '';
};

export const deploymentResult = (deployment: Deployment): StepResult => ({
  version: deployment.version,
  checksum: deployment.checksum,
  image: deployment.image,
});

export const readStagedDeployment = (prepared: StepResult): Deployment => ({
  version: textField(prepared, 'version'),
  checksum: textField(prepared, 'checksum'),
  image: textField(prepared, 'image'),
});

interface FinalizeCommands {
  readonly before: readonly Argv[];
  /** Must run behind the reboot guard. */
  readonly customRebootArgv: Argv | null;
}

export function finalizeCommands(
  { image }: OsDriver,
  { operationKind, stageResult }: Pick<TaskOf<'rollout'>, 'operationKind' | 'stageResult'>,
): FinalizeCommands {
  if (operationKind !== 'deploy' || image === undefined) return { before: [], customRebootArgv: null };
  const { commands, reboots } = image.finalize(readStagedDeployment(stageResult));
  return reboots
    ? { before: commands.slice(0, -1), customRebootArgv: commands.at(-1) ?? null }
    : { before: commands, customRebootArgv: null };
}

export const notImageBased = ({ type }: Pick<OsDriver, 'type'>): Failed =>
  failed(`not_image_based: the host uses packages (${type}); use upgrade instead`);

export const invalidTarget = ({ type }: Pick<OsDriver, 'type'>, version: string): Failed =>
  failed(`invalid_version: ${type} does not accept the version "${version}"`);

export function checkTarget(driver: OsDriver, version: string): Failed | undefined {
  if (driver.image === undefined) return notImageBased(driver);
  return driver.image.stage(version) === undefined ? invalidTarget(driver, version) : undefined;
}
