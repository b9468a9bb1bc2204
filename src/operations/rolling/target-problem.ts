import type { OsDriver } from '../../drivers/os/os-driver.ts';
import type { Failed } from '../outcomes.ts';
import { failed } from '../outcomes.ts';

export const notAnImage = ({ type }: Pick<OsDriver, 'type'>): Failed =>
  failed(`not_image_based: the host uses packages (${type}); use upgrade instead`);

export const badTarget = ({ type }: Pick<OsDriver, 'type'>, version: string): Failed =>
  failed(`invalid_version: ${type} does not accept the version "${version}"`);

/** Why a version can never be deployed to a kind of system; `undefined`: it may be. */
export function targetProblem(driver: OsDriver, version: string): Failed | undefined {
  if (driver.image === undefined) return notAnImage(driver);
  return driver.image.stage(version) === undefined ? badTarget(driver, version) : undefined;
}
